import type { Answer, DecideOptions } from "../../library/decide/types.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { StateWarning } from "../../library/engine/engine.ts";
import { DecideError } from "../../errors.ts";
import { badInput } from "../tool-error.ts";
import { confidenceOf } from "../cli/output/sureness.ts";
import { sharesByName } from "../rows/answers.ts";
import type { Case } from "./cases.ts";

/** One answered question with its right answer. */
export interface Outcome {
  readonly type: Answer["type"] | "nli";
  /** Keys; "yes" and "no" for a noul (yes/no question), "0" to "n-1" for a score. */
  readonly options: readonly string[];
  /** The right option. */
  readonly truth: string;
  /** The given answer: the most likely option. */
  readonly said: string;
  readonly isRight: boolean;
  /** Of the given answer, 0 to 1. */
  readonly probability: number;
  /** How often such answers are right, as the answer itself states (`x_accuracy`), 0 to 1; absent where it states nothing. */
  readonly statedAccuracy?: number;
}

export function outcomeOf(answer: Answer, truth: string): Outcome {
  const { x_accuracy: statedAccuracy } = answer;
  return { ...outcomeOfProbabilities(answer.type, sharesByName(answer), truth), ...(statedAccuracy !== undefined && { statedAccuracy }) };
}

/** @param byOption probabilities, one or more; in a tie the first option wins */
export function outcomeOfProbabilities(type: Outcome["type"], byOption: Readonly<Record<string, number>>, truth: string): Outcome {
  const [first = ["", 0] as const, ...others] = Object.entries(byOption);
  const [said, probability] = others.reduce<readonly [string, number]>((best, other) => (other[1] > best[1] ? other : best), first);
  return { type, options: Object.keys(byOption), truth, said, isRight: said === truth, probability };
}

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
