import type { Criterion, ParsedQuestion } from "../decide/request.ts";
import { counted, elementAt, present } from "../validation/expect.ts";
import { logOf } from "./fit/softmax.ts";

/** A head in numbers. */
export interface Head {
  readonly scale: number;
  /** [criteria] */
  readonly biases: ArrayLike<number>;
  /** float32 [features] and [criteria, features]; undefined: features do not count. */
  readonly features?: { readonly mean: Float32Array; readonly weights: Float32Array } | undefined;
}

/** Answers a question by a head. */
export class LearnedHead {
  readonly #scale: number;
  readonly #features: Head["features"];
  /** Nothing was learned: answers stay as they are, bit for bit. */
  readonly #isNothing: boolean;
  /** By key: where a criterion's weights begin, and its bias, less what its weights make of the mean. */
  readonly #byKey: ReadonlyMap<string, { readonly weightsAt: number; readonly bias: number }>;

  constructor({ scale, biases, features }: Head, criteria: readonly Criterion[]) {
    const size = features?.mean.length ?? 0;
    this.#scale = scale;
    this.#features = features;
    this.#isNothing = scale === 1 && features === undefined && criteria.every((_, k) => biases[k] === 0);
    this.#byKey = new Map(
      criteria.map(({ key }, k) => {
        const ofMean = features ? product(features.weights, k * size, features.mean) : 0;
        return [key, { weightsAt: k * size, bias: elementAt(biases, k, "bias") - ofMean }];
      }),
    );
  }

  /** As `AppliedLesson.toProbabilities`. */
  toProbabilities({ criteria }: ParsedQuestion, untaught: Float64Array, features: Float32Array | undefined): Float64Array {
    if (this.#isNothing) return untaught;
    const head = this.#features;
    const x = head && counted(present(features, "list of features"), head.mean.length, "features");
    const logits = criteria.map(({ key }, i) => {
      const { weightsAt, bias } = present(this.#byKey.get(key), "criterion of that key in the lesson");
      return this.#scale * logOf(elementAt(untaught, i, "probability")) + bias + (head && x ? product(head.weights, weightsAt, x) : 0);
    });
    const largest = Math.max(...logits);
    const weights = Float64Array.from(logits, (logit) => Math.exp(logit - largest));
    // Summed in ascending order, so that the order of the options cannot change a bit of the sum.
    const sum = weights.toSorted().reduce((a, b) => a + b, 0);
    return weights.map((weight) => weight / sum);
  }
}

function product(weights: Float32Array, start: number, x: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < x.length; d++) sum += (weights[start + d] ?? 0) * (x[d] ?? 0);
  return sum;
}
