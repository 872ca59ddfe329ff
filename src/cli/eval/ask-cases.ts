import type { Answer } from "../../decide/types.ts";
import type { Decider } from "../../decider/decider.ts";
import type { StateWarning } from "../../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import { BadInput } from "../bad-input.ts";
import { confidenceOf } from "../output/sureness.ts";
import { outcomeOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import type { Case } from "./case.ts";

/** An outcome, with the place of its question and what the answer states about itself. */
export interface Asked extends Outcome {
  readonly line: number;
  readonly question: string;
  /** As `umpire decide` reads it: of a yes/no answer it is the distance from even odds, 0 to 1. */
  readonly confidence: number;
  /** Why the answer may be worth less than it says; absent if there is no reason. */
  readonly warnings?: readonly StateWarning[];
}

/**
 * Asks all questions of all cases, in the order of the cases.
 * @param onCase called after each case with the number of cases done
 * @throws {BadInput} for a state that is too long, with its line
 */
export async function askCases(
  decider: Pick<Decider, "decide">,
  file: string,
  cases: readonly Case[],
  onCase: (done: number) => void,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const [i, { line, state, questions, truths }] of cases.entries()) {
    const { answers } = await decider.decide({ state, questions }).catch((error: unknown) => {
      const isTooLong = DecideError.isInstance(error) && error.code === "input_too_long";
      throw isTooLong ? new BadInput(`${file}, line ${line}: ${error.message}`, { cause: error }) : error;
    });
    for (const [id, answer] of Object.entries<Answer>(answers)) {
      asked.push({ line, question: id, ...outcomeOf(answer, truths[id] ?? ""), confidence: confidenceOf(answer), ...warningsOf(answer) });
    }
    onCase(i + 1);
  }
  return asked;
}

function warningsOf({ x_warnings: warnings }: Answer): Pick<Asked, "warnings"> {
  return warnings === undefined ? {} : { warnings };
}
