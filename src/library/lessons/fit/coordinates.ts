import { elementAt } from "../../validation/expect.ts";
import type { Pauses } from "./pauses.ts";
import type { Coordinates } from "./table.ts";

/** Up to so many rows a feature, the rows' own coordinates are shorter than the features. */
const ROWS_PER_FEATURE = 1.5;
/** Of a row's squared length: where less than this is new, rounding is most of it. */
const LEAST_NEW = 1e-9;

/**
 * Coordinates for rows of features. Few rows lie in a space of no more dimensions than there are rows. In the Cholesky factor of their products, row i has at most
 * i + 1 of them; penalties are the same, since weights outside of that space are 0 at the minimum.
 * @param x float64 [rows + 1, size], the last row zeros
 */
export async function toCoordinates(x: Float64Array, rows: number, size: number, pauses: Pauses): Promise<Coordinates> {
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
    if (pauses.isDue) await pauses.take();
  }
  return { width, values, lengths, toFeatures };

  /** Weights as sums of the pivots' rows: their factors by back substitution. */
  async function toFeatures(weights: Float64Array, options: number, ownPauses: Pauses): Promise<Float64Array> {
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
      if (ownPauses.isDue) await ownPauses.take();
    }
    return result;
  }
}

function product(a: Float64Array, fromA: number, b: Float64Array, fromB: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += (a[fromA + i] ?? 0) * (b[fromB + i] ?? 0);
  return sum;
}
