import { factorRow, solveLower, solveUpper } from "./cholesky.ts";
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
