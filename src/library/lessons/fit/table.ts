import type { Pauses } from "./pauses.ts";

/** The examples with an answer, in an order of their own, as numbers. */
export interface Table {
  readonly rows: number;
  /** How many answers there are to choose from. */
  readonly options: number;
  /** float64 [rows, options]: natural logarithms of the probabilities without a lesson. */
  readonly base: Float64Array;
  /** The right answer of each row, by its index. */
  readonly answers: Uint32Array;
  /** The fold of each row. Rows of the same text have the same. */
  readonly folds: Uint32Array;
  readonly foldCount: number;
  /** What the model noticed; undefined if it has no features. */
  readonly features: Coordinates | undefined;
}

/** The features of each row, less their mean, in coordinates in which products are cheap. Lengths and angles are those of the features. */
export interface Coordinates {
  readonly width: number;
  /** float64 [rows + 1, width]. The last row is zeros. */
  readonly values: Float64Array;
  /** How many values of a row may be other than 0: the first ones. They do not descend. */
  readonly lengths: Uint32Array;
  /** Weights by coordinate, [options, width], to weights by feature, [options, size]. */
  toFeatures(weights: Float64Array, options: number, pauses: Pauses): Promise<Float64Array>;
}

/** The sum of the right answers' log-probabilities. @param logProbabilities [rows, options] */
export function logLikelihoodOf({ rows, options, answers }: Table, logProbabilities: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += logProbabilities[row * options + (answers[row] ?? 0)] ?? 0;
  return sum;
}
