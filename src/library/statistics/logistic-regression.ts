import { sigmoid } from "./softmax.ts";

const MAX_STEPS = 100;
const LEAST_CHANGE = 1e-10;
/** A loss that is higher by this share is rounding. */
const ROUNDING = 1e-9;

/** A row of the columns that predict, and whether it came true. */
export interface LogisticRow {
  /** float64 [columns] */
  readonly columns: Float64Array;
  readonly isTrue: boolean;
}

/**
 * Logistic regression by Newton's method: the weights [columns] with the lowest sum of the negative log-likelihood and half of the penalties times the squared
 * distances from `expected`. A step that would lead further up is halved until it does not.
 * @param penalties float64 [columns], above 0
 * @param expected float64 [columns]: the weights before any row is seen. Default: 0.
 */
export function logisticRegression(
  rows: readonly LogisticRow[],
  penalties: Float64Array,
  expected = new Float64Array(penalties.length),
): Float64Array {
  let weights = expected.slice();
  let loss = lossOf(rows, weights, penalties, expected);
  for (let step = 0; step < MAX_STEPS; step++) {
    const change = newtonStep(rows, weights, penalties, expected);
    const least = weights.every((_, i) => Math.abs(change[i] ?? 0) < LEAST_CHANGE);
    let next = weights.map((weight, i) => weight - (change[i] ?? 0));
    let nextLoss = lossOf(rows, next, penalties, expected);
    for (let share = 0.5; nextLoss > loss * (1 + ROUNDING) && share > LEAST_CHANGE; share /= 2) {
      next = weights.map((weight, i) => weight - share * (change[i] ?? 0));
      nextLoss = lossOf(rows, next, penalties, expected);
    }
    [weights, loss] = [next, nextLoss];
    if (least) break;
  }
  return weights;
}

/** Newton's step, which is taken off the weights. */
function newtonStep(rows: readonly LogisticRow[], weights: Float64Array, penalties: Float64Array, expected: Float64Array): Float64Array {
  const size = weights.length;
  const gradient = penalties.map((penalty, i) => penalty * ((weights[i] ?? 0) - (expected[i] ?? 0)));
  const curvature = new Float64Array(size * size);
  for (let i = 0; i < size; i++) curvature[i * size + i] = penalties[i] ?? 0;
  for (const { columns, isTrue } of rows) {
    const p = sigmoid(logitOf(columns, weights));
    for (let i = 0; i < size; i++) {
      const column = columns[i] ?? 0;
      if (column === 0) continue;
      gradient[i] = (gradient[i] ?? 0) + (p - Number(isTrue)) * column;
      // The upper triangle is never read.
      for (let j = 0; j <= i; j++) curvature[i * size + j] = (curvature[i * size + j] ?? 0) + p * (1 - p) * column * (columns[j] ?? 0);
    }
  }
  for (let row = 0; row < size; row++) factorRow(curvature, size, row);
  solveLower(curvature, size, gradient, 0);
  solveUpper(curvature, size, gradient, 0);
  return gradient;
}

function lossOf(rows: readonly LogisticRow[], weights: Float64Array, penalties: Float64Array, expected: Float64Array): number {
  let loss = 0;
  for (const [i, penalty] of penalties.entries()) loss += (penalty / 2) * ((weights[i] ?? 0) - (expected[i] ?? 0)) ** 2;
  for (const { columns, isTrue } of rows) {
    const wrong = (isTrue ? -1 : 1) * logitOf(columns, weights);
    loss += Math.max(wrong, 0) + Math.log1p(Math.exp(-Math.abs(wrong)));
  }
  return loss;
}

function logitOf(columns: Float64Array, weights: Float64Array): number {
  let logit = 0;
  for (let i = 0; i < weights.length; i++) logit += (weights[i] ?? 0) * (columns[i] ?? 0);
  return logit;
}

/**
 * The Cholesky factor C of a symmetric positive definite matrix, M = C Cᵀ, and products of its inverse with many vectors. Matrices are row-major; the triangle above
 * their diagonal is never read.
 */

/** Replaces a row of the matrix by that of its factor. Rows are factored in order, so that a caller may pause between them. */
export function factorRow(matrix: Float64Array, size: number, row: number): void {
  const own = row * size;
  for (let j = 0; j <= row; j++) {
    const there = j * size;
    let rest = matrix[own + j] ?? 0;
    for (let i = 0; i < j; i++) rest -= (matrix[own + i] ?? 0) * (matrix[there + i] ?? 0);
    matrix[own + j] = j === row ? Math.sqrt(rest) : rest / (matrix[there + j] ?? 0);
  }
}

/** So many vectors are solved together, so that each value of the factor is read once for all of them. */
const BLOCK = 4;

/** C⁻¹ of each of the vectors of `size` from `start` to the end, in place. */
export function solveLower(factor: Float64Array, size: number, vectors: Float64Array, start: number): void {
  let first = start;
  for (; first + BLOCK * size <= vectors.length; first += BLOCK * size) {
    const v0 = first;
    const v1 = v0 + size;
    const v2 = v1 + size;
    const v3 = v2 + size;
    for (let i = 0; i < size; i++) {
      let r0 = vectors[v0 + i] ?? 0;
      let r1 = vectors[v1 + i] ?? 0;
      let r2 = vectors[v2 + i] ?? 0;
      let r3 = vectors[v3 + i] ?? 0;
      const row = i * size;
      for (let j = 0; j < i; j++) {
        const f = factor[row + j] ?? 0;
        r0 -= f * (vectors[v0 + j] ?? 0);
        r1 -= f * (vectors[v1 + j] ?? 0);
        r2 -= f * (vectors[v2 + j] ?? 0);
        r3 -= f * (vectors[v3 + j] ?? 0);
      }
      const pivot = factor[row + i] ?? 0;
      vectors[v0 + i] = r0 / pivot;
      vectors[v1 + i] = r1 / pivot;
      vectors[v2 + i] = r2 / pivot;
      vectors[v3 + i] = r3 / pivot;
    }
  }
  for (; first < vectors.length; first += size) {
    for (let i = 0; i < size; i++) {
      let rest = vectors[first + i] ?? 0;
      for (let j = 0; j < i; j++) rest -= (factor[i * size + j] ?? 0) * (vectors[first + j] ?? 0);
      vectors[first + i] = rest / (factor[i * size + i] ?? 0);
    }
  }
}

/** C⁻ᵀ of each of the vectors of `size` from `start` to the end, in place. */
export function solveUpper(factor: Float64Array, size: number, vectors: Float64Array, start: number): void {
  let first = start;
  for (; first + BLOCK * size <= vectors.length; first += BLOCK * size) {
    const v0 = first;
    const v1 = v0 + size;
    const v2 = v1 + size;
    const v3 = v2 + size;
    for (let i = size - 1; i >= 0; i--) {
      const row = i * size;
      const pivot = factor[row + i] ?? 0;
      const r0 = (vectors[v0 + i] = (vectors[v0 + i] ?? 0) / pivot);
      const r1 = (vectors[v1 + i] = (vectors[v1 + i] ?? 0) / pivot);
      const r2 = (vectors[v2 + i] = (vectors[v2 + i] ?? 0) / pivot);
      const r3 = (vectors[v3 + i] = (vectors[v3 + i] ?? 0) / pivot);
      for (let j = 0; j < i; j++) {
        const f = factor[row + j] ?? 0;
        vectors[v0 + j] = (vectors[v0 + j] ?? 0) - f * r0;
        vectors[v1 + j] = (vectors[v1 + j] ?? 0) - f * r1;
        vectors[v2 + j] = (vectors[v2 + j] ?? 0) - f * r2;
        vectors[v3 + j] = (vectors[v3 + j] ?? 0) - f * r3;
      }
    }
  }
  for (; first < vectors.length; first += size) {
    for (let i = size - 1; i >= 0; i--) {
      const value = (vectors[first + i] = (vectors[first + i] ?? 0) / (factor[i * size + i] ?? 0));
      for (let j = 0; j < i; j++) vectors[first + j] = (vectors[first + j] ?? 0) - (factor[i * size + j] ?? 0) * value;
    }
  }
}
