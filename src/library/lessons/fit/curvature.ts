import { factorRow, solveLower, solveUpper } from "./cholesky.ts";
import { BIAS_PENALTY, SCALE_PENALTY } from "./head-problem.ts";
import type { Problem } from "./minimise.ts";
import type { Pauses } from "./pauses.ts";
import { predictRow } from "./predict.ts";
import type { Table } from "./table.ts";

/** With fewer rows for each weight of an option, steps that know the curvature of single weights alone are more, but take less time in all. */
const ROWS_PER_WEIGHT = 4;

/**
 * Roughly the curvature of a `HeadProblem` over all rows of a table: that of each parameter by itself. Where there are many rows, the weights have one matrix
 * for every option instead, with each row as uncertain as its options are on average.
 */
export class Curvature {
  /** Square roots of the curvature of single parameters, the first ones. */
  readonly #single: Float64Array;
  readonly #width: number;
  /** The Cholesky factor of the curvature of all other parameters. */
  readonly #factor: Float64Array | undefined;

  private constructor(single: Float64Array, width: number, factor: Float64Array | undefined) {
    this.#single = single;
    this.#width = width;
    this.#factor = factor;
  }

  /** @param weightPenalty undefined: the head has no weights. */
  static async near(table: Table, head: Float64Array, weightPenalty: number | undefined, pauses: Pauses): Promise<Curvature> {
    const { rows, options, base, features } = table;
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
      predictRow(table, row, head, p, 0);
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
      if (pauses.isDue) await pauses.take();
    }
    for (let row = 0; matrix && row < width; row++) {
      factorRow(matrix, width, row);
      if (pauses.isDue) await pauses.take();
    }
    return new Curvature(single.map(Math.sqrt), width, matrix);
  }

  /** A step where the curvature is 1 in all directions, as a step of parameters; in place. */
  toStep(step: Float64Array): void {
    divide(step, this.#single);
    if (this.#factor) solveUpper(this.#factor, this.#width, step, this.#single.length);
  }

  /** A gradient by parameters, as one where the curvature is 1; in place. */
  toGradient(gradient: Float64Array): void {
    divide(gradient, this.#single);
    if (this.#factor) solveLower(this.#factor, this.#width, gradient, this.#single.length);
  }
}

/** A problem in steps from a point, where its curvature is about 1 in all directions: minima of such problems are found in few steps. */
export class Conditioned implements Problem {
  readonly size: number;
  readonly #problem: Problem;
  readonly #start: Float64Array;
  readonly #curvature: Curvature;
  readonly #point: Float64Array;

  constructor(problem: Problem, start: Float64Array, curvature: Curvature) {
    this.size = problem.size;
    this.#problem = problem;
    this.#start = start;
    this.#curvature = curvature;
    this.#point = new Float64Array(problem.size);
  }

  async evaluate(step: Float64Array, gradient: Float64Array): Promise<number> {
    this.#setPoint(step);
    const value = await this.#problem.evaluate(this.#point, gradient);
    this.#curvature.toGradient(gradient);
    return value;
  }

  pointOf(step: Float64Array): Float64Array {
    this.#setPoint(step);
    return this.#point.slice();
  }

  #setPoint(step: Float64Array): void {
    const point = this.#point;
    point.set(step);
    this.#curvature.toStep(point);
    for (let i = 0; i < point.length; i++) point[i] = (point[i] ?? 0) + (this.#start[i] ?? 0);
  }
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
