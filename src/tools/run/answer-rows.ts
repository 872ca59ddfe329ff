import { isForPerson } from "../cli/output/sureness.ts";
import { sharesOf } from "../../library/decide/questions/question-kinds.ts";
import type { Answer, Questions, Usage } from "../../library/decide/types.ts";
import type { ManyResult } from "../../library/bulk/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { DecideError } from "../../errors.ts";
import { badInput } from "../tool-error.ts";
import { BlockReader } from "./blocks.ts";
import { lineOf } from "./formats.ts";
import type { RowError } from "./formats.ts";
import type { PreparedInput, PreparedRow } from "./input.ts";
import type { Output } from "./output.ts";
import type { Plan } from "./plan.ts";

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

/**
 * Answers the rows of an input, block by block, from where an earlier run stopped. Rows are asked about without a pause between blocks.
 * @param onRow called after each row with what was counted so far, also by earlier runs
 * @returns what was counted, also by earlier runs
 * @throws {ToolError} if the rows that an earlier run answered are no longer the same; for a row that is wrong, if that ends the run; if the rest of the input
 * cannot be read
 * @throws {DecideError} what is no row's fault
 */
export async function answerRows(
  decider: Pick<Decider, "decideMany">,
  plan: Plan,
  input: PreparedInput,
  output: Output,
  onRow: (sum: Tally) => void = () => undefined,
): Promise<Tally> {
  const { questions } = plan;
  const maxErrorRate = plan.maxErrorRate ?? undefined;
  const reader = new BlockReader(plan, input, output.done);
  let sum = output.done.reduce((before, { tally }) => sumOf(before, tally), NOTHING);
  let ofBlock = NOTHING;
  let lastBlock = 0;
  try {
    // A wrong row is asked about, too: its error comes in its turn, and only so many rows are under way.
    for await (const result of decider.decideMany(reader.states(), { questions, maxErrorRate })) {
      const { row, block, digest } = reader.next();
      const { line, tally, stops } = outcomeOf(plan, input, row, result);
      if (stops !== "") throw badInput(`${input.name}, ${stops}`);
      if (line !== "") await output.add(line);
      sum = sumOf(sum, tally);
      ofBlock = sumOf(ofBlock, tally);
      onRow(sum);
      lastBlock = block;
      if (digest === undefined) continue;
      await output.commit({ block, input: digest, tally: ofBlock });
      ofBlock = NOTHING;
    }
  } catch (error) {
    // The library's own error would say that its rows could not be read.
    throw reader.failure ?? error;
  }
  if (ofBlock.rows > 0) await output.commit({ block: lastBlock, input: reader.lastDigest(), tally: ofBlock });
  await output.finish(reader.rows);
  return sum;
}

interface RowOutcome {
  /** Its line of the results; "" if it has none. */
  readonly line: string;
  readonly tally: Tally;
  /** Why the run ends here; "" if it goes on. */
  readonly stops: string;
}

/** Outcome of an answered row, by the plan. */
export function outcomeOf(
  { questions, onError }: Pick<Plan, "questions" | "onError">,
  { unit }: Pick<PreparedInput, "unit">,
  row: PreparedRow,
  result: ManyResult,
): RowOutcome {
  const { answers, usage, error } = result;
  if (error === undefined) return { line: lineOf(row.copied, { answers }), tally: answeredRow(questions, answers, usage), stops: "" };
  const failure = failureOf(row, unit, error);
  return {
    line: onError === "report" ? lineOf(row.copied, { error: failure }) : "",
    tally: failedRow(failure.code, failure.message),
    stops: onError === "stop" ? failure.message : "",
  };
}

/** A row's error, with its place. */
function failureOf({ line, wrong }: PreparedRow, unit: PreparedInput["unit"], { code, message }: DecideError): RowError {
  return wrong === "" ? { code, message: `${unit} ${line}: ${message}`, line } : { code: "invalid_request", message: wrong, line };
}
