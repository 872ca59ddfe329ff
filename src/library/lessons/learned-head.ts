import type { Criterion } from "../decide/request.ts";
import type { AppliedLesson } from "../decide/decide.ts";
import { counted, elementAt, present } from "../validation/expect.ts";
import { logOf, softmax } from "../statistics/softmax.ts";

/** A head in numbers. */
export interface Head {
  readonly scale: number;
  /** [criteria] */
  readonly biases: ArrayLike<number>;
  /** float32 [features] and [criteria, features]; undefined: features do not count. */
  readonly features?: { readonly mean: Float32Array; readonly weights: Float32Array } | undefined;
}

/** Answers a question by a head: `AppliedLesson.toProbabilities`. */
export function answerBy({ scale, biases, features }: Head, criteria: readonly Criterion[]): AppliedLesson["toProbabilities"] {
  // Nothing was learned: answers stay as they are, bit for bit.
  if (scale === 1 && features === undefined && criteria.every((_, k) => biases[k] === 0)) return (_, untaught) => untaught;
  const size = features?.mean.length ?? 0;
  /** By key: where a criterion's weights begin, and its bias, less what its weights make of the mean. */
  const byKey = new Map(
    criteria.map(({ key }, k) => {
      const ofMean = features ? product(features.weights, k * size, features.mean) : 0;
      return [key, { weightsAt: k * size, bias: elementAt(biases, k, "bias") - ofMean }];
    }),
  );
  return (question, untaught, given) => {
    const x = features && counted(present(given, "list of features"), size, "features");
    const logits = question.criteria.map(({ key }, i) => {
      const { weightsAt, bias } = present(byKey.get(key), "criterion of that key in the lesson");
      const ofFeatures = features && x ? product(features.weights, weightsAt, x) : 0;
      return scale * logOf(elementAt(untaught, i, "probability")) + bias + ofFeatures;
    });
    return softmax(logits);
  };
}

function product(weights: Float32Array, start: number, x: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < x.length; d++) sum += (weights[start + d] ?? 0) * (x[d] ?? 0);
  return sum;
}
