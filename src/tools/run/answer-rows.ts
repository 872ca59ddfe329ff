import type { ManyResult } from "../../library/bulk/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { DecideError } from "../../errors.ts";
import type { State } from "../../library/decide/types.ts";
import { present } from "../../library/validation/expect.ts";
import { badInput } from "../tool-error.ts";
import { BlockDigest, DoneBlocks, stateOf } from "./blocks.ts";
import { lineOf, type RowError } from "./formats.ts";
import { selected, type PreparedInput, type PreparedRow } from "./input.ts";
import type { Output } from "./output.ts";
import { answersBlock, type Plan } from "./plan.ts";
import { NOTHING, answeredRow, failedRow, sumOf, totalOf, type Tally } from "./tally.ts";

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
  const done = new DoneBlocks(output.done, input);
  /** Rows that wait for their result. */
  const asked: { readonly row: PreparedRow; readonly block: BlockDigest; readonly isLast: boolean }[] = [];
  let rows = 0;
  let failure: unknown;
  let sum = totalOf(output.done);
  let ofBlock = NOTHING;
  let last: BlockDigest | undefined;
  try {
    // A wrong row is asked about, too: its error comes in its turn, and only so many rows are under way.
    for await (const result of decider.decideMany(states(), { questions, maxErrorRate })) {
      const { row, block, isLast } = present(asked.shift(), "row for a result");
      const { line, tally, stops } = outcomeOf(plan, row, result);
      if (stops !== "") throw badInput(`${input.name}, ${stops}`);
      if (line !== "") await output.add(line);
      sum = sumOf(sum, tally);
      ofBlock = sumOf(ofBlock, tally);
      onRow(sum);
      last = block;
      if (isLast) await commit(block);
    }
  } catch (error) {
    // The library's own error would say that its rows could not be read.
    throw failure ?? error;
  }
  if (last !== undefined && ofBlock.rows > 0) await commit(last);
  await output.finish(rows);
  return sum;

  async function commit(block: BlockDigest): Promise<void> {
    await output.commit({ block: block.block, input: block.digest(), tally: ofBlock });
    ofBlock = NOTHING;
  }

  /** The states to ask about. Rows of blocks that are done are compared with those that were answered; those of other shards are passed over. */
  async function* states(): AsyncGenerator<State, void, void> {
    let open: BlockDigest | undefined;
    try {
      for await (const read of selected(input.rows, plan.rows)) {
        const number = Math.floor(rows / plan.block);
        rows++;
        if (!answersBlock(plan, number)) continue;
        const row = input.prepared(read);
        const block = (open ??= new BlockDigest(number, row));
        block.add(row);
        const isLast = rows % plan.block === 0;
        if (isLast) open = undefined;
        if (!done.has(number)) {
          asked.push({ row, block, isLast });
          yield stateOf(row);
        } else if (isLast) done.compare(block);
      }
      // The last block of an input that was as long as it is now.
      if (open !== undefined && done.has(open.block)) done.compare(open);
      done.end();
    } catch (error) {
      failure = error;
      throw error;
    }
  }
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
