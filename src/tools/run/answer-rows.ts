import type { ManyResult } from "../../library/bulk/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { DecideError } from "../../errors.ts";
import { badInput } from "../tool-error.ts";
import { BlockReader } from "./blocks.ts";
import { lineOf, type RowError } from "./formats.ts";
import type { PreparedInput, PreparedRow } from "./input.ts";
import type { Output } from "./output.ts";
import type { Plan } from "./plan.ts";
import { NOTHING, answeredRow, failedRow, sumOf, type Tally } from "./tally.ts";

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
      const { line, tally, stops } = outcomeOf(plan, row, result);
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

export function outcomeOf({ questions, onError }: Pick<Plan, "questions" | "onError">, row: PreparedRow, result: ManyResult): RowOutcome {
  const { answers, usage, error } = result;
  if (error === undefined) return { line: lineOf(row.copied, { answers }), tally: answeredRow(questions, answers, usage), stops: "" };
  const failure = failureOf(row, error);
  return {
    line: onError === "report" ? lineOf(row.copied, { error: failure }) : "",
    tally: failedRow(failure.code, failure.message),
    stops: onError === "stop" ? failure.message : "",
  };
}

function failureOf({ line, place, wrong }: PreparedRow, { code, message }: DecideError): RowError {
  return wrong === "" ? { code, message: `${place}: ${message}`, line } : { code: "invalid_request", message: wrong, line };
}
