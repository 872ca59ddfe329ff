import type { Yielder } from "../../async/signals.ts";
import { factorRow, solveLower, solveUpper } from "../../statistics/logistic-regression.ts";
import { logSoftmaxInPlace } from "../../statistics/softmax.ts";
import type { DesignMatrix } from "./design-matrix.ts";
import type { Problem } from "./minimise.ts";

/** Penalties of the head: of (scale - 1)², and of the sum of squared biases. */
const SCALE_PENALTY = 0.5;
const BIAS_PENALTY = 0.3;

/** So many rows are multiplied together, by two options at a time, so that what is read serves several products. The code below is written for four. */
const BLOCK = 4;

/**
 * The loss of a head on some rows of a design matrix: the sum of their cross-entropies and the penalties. Multinomial logistic regression with the untaught
 * log-probabilities as an input of its own.
 *
 * Parameters: [0] the scale, then a bias for each option, then the weights, [options, width].
 */
export class HeadProblem implements Problem {
  readonly size: number;
  readonly #design: DesignMatrix;
  readonly #rows: Uint32Array;
  readonly #width: number;
  readonly #weightPenalty: number;
  readonly #yielder: Yielder;
  /** Logits of a block of rows, and then what is left of them. */
  readonly #block: Float64Array;

  /** @param weightPenalty of the sum of squared weights; undefined: the scale and the biases alone */
  constructor(design: DesignMatrix, rows: Uint32Array, weightPenalty: number | undefined, yielder: Yielder) {
    this.#design = design;
    this.#rows = rows;
    this.#width = weightPenalty === undefined ? 0 : (design.features?.width ?? 0);
    this.#weightPenalty = weightPenalty ?? 0;
    this.#yielder = yielder;
    this.#block = new Float64Array(BLOCK * design.options);
    this.size = 1 + design.options + design.options * this.#width;
  }

  async evaluate(point: Float64Array, gradient: Float64Array): Promise<number> {
    let loss = this.#penalise(point, gradient);
    for (let start = 0; start < this.#rows.length; start += BLOCK) {
      loss += this.#addBlock(start, point, gradient);
      if (this.#yielder.isDue) await this.#yielder.toEventLoop();
    }
    return loss;
  }

  /** Sets the gradient to that of the penalties, and returns them. */
  #penalise(point: Float64Array, gradient: Float64Array): number {
    const weightsAt = 1 + this.#design.options;
    const distance = (point[0] ?? 0) - 1;
    let loss = SCALE_PENALTY * distance * distance;
    gradient[0] = 2 * SCALE_PENALTY * distance;
    for (let i = 1; i < point.length; i++) {
      const penalty = i < weightsAt ? BIAS_PENALTY : this.#weightPenalty;
      const value = point[i] ?? 0;
      loss += penalty * value * value;
      gradient[i] = 2 * penalty * value;
    }
    return loss;
  }

  #addBlock(start: number, point: Float64Array, gradient: Float64Array): number {
    const { rows, options, base, answers, features } = this.#design;
    const width = this.#width;
    const block = this.#block;
    const given = Math.min(BLOCK, this.#rows.length - start);
    // Rows that a last block lacks are the row of zeros, and leave nothing. A last option is paired with itself.
    const r0 = this.#rows[start] ?? 0;
    const r1 = given > 1 ? (this.#rows[start + 1] ?? 0) : rows;
    const r2 = given > 2 ? (this.#rows[start + 2] ?? 0) : rows;
    const r3 = given > 3 ? (this.#rows[start + 3] ?? 0) : rows;
    const length = features === undefined || width === 0 ? 0 : (features.lengths[this.#rows[start + given - 1] ?? 0] ?? 0);
    const x = features === undefined ? block : features.values;
    const x0 = r0 * width;
    const x1 = r1 * width;
    const x2 = r2 * width;
    const x3 = r3 * width;
    for (let k = 0; k < options; k += 2) {
      const other = Math.min(k + 1, options - 1);
      const weights = 1 + options + k * width;
      const others = 1 + options + other * width;
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let t0 = 0;
      let t1 = 0;
      let t2 = 0;
      let t3 = 0;
      for (let d = 0; d < length; d++) {
        const w = point[weights + d] ?? 0;
        const v = point[others + d] ?? 0;
        const a0 = x[x0 + d] ?? 0;
        const a1 = x[x1 + d] ?? 0;
        const a2 = x[x2 + d] ?? 0;
        const a3 = x[x3 + d] ?? 0;
        s0 += w * a0;
        t0 += v * a0;
        s1 += w * a1;
        t1 += v * a1;
        s2 += w * a2;
        t2 += v * a2;
        s3 += w * a3;
        t3 += v * a3;
      }
      block[other] = t0;
      block[options + other] = t1;
      block[2 * options + other] = t2;
      block[3 * options + other] = t3;
      block[k] = s0;
      block[options + k] = s1;
      block[2 * options + k] = s2;
      block[3 * options + k] = s3;
    }
    let loss = 0;
    for (let i = 0; i < BLOCK; i++) {
      if (i >= given) {
        block.fill(0, i * options, (i + 1) * options);
        continue;
      }
      const row = this.#rows[start + i] ?? 0;
      loss += this.#toResiduals(i * options, row * options, answers[row] ?? 0, base, point, gradient);
    }
    for (let k = 0; k < options && length > 0; k += 2) {
      const other = Math.min(k + 1, options - 1);
      const isTwo = other > k ? 1 : 0;
      const weights = 1 + options + k * width;
      const others = 1 + options + other * width;
      const g0 = block[k] ?? 0;
      const g1 = block[options + k] ?? 0;
      const g2 = block[2 * options + k] ?? 0;
      const g3 = block[3 * options + k] ?? 0;
      const h0 = isTwo * (block[other] ?? 0);
      const h1 = isTwo * (block[options + other] ?? 0);
      const h2 = isTwo * (block[2 * options + other] ?? 0);
      const h3 = isTwo * (block[3 * options + other] ?? 0);
      for (let d = 0; d < length; d++) {
        const a0 = x[x0 + d] ?? 0;
        const a1 = x[x1 + d] ?? 0;
        const a2 = x[x2 + d] ?? 0;
        const a3 = x[x3 + d] ?? 0;
        gradient[weights + d] = (gradient[weights + d] ?? 0) + g0 * a0 + g1 * a1 + g2 * a2 + g3 * a3;
        gradient[others + d] = (gradient[others + d] ?? 0) + h0 * a0 + h1 * a1 + h2 * a2 + h3 * a3;
      }
    }
    return loss;
  }

  /** The products of a row become its residuals, probabilities less the right answer; they are added to the gradients of scale and biases. */
  #toResiduals(at0: number, base0: number, answer: number, base: Float64Array, point: Float64Array, gradient: Float64Array): number {
    const { options } = this.#design;
    const block = this.#block;
    const scale = point[0] ?? 0;
    let largest = -Infinity;
    for (let k = 0; k < options; k++) {
      const logit = (block[at0 + k] ?? 0) + scale * (base[base0 + k] ?? 0) + (point[1 + k] ?? 0);
      block[at0 + k] = logit;
      if (logit > largest) largest = logit;
    }
    const right = block[at0 + answer] ?? 0;
    let sum = 0;
    for (let k = 0; k < options; k++) {
      const weight = Math.exp((block[at0 + k] ?? 0) - largest);
      block[at0 + k] = weight;
      sum += weight;
    }
    let scaleGradient = 0;
    for (let k = 0; k < options; k++) {
      const residual = (block[at0 + k] ?? 0) / sum - (k === answer ? 1 : 0);
      block[at0 + k] = residual;
      scaleGradient += residual * (base[base0 + k] ?? 0);
      gradient[1 + k] = (gradient[1 + k] ?? 0) + residual;
    }
    gradient[0] = (gradient[0] ?? 0) + scaleGradient;
    return largest + Math.log(sum) - right;
  }
}

/**
 * Writes the log-probabilities of a row by a head.
 * @param head as the parameters of a `HeadProblem`, with or without weights
 * @param into [options] of it, from `start` on
 */
export function predictRow(
  { options, base, features }: DesignMatrix,
  row: number,
  head: Float64Array,
  into: Float64Array,
  start: number,
): void {
  const width = features !== undefined && head.length > 1 + options ? features.width : 0;
  const x = features?.values ?? base;
  const length = width === 0 ? 0 : (features?.lengths[row] ?? 0);
  const scale = head[0] ?? 0;
  for (let k = 0; k < options; k++) {
    let logit = scale * (base[row * options + k] ?? 0) + (head[1 + k] ?? 0);
    const weights = 1 + options + k * width;
    for (let d = 0; d < length; d++) logit += (head[weights + d] ?? 0) * (x[row * width + d] ?? 0);
    into[start + k] = logit;
  }
  logSoftmaxInPlace(into, start, options);
}

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
