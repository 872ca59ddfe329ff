import type { Pauses } from "./pauses.ts";
import type { Table } from "./table.ts";
import type { Problem } from "./minimise.ts";

/** Penalties of the head: of (scale - 1)², and of the sum of squared biases. */
export const SCALE_PENALTY = 0.5;
export const BIAS_PENALTY = 1;

/** So many rows are multiplied together, so that each weight is read once for all of them. The code below is written for four. */
const BLOCK = 4;

/**
 * What a head should be for some rows of a table: the sum of their cross-entropies and the penalties. Multinomial logistic regression with the untaught
 * log-probabilities as an input of its own.
 *
 * Parameters: [0] the scale, then a bias for each option, then the weights, [options, width].
 */
export class HeadProblem implements Problem {
  readonly size: number;
  readonly #table: Table;
  readonly #rows: Uint32Array;
  readonly #width: number;
  readonly #weightPenalty: number;
  readonly #pauses: Pauses;
  /** Logits of a block of rows, and then what is left of them. */
  readonly #block: Float64Array;

  /** @param weightPenalty of the sum of squared weights; undefined: the scale and the biases alone */
  constructor(table: Table, rows: Uint32Array, weightPenalty: number | undefined, pauses: Pauses) {
    this.#table = table;
    this.#rows = rows;
    this.#width = weightPenalty === undefined ? 0 : (table.features?.width ?? 0);
    this.#weightPenalty = weightPenalty ?? 0;
    this.#pauses = pauses;
    this.#block = new Float64Array(BLOCK * table.options);
    this.size = 1 + table.options + table.options * this.#width;
  }

  async evaluate(point: Float64Array, gradient: Float64Array): Promise<number> {
    let loss = this.#penalise(point, gradient);
    for (let start = 0; start < this.#rows.length; start += BLOCK) {
      loss += this.#addBlock(start, point, gradient);
      if (this.#pauses.isDue) await this.#pauses.take();
    }
    return loss;
  }

  /** Sets the gradient to that of the penalties, and returns them. */
  #penalise(point: Float64Array, gradient: Float64Array): number {
    const weightsAt = 1 + this.#table.options;
    const distance = at(point, 0) - 1;
    let loss = SCALE_PENALTY * distance * distance;
    gradient[0] = 2 * SCALE_PENALTY * distance;
    for (let i = 1; i < point.length; i++) {
      const penalty = i < weightsAt ? BIAS_PENALTY : this.#weightPenalty;
      const value = at(point, i);
      loss += penalty * value * value;
      gradient[i] = 2 * penalty * value;
    }
    return loss;
  }

  #addBlock(start: number, point: Float64Array, gradient: Float64Array): number {
    const { rows, options, base, answers, features } = this.#table;
    const width = this.#width;
    const block = this.#block;
    const given = Math.min(BLOCK, this.#rows.length - start);
    // Rows that a last block lacks are the row of zeros, and leave nothing.
    const r0 = at(this.#rows, start);
    const r1 = given > 1 ? at(this.#rows, start + 1) : rows;
    const r2 = given > 2 ? at(this.#rows, start + 2) : rows;
    const r3 = given > 3 ? at(this.#rows, start + 3) : rows;
    const length = features === undefined || width === 0 ? 0 : at(features.lengths, at(this.#rows, start + given - 1));
    const x = features === undefined ? block : features.values;
    const [x0, x1, x2, x3] = [r0 * width, r1 * width, r2 * width, r3 * width];
    for (let k = 0; k < options; k++) {
      let [s0, s1, s2, s3] = [0, 0, 0, 0];
      const weights = 1 + options + k * width;
      for (let d = 0; d < length; d++) {
        const w = point[weights + d] ?? 0;
        s0 += w * (x[x0 + d] ?? 0);
        s1 += w * (x[x1 + d] ?? 0);
        s2 += w * (x[x2 + d] ?? 0);
        s3 += w * (x[x3 + d] ?? 0);
      }
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
      const row = at(this.#rows, start + i);
      loss += this.#toResiduals(i * options, row * options, at(answers, row), base, point, gradient);
    }
    for (let k = 0; k < options && length > 0; k++) {
      const g0 = block[k] ?? 0;
      const g1 = block[options + k] ?? 0;
      const g2 = block[2 * options + k] ?? 0;
      const g3 = block[3 * options + k] ?? 0;
      const weights = 1 + options + k * width;
      for (let d = 0; d < length; d++) {
        gradient[weights + d] =
          (gradient[weights + d] ?? 0) + g0 * (x[x0 + d] ?? 0) + g1 * (x[x1 + d] ?? 0) + g2 * (x[x2 + d] ?? 0) + g3 * (x[x3 + d] ?? 0);
      }
    }
    return loss;
  }

  /** The products of a row become its residuals, probabilities less the right answer; they are added to the gradients of scale and biases. */
  #toResiduals(at0: number, base0: number, answer: number, base: Float64Array, point: Float64Array, gradient: Float64Array): number {
    const { options } = this.#table;
    const block = this.#block;
    const scale = at(point, 0);
    let largest = -Infinity;
    for (let k = 0; k < options; k++) {
      const logit = at(block, at0 + k) + scale * at(base, base0 + k) + at(point, 1 + k);
      block[at0 + k] = logit;
      if (logit > largest) largest = logit;
    }
    const right = at(block, at0 + answer);
    let sum = 0;
    for (let k = 0; k < options; k++) {
      const weight = Math.exp(at(block, at0 + k) - largest);
      block[at0 + k] = weight;
      sum += weight;
    }
    let scaleGradient = 0;
    for (let k = 0; k < options; k++) {
      const residual = at(block, at0 + k) / sum - (k === answer ? 1 : 0);
      block[at0 + k] = residual;
      scaleGradient += residual * at(base, base0 + k);
      gradient[1 + k] = at(gradient, 1 + k) + residual;
    }
    gradient[0] = at(gradient, 0) + scaleGradient;
    return largest + Math.log(sum) - right;
  }
}

function at(values: Float64Array | Uint32Array, index: number): number {
  return values[index] ?? 0;
}
