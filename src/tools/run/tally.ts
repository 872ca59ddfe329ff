import { isForPerson } from "../cli/output/sureness.ts";
import { sharesOf } from "../../library/decide/questions/question-kinds.ts";
import type { Answer, Questions, Usage } from "../../library/decide/types.ts";

interface Failures {
  readonly code: string;
  readonly count: number;
  /** The first one's mistake, and where it is. */
  readonly first: string;
}

/** Counts of answered rows. Tallies of parts add up to that of the whole. */
export interface Tally {
  readonly rows: number;
  readonly failed: number;
  /** Rows with an answer that a person should give. */
  readonly toPerson: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** By question and by option, in their order: how often it was the answer. Of a noul (yes/no question): yes, no. */
  readonly answers: readonly (readonly number[])[];
  readonly taught: number;
  readonly failures: readonly Failures[];
}

export const NOTHING: Tally = {
  rows: 0,
  failed: 0,
  toPerson: 0,
  inputTokens: 0,
  outputTokens: 0,
  answers: [],
  taught: 0,
  failures: [],
};

export function sumOf(one: Tally, other: Tally): Tally {
  const [a, b] = one.answers.length > 0 ? [one.answers, other.answers] : [other.answers, one.answers];
  return {
    rows: one.rows + other.rows,
    failed: one.failed + other.failed,
    toPerson: one.toPerson + other.toPerson,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    answers: a.map((counts, q) => counts.map((count, option) => count + (b[q]?.[option] ?? 0))),
    taught: one.taught + other.taught,
    failures: other.failures.reduce(withFailures, one.failures),
  };
}

/** The sum of all blocks. */
export function totalOf(blocks: readonly { readonly tally: Tally }[]): Tally {
  return blocks.reduce((sum, { tally }) => sumOf(sum, tally), NOTHING);
}

function withFailures(known: readonly Failures[], added: Failures): readonly Failures[] {
  const before = known.find(({ code }) => code === added.code);
  if (before === undefined) return [...known, added];
  return known.map((one) => (one === before ? { ...before, count: before.count + added.count } : one));
}

export function answeredRow(questions: Questions, answers: { readonly [id: string]: Answer }, usage: Usage): Tally {
  const all = Object.entries(answers);
  return {
    ...NOTHING,
    rows: 1,
    toPerson: all.some(([, answer]) => isForPerson(answer)) ? 1 : 0,
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    answers: Object.keys(questions).map((id) => countOf(all.find(([key]) => key === id)?.[1])),
    taught: all.filter(([, { x_lesson }]) => x_lesson !== undefined).length,
  };
}

/** A row that failed. @param first what is wrong with it, and where */
export function failedRow(code: string, first: string): Tally {
  return { ...NOTHING, rows: 1, failed: 1, failures: [{ code, count: 1, first }] };
}

/** 1 at the likeliest option, else 0. */
function countOf(answer: Answer | undefined): number[] {
  if (answer === undefined) return [];
  const shares = Object.values(sharesOf(answer));
  const at = shares.indexOf(Math.max(...shares));
  return shares.map((_, i) => (i === at ? 1 : 0));
}
