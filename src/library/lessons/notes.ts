import type { Criterion } from "../decide/request.ts";
import { isPlain } from "../validation/nearest.ts";
import type { Row } from "./rows.ts";

/** With fewer examples of an answer, little can be learned of it. */
const FEW = 5;
const MAX_NAMES = 10;

/** How many examples there are: by answer, and without one. */
export interface Counts {
  readonly byAnswer: readonly number[];
  readonly unanswered: number;
}

/** What to know about examples, one sentence each. @param rows those that were learned from */
export function notesOn(rows: readonly Row[], { byAnswer, unanswered }: Counts, criteria: readonly Criterion[]): string[] {
  const answered = byAnswer.reduce((a, b) => a + b, 0);
  const namesWith = (isMeant: (count: number) => boolean): string[] =>
    criteria.filter((_, k) => isMeant(byAnswer[k] ?? 0)).map(({ key }) => key);
  const byText = new Map<string, Set<number>>();
  for (const { text, answer } of rows) byText.set(text, (byText.get(text) ?? new Set()).add(answer));
  const repeated = rows.length - byText.size;
  const contradicted = [...byText.values()].filter(({ size }) => size > 1).length;
  const none = namesWith((count) => count === 0);
  const few = namesWith((count) => count > 0 && count < FEW);
  const notes: string[] = [];
  if (none.length > 0) notes.push(`No example has ${listed(none)} as its answer: nothing says when it is right.`);
  if (few.length > 0) notes.push(`Fewer than ${FEW} examples have ${listed(few)} as their answer: more of them would help most.`);
  if (answered > rows.length)
    notes.push(
      `${rows.length} of ${answered} examples were learned from, chosen by chance, so that it ends in time; all figures are of these.`,
    );
  if (repeated > 0) notes.push(`${repeated} of ${rows.length} examples repeat the text of another one; they add little.`);
  if (contradicted > 0)
    notes.push(
      `${contradicted} ${contradicted === 1 ? "text has" : "texts have"} different answers in different examples; all of them were learned from.`,
    );
  if (unanswered > 0) notes.push(`${unanswered} examples have no answer; they are counted, and nothing was learned from them.`);
  return notes;
}

/** Keys, as far as they are plain names. */
function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, MAX_NAMES).map((key) => (isPlain(key) ? key : "an option with a long name"));
  const more = keys.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
