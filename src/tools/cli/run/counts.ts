import type { Question, Questions } from "../../../library/decide/types.ts";
import type { Tally } from "../../run/tally.ts";

/** How often each option was the answer to a question. */
export interface QuestionCounts {
  readonly id: string;
  /** By option: of a noul yes and no, of a score the number of the level. */
  readonly counts: readonly (readonly [option: string, count: number])[];
}

export function countsOf(questions: Questions, { answers }: Tally): QuestionCounts[] {
  return Object.entries(questions).map(([id, question], i) => ({
    id,
    counts: optionsOf(question).map((option, k) => [option, answers[i]?.[k] ?? 0] as const),
  }));
}

/** What was counted, as JSON shows it. */
export function jsonOfTally(questions: Questions, tally: Tally): Readonly<Record<string, unknown>> {
  const { rows, failed, toPerson, inputTokens, outputTokens, failures } = tally;
  const answers = Object.fromEntries(countsOf(questions, tally).map(({ id, counts }) => [id, Object.fromEntries(counts)]));
  return { rows, failed, toPerson, inputTokens, outputTokens, answers, failures };
}

function optionsOf(question: Question): string[] {
  if (question.type === "noul") return ["yes", "no"];
  return Object.keys(question.criteria);
}

/** For example `1 row`, `12,345 rows`. */
export function rowsText(rows: number): string {
  return `${numberText(rows)} ${rows === 1 ? "row" : "rows"}`;
}

/** For example `12,345`. */
export function numberText(number: number): string {
  return number.toLocaleString("en-US");
}
