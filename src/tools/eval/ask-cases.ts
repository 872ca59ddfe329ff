import type { Answer, DecideOptions } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { StateWarning } from "../../library/engine/engine.ts";
import { DecideError } from "../../errors.ts";
import { badInput } from "../tool-error.ts";
import { confidenceOf } from "../cli/output/sureness.ts";
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
  /** The id of the lesson that answered; absent if none did. */
  readonly lesson?: string;
  /** Whether it says that it can be acted on; absent without a rate of errors. */
  readonly act?: boolean;
}

/**
 * Asks all questions of all cases, in the order of the cases.
 * @param onCase called after each case with the number of cases done
 * @param options a rate of errors, for answers that say whether they can be acted on
 * @throws {ToolError} for a state that is too long, with its line
 */
export async function askCases(
  decider: Pick<Decider, "decide">,
  file: string,
  cases: readonly Case[],
  onCase: (done: number) => void,
  options: Pick<DecideOptions, "maxErrorRate"> = {},
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const [i, { line, state, questions, truths }] of cases.entries()) {
    const { answers } = await decider.decide({ state, questions }, options).catch((error: unknown) => {
      const isTooLong = DecideError.isInstance(error) && error.code === "input_too_long";
      throw isTooLong ? badInput(`${file}, line ${line}: ${error.message}`, { cause: error }) : error;
    });
    for (const [id, answer] of Object.entries<Answer>(answers)) {
      asked.push({ line, question: id, ...outcomeOf(answer, truths[id] ?? ""), confidence: confidenceOf(answer), ...ownFieldsOf(answer) });
    }
    onCase(i + 1);
  }
  return asked;
}

function ownFieldsOf({ x_warnings: warnings, x_lesson: lesson, x_act: act }: Answer): Pick<Asked, "warnings" | "lesson" | "act"> {
  return { ...(warnings && { warnings }), ...(lesson !== undefined && { lesson }), ...(act !== undefined && { act }) };
}
