import { factorRow, solveLower, solveUpper } from "../../../library/lessons/fit/cholesky.ts";

const MAX_STEPS = 100;
const LEAST_CHANGE = 1e-10;

/** A row of the columns that predict, and whether it came true. */
export interface LogisticRow {
  /** float64 [columns] */
  readonly columns: Float64Array;
  readonly isTrue: boolean;
}

/**
 * Logistic regression by Newton's method: the weights [columns] with the lowest sum of the negative log-likelihood and half of the penalties times the squared
 * weights.
 * @param penalties float64 [columns], above 0
 */
export function logistic(rows: readonly LogisticRow[], penalties: Float64Array): Float64Array {
  const size = penalties.length;
  const weights = new Float64Array(size);
  for (let step = 0; step < MAX_STEPS; step++) {
    const gradient = penalties.map((penalty, i) => penalty * (weights[i] ?? 0));
    const curvature = new Float64Array(size * size);
    for (let i = 0; i < size; i++) curvature[i * size + i] = penalties[i] ?? 0;
    for (const { columns, isTrue } of rows) {
      let logit = 0;
      for (let i = 0; i < size; i++) logit += (weights[i] ?? 0) * (columns[i] ?? 0);
      const p = 1 / (1 + Math.exp(-logit));
      for (let i = 0; i < size; i++) {
        const column = columns[i] ?? 0;
        if (column === 0) continue;
        gradient[i] = (gradient[i] ?? 0) + (p - Number(isTrue)) * column;
        // What lies above the diagonal is never read.
        for (let j = 0; j <= i; j++) curvature[i * size + j] = (curvature[i * size + j] ?? 0) + p * (1 - p) * column * (columns[j] ?? 0);
      }
    }
    for (let row = 0; row < size; row++) factorRow(curvature, size, row);
    solveLower(curvature, size, gradient, 0);
    solveUpper(curvature, size, gradient, 0);
    for (let i = 0; i < size; i++) weights[i] = (weights[i] ?? 0) - (gradient[i] ?? 0);
    if (gradient.every((change) => Math.abs(change) < LEAST_CHANGE)) break;
  }
  return weights;
}
