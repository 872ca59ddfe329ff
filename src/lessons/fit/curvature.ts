import { factorRow, solveLower, solveUpper } from "./cholesky.ts";
import { BIAS_PENALTY, SCALE_PENALTY } from "./head-problem.ts";
import type { Problem } from "./minimise.ts";
import type { Pauses } from "./pauses.ts";
import { predictRow } from "./predict.ts";
import type { Table } from "./table.ts";

/**
 * Roughly the curvature of a `HeadProblem` over all rows of a table: that of scale and biases by themselves, and one matrix for the weights of every option,
 * with each row as uncertain as its options are on average.
 */
export class Curvature {
  /** Square roots of the curvature of scale and biases. */
  readonly #linear: Float64Array;
  readonly #width: number;
  /** The Cholesky factor of the curvature of weights. */
  readonly #factor: Float64Array;

  private constructor(linear: Float64Array, width: number, factor: Float64Array) {
    this.#linear = linear;
    this.#width = width;
    this.#factor = factor;
  }

  /** @param weightPenalty undefined: the head has no weights. */
  static async at(table: Table, head: Float64Array, weightPenalty: number | undefined, pauses: Pauses): Promise<Curvature> {
    const { rows, options, base, features } = table;
    const width = weightPenalty === undefined ? 0 : (features?.width ?? 0);
    const x = features?.values ?? base;
    const linear = new Float64Array(1 + options).fill(2 * BIAS_PENALTY);
    linear[0] = 2 * SCALE_PENALTY;
    const matrix = new Float64Array(width * width);
    for (let i = 0; i < width; i++) matrix[i * width + i] = 2 * (weightPenalty ?? 0);
    const p = new Float64Array(options);
    for (let row = 0; row < rows; row++) {
      predictRow(table, row, head, p, 0);
      let [uncertain, mean, meanSquare] = [0, 0, 0];
      for (let k = 0; k < options; k++) {
        const probability = Math.exp(at(p, k));
        const z = at(base, row * options + k);
        mean += probability * z;
        meanSquare += probability * z * z;
        uncertain += probability * (1 - probability);
        linear[1 + k] = at(linear, 1 + k) + probability * (1 - probability);
      }
      linear[0] = at(linear, 0) + Math.max(0, meanSquare - mean * mean);
      addOuter(matrix, width, x, row * width, width === 0 ? 0 : (features?.lengths[row] ?? 0), uncertain / options);
      if (pauses.isDue) await pauses.take();
    }
    for (let row = 0; row < width; row++) {
      factorRow(matrix, width, row);
      if (pauses.isDue) await pauses.take();
    }
    return new Curvature(linear.map(Math.sqrt), width, matrix);
  }

  /** A step where the curvature is 1 in all directions, as a step of parameters; in place. */
  toStep(step: Float64Array): void {
    for (let i = 0; i < this.#linear.length; i++) step[i] = at(step, i) / at(this.#linear, i);
    if (this.#width > 0) solveUpper(this.#factor, this.#width, step, this.#linear.length);
  }

  /** A gradient by parameters, as one where the curvature is 1; in place. */
  toGradient(gradient: Float64Array): void {
    for (let i = 0; i < this.#linear.length; i++) gradient[i] = at(gradient, i) / at(this.#linear, i);
    if (this.#width > 0) solveLower(this.#factor, this.#width, gradient, this.#linear.length);
  }
}

/** A problem in steps from a point, where its curvature is about 1 in all directions: minima of such problems are found in few steps. */
export class Conditioned implements Problem {
  readonly size: number;
  readonly #problem: Problem;
  readonly #start: Float64Array;
  readonly #curvature: Curvature;

  constructor(problem: Problem, start: Float64Array, curvature: Curvature) {
    this.size = problem.size;
    this.#problem = problem;
    this.#start = start;
    this.#curvature = curvature;
  }

  async evaluate(step: Float64Array, gradient: Float64Array): Promise<number> {
    const value = await this.#problem.evaluate(this.pointOf(step), gradient);
    this.#curvature.toGradient(gradient);
    return value;
  }

  pointOf(step: Float64Array): Float64Array {
    const point = step.slice();
    this.#curvature.toStep(point);
    for (let i = 0; i < point.length; i++) point[i] = at(point, i) + at(this.#start, i);
    return point;
  }
}

/** Adds factor x xᵀ to the lower triangle of a matrix. */
function addOuter(matrix: Float64Array, width: number, x: Float64Array, start: number, length: number, factor: number): void {
  for (let i = 0; i < length; i++) {
    const value = factor * at(x, start + i);
    const row = i * width;
    for (let j = 0; j <= i; j++) matrix[row + j] = at(matrix, row + j) + value * at(x, start + j);
  }
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}
