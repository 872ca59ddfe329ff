import { argmax } from "../decide/probabilities.ts";

/** An answer to an example, by what was learned of others. */
export interface HeldOut {
  /** The index of the example in the order they came. */
  readonly index: number;
  readonly right: number;
  readonly given: number;
  /** float64 [criteria] */
  readonly probabilities: Float64Array;
  /** That of the given answer. */
  readonly probability: number;
}

export function toHeldOut(index: number, right: number, probabilities: Float64Array): HeldOut {
  const given = argmax(probabilities);
  return { index, right, given, probabilities, probability: probabilities[given] ?? 0 };
}
