import { sentencesOf } from "./sentences.ts";

/** A part of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Divides a text into its sentences; if there are too many, into groups of them that are about equally long. Together they are the whole text. */
export function passagesOf(text: string, maxPassages: number): Range[] {
  const starts = sentencesOf(text);
  const grouped = starts.length > maxPassages ? starts.filter(startsGroup(starts, text.length, maxPassages)) : starts;
  return grouped.map((start, i) => ({ start, end: grouped[i + 1] ?? text.length }));
}

/** A sentence belongs to the group that its middle lies in. */
function startsGroup(starts: readonly number[], length: number, groups: number): (start: number, i: number) => boolean {
  const groupOf = (i: number): number => {
    const middle = ((starts[i] ?? 0) + (starts[i + 1] ?? length)) / 2;
    return Math.floor((middle / length) * groups);
  };
  return (_, i) => i === 0 || groupOf(i) !== groupOf(i - 1);
}
