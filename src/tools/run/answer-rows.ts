import type { Answer } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import { BadInput } from "../cli/bad-input.ts";
import { BlockReader } from "./block-reader.ts";
import type { PreparedInput } from "./input/prepare.ts";
import type { Output } from "./output/output.ts";
import type { Plan } from "./plan.ts";
import { outcomeOf } from "./row-outcome.ts";
import { NOTHING, sumOf } from "./tally.ts";
import type { Tally } from "./tally.ts";

export interface AnswerOptions {
  /** Whether a person should give an answer, for the counts. */
  readonly isForPerson: (answer: Answer) => boolean;
  /** Called after each row with what was counted so far, also by earlier runs. */
  readonly onRow?: (sum: Tally) => void;
}

/**
 * Answers the rows of an input, block by block, from where an earlier run stopped. Rows are asked about without a pause between blocks.
 * @returns what was counted, also by earlier runs
 * @throws {BadInput} if the rows that an earlier run answered are no longer the same; for a row that is wrong, if that ends the run; if the rest of the input
 * cannot be read
 * @throws {DecideError} what is no row's fault
 */
export async function answerRows(
  decider: Pick<Decider, "decideMany">,
  plan: Plan,
  input: PreparedInput,
  output: Output,
  { isForPerson, onRow = () => undefined }: AnswerOptions,
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
      const { line, tally, stops } = outcomeOf(plan, input, row, result, isForPerson);
      if (stops !== "") throw new BadInput(`${input.name}, ${stops}`);
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
