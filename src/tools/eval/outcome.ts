import type { Answer } from "../../library/decide/types.ts";

/** One answered question with its right answer. */
export interface Outcome {
  readonly type: "choice" | "noul" | "score" | "nli";
  /** Keys; "yes" and "no" for a noul (yes/no question), "0" to "n-1" for a score. */
  readonly options: readonly string[];
  /** The right option. */
  readonly truth: string;
  /** The given answer: the most likely option. */
  readonly said: string;
  /** Of the given answer, 0 to 1. */
  readonly probability: number;
  /** How often such answers are right, as the answer itself states (`x_accuracy`), 0 to 1; absent where it states nothing. */
  readonly statedAccuracy?: number;
}

export function outcomeOf(answer: Answer, truth: string): Outcome {
  const byOption = answer.type === "noul" ? { yes: answer.noul, no: 1 - answer.noul } : answer.probabilities;
  const { x_accuracy: statedAccuracy } = answer;
  return { ...outcomeOfProbabilities(answer.type, byOption, truth), ...(statedAccuracy !== undefined && { statedAccuracy }) };
}

/** @param byOption probabilities, one or more; in a tie the first option wins */
export function outcomeOfProbabilities(type: Outcome["type"], byOption: Readonly<Record<string, number>>, truth: string): Outcome {
  const [first = ["", 0] as const, ...others] = Object.entries(byOption);
  const [said, probability] = others.reduce<readonly [string, number]>((best, other) => (other[1] > best[1] ? other : best), first);
  return { type, options: Object.keys(byOption), truth, said, probability };
}
