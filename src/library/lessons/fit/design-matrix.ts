import { logOf } from "../../statistics/softmax.ts";
import { elementAt } from "../../validation/expect.ts";
import type { Row } from "../read-examples.ts";
import type { Yielder } from "../../async/signals.ts";

/** The examples with an answer, in an order of their own, as numbers. */
export interface DesignMatrix {
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
  /** The model's features; undefined if it has no features. */
  readonly features: Coordinates | undefined;
}

/** The features of each row, less their mean, in coordinates in which products are cheap. Lengths and angles are those of the features. */
interface Coordinates {
  readonly width: number;
  /** float64 [rows + 1, width]. The last row is zeros. */
  readonly values: Float64Array;
  /** How many values of a row may be other than 0: the first ones. They do not descend. */
  readonly lengths: Uint32Array;
  /** Weights by coordinate, [options, width], to weights by feature, [options, size]. */
  toFeatures(weights: Float64Array, options: number, yielder: Yielder): Promise<Float64Array>;
}

/** The sum of the right answers' log-probabilities. @param logProbabilities [rows, options] */
export function logLikelihoodOf({ rows, options, answers }: DesignMatrix, logProbabilities: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += logProbabilities[row * options + (answers[row] ?? 0)] ?? 0;
  return sum;
}

type DesignRow = Omit<Row, "index">;

const MAX_FOLDS = 5;
/** The mean squared length that features are scaled to, about that of whitened ones: so penalties mean the same for the features of any model. */
const SQUARED_LENGTH = 1.3;

/**
 * The matrix, and the mean of its features as a lesson states it.
 * @param rows one or more, in their own order, those of a text side by side
 * @param order which of a row's probabilities come first, second, ...
 */
export async function toDesignMatrix(
  rows: readonly DesignRow[],
  order: readonly number[],
  yielder: Yielder,
): Promise<{ design: DesignMatrix; mean: Float32Array | undefined }> {
  const options = order.length;
  const base = new Float64Array(rows.length * options);
  const answers = new Uint32Array(rows.length);
  const folds = new Uint32Array(rows.length);
  const rank = new Map(order.map((original, k) => [original, k]));
  let texts = 0;
  for (const [i, { text, answer, probabilities }] of rows.entries()) {
    if (i > 0 && rows[i - 1]?.text !== text) texts++;
    folds[i] = texts % MAX_FOLDS;
    answers[i] = rank.get(answer) ?? 0;
    for (const [k, original] of order.entries()) base[i * options + k] = logOf(probabilities[original] ?? 0);
  }
  const shared = { rows: rows.length, options, base, answers, folds, foldCount: Math.min(MAX_FOLDS, texts + 1) };
  const size = rows[0]?.features?.length ?? 0;
  if (size === 0) return { design: { ...shared, features: undefined }, mean: undefined };
  const mean = meanOf(rows, size);
  const x = new Float64Array((rows.length + 1) * size);
  let squares = 0;
  for (const [i, { features }] of rows.entries()) {
    for (let d = 0; d < size; d++) {
      const value = (features?.[d] ?? 0) - (mean[d] ?? 0);
      x[i * size + d] = value;
      squares += value * value;
    }
    if (yielder.isDue) await yielder.toEventLoop();
  }
  // Features that are all alike tell nothing, and stay 0.
  const unit = squares === 0 ? 1 : Math.sqrt((SQUARED_LENGTH * rows.length) / squares);
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? 0) * unit;
  const coordinates = await toCoordinates(x, rows.length, size, yielder);
  const toFeatures: Coordinates["toFeatures"] = async (weights, count, own) =>
    (await coordinates.toFeatures(weights, count, own)).map((weight) => weight * unit);
  return { design: { ...shared, features: { ...coordinates, toFeatures } }, mean };
}

function meanOf(rows: readonly DesignRow[], size: number): Float32Array {
  const sums = new Float64Array(size);
  for (const { features } of rows) for (let d = 0; d < size; d++) sums[d] = (sums[d] ?? 0) + (features?.[d] ?? 0);
  return Float32Array.from(sums, (sum) => sum / rows.length);
}

/** Up to so many rows a feature, the rows' own coordinates are shorter than the features. */
const ROWS_PER_FEATURE = 1.5;
/** Of a row's squared length: where less than this is new, rounding is most of it. */
const LEAST_NEW = 1e-9;

/**
 * Coordinates for rows of features. Few rows lie in a space of no more dimensions than there are rows. In the Cholesky factor of their products, row i has at most
 * i + 1 of them; penalties are the same, since weights outside of that space are 0 at the minimum.
 * @param x float64 [rows + 1, size], the last row zeros
 */
export async function toCoordinates(x: Float64Array, rows: number, size: number, yielder: Yielder): Promise<Coordinates> {
  if (rows > size * ROWS_PER_FEATURE)
    return { width: size, values: x, lengths: new Uint32Array(rows).fill(size), toFeatures: (weights) => Promise.resolve(weights) };
  const width = Math.min(rows, size);
  const values = new Float64Array((rows + 1) * width);
  const lengths = new Uint32Array(rows);
  /** The rows that brought a new dimension each. */
  const pivots: number[] = [];
  for (let i = 0; i < rows; i++) {
    const own = i * width;
    const squared = product(x, i * size, x, i * size, size);
    let left = squared;
    for (const [j, pivot] of pivots.entries()) {
      const there = pivot * width;
      const shared = product(x, i * size, x, pivot * size, size) - product(values, own, values, there, j);
      const value = shared / (values[there + j] ?? 0);
      values[own + j] = value;
      left -= value * value;
    }
    if (pivots.length < width && left > LEAST_NEW * squared) {
      values[own + pivots.length] = Math.sqrt(left);
      pivots.push(i);
    }
    lengths[i] = pivots.length;
    if (yielder.isDue) await yielder.toEventLoop();
  }
  return { width, values, lengths, toFeatures };

  /** Weights as sums of the pivots' rows: their factors by back substitution. */
  async function toFeatures(weights: Float64Array, options: number, ownYielder: Yielder): Promise<Float64Array> {
    const result = new Float64Array(options * size);
    const factors = new Float64Array(pivots.length);
    for (let k = 0; k < options; k++) {
      factors.set(weights.subarray(k * width, k * width + pivots.length));
      for (let j = pivots.length - 1; j >= 0; j--) {
        const there = elementAt(pivots, j, "pivot") * width;
        const factor = (factors[j] ?? 0) / (values[there + j] ?? 0);
        factors[j] = factor;
        for (let m = 0; m < j; m++) factors[m] = (factors[m] ?? 0) - factor * (values[there + m] ?? 0);
      }
      for (const [j, pivot] of pivots.entries()) {
        const factor = factors[j] ?? 0;
        for (let d = 0; d < size; d++) result[k * size + d] = (result[k * size + d] ?? 0) + factor * (x[pivot * size + d] ?? 0);
      }
      if (ownYielder.isDue) await ownYielder.toEventLoop();
    }
    return result;
  }
}

function product(a: Float64Array, fromA: number, b: Float64Array, fromB: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += (a[fromA + i] ?? 0) * (b[fromB + i] ?? 0);
  return sum;
}
