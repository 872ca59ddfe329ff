import { factorRow, solveLower, solveUpper } from "../../statistics/cholesky.ts";
import type { DesignMatrix } from "./design-matrix.ts";
import { BIAS_PENALTY, SCALE_PENALTY, predictRow } from "./head-problem.ts";
import type { Problem } from "./minimise.ts";
import type { Yielder } from "./yield-to-event-loop.ts";

/** With fewer rows for each weight of an option, steps that know the curvature of single weights alone are more, but take less time in all. */
const ROWS_PER_WEIGHT = 4;

/** Steps and gradients where the curvature is about 1 in all directions. */
export interface Curvature {
  /** Such a step as one of parameters; in place. */
  toStep(step: Float64Array): void;
  /** A gradient by parameters as one by such steps; in place. */
  toGradient(gradient: Float64Array): void;
}

/**
 * Roughly the curvature of a `HeadProblem` over all rows of a design matrix: that of each parameter by itself. Where there are many rows, the weights have one
 * matrix for every option instead, with each row as uncertain as its options are on average.
 * @param weightPenalty undefined: the head has no weights.
 */
export async function curvatureNear(
  design: DesignMatrix,
  head: Float64Array,
  weightPenalty: number | undefined,
  yielder: Yielder,
): Promise<Curvature> {
  const { rows, options, base, features } = design;
  const width = weightPenalty === undefined ? 0 : (features?.width ?? 0);
  const x = features?.values ?? base;
  const weightsAt = 1 + options;
  const matrix = width > 0 && rows > width * ROWS_PER_WEIGHT ? new Float64Array(width * width) : undefined;
  const single = new Float64Array(weightsAt + (matrix ? 0 : options * width)).fill(2 * (weightPenalty ?? 0));
  single[0] = 2 * SCALE_PENALTY;
  single.fill(2 * BIAS_PENALTY, 1, weightsAt);
  for (let i = 0; matrix && i < width; i++) matrix[i * width + i] = 2 * (weightPenalty ?? 0);
  const p = new Float64Array(options);
  for (let row = 0; row < rows; row++) {
    predictRow(design, row, head, p, 0);
    const length = width === 0 ? 0 : (features?.lengths[row] ?? 0);
    let uncertain = 0;
    let mean = 0;
    let meanSquare = 0;
    for (let k = 0; k < options; k++) {
      const probability = Math.exp(p[k] ?? 0);
      const z = base[row * options + k] ?? 0;
      mean += probability * z;
      meanSquare += probability * z * z;
      const own = probability * (1 - probability);
      uncertain += own;
      single[1 + k] = (single[1 + k] ?? 0) + own;
      if (!matrix) addSquares(single, weightsAt + k * width, x, row * width, length, own);
    }
    single[0] = single[0] + Math.max(0, meanSquare - mean * mean);
    // The curvature of a softmax has one direction fewer than it has options.
    if (matrix) addOuter(matrix, width, x, row * width, length, uncertain / (options - 1));
    if (yielder.isDue) await yielder.toEventLoop();
  }
  for (let row = 0; matrix && row < width; row++) {
    factorRow(matrix, width, row);
    if (yielder.isDue) await yielder.toEventLoop();
  }
  const roots = single.map(Math.sqrt);
  return {
    toStep(step) {
      divide(step, roots);
      if (matrix) solveUpper(matrix, width, step, roots.length);
    },
    toGradient(gradient) {
      divide(gradient, roots);
      if (matrix) solveLower(matrix, width, gradient, roots.length);
    },
  };
}

/** A problem in steps from a point, where its curvature is about 1 in all directions: minima of such problems are found in few steps. */
export function conditioned(
  problem: Problem,
  start: Float64Array,
  curvature: Curvature,
): Problem & { pointOf(step: Float64Array): Float64Array } {
  const point = new Float64Array(problem.size);
  const setPoint = (step: Float64Array): void => {
    point.set(step);
    curvature.toStep(point);
    for (let i = 0; i < point.length; i++) point[i] = (point[i] ?? 0) + (start[i] ?? 0);
  };
  return {
    size: problem.size,
    async evaluate(step, gradient) {
      setPoint(step);
      const value = await problem.evaluate(point, gradient);
      curvature.toGradient(gradient);
      return value;
    },
    pointOf(step) {
      setPoint(step);
      return point.slice();
    },
  };
}

/** Adds factor x xᵀ to the lower triangle of a matrix. */
function addOuter(matrix: Float64Array, width: number, x: Float64Array, start: number, length: number, factor: number): void {
  for (let i = 0; i < length; i++) {
    const value = factor * (x[start + i] ?? 0);
    const row = i * width;
    for (let j = 0; j <= i; j++) matrix[row + j] = (matrix[row + j] ?? 0) + value * (x[start + j] ?? 0);
  }
}

/** Adds factor x_d² to each of the sums from a place on. */
function addSquares(sums: Float64Array, sumsAt: number, x: Float64Array, start: number, length: number, factor: number): void {
  for (let d = 0; d < length; d++) {
    const value = x[start + d] ?? 0;
    sums[sumsAt + d] = (sums[sumsAt + d] ?? 0) + factor * value * value;
  }
}

function divide(values: Float64Array, divisors: Float64Array): void {
  for (let i = 0; i < divisors.length; i++) values[i] = (values[i] ?? 0) / (divisors[i] ?? 0);
}
