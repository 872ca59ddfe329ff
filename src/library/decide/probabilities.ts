/** Index of the largest probability, the first one on a tie. */
export function argmax(probabilities: Float64Array): number {
  return probabilities.indexOf(Math.max(...probabilities));
}

/** Softmax of the scores over a temperature (Guo et al. 2017, "On Calibration of Modern Neural Networks"). */
export function softmax(scores: Float32Array, temperature: number): Float64Array {
  const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = Float64Array.from(scores, (score) => Math.exp((score - largest) / temperature));
  // Summed in ascending order, so that the order of the options cannot change a bit of the sum.
  const sum = weights.toSorted().reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/** The entry for a number of options: the first one that reaches so far, or else the last. Entries ascend by `maxOptions`; there is none only in an empty list. */
export function bucketFor<B extends { readonly maxOptions: number }>(buckets: readonly B[], options: number): B | undefined {
  return buckets.find(({ maxOptions }) => options <= maxOptions) ?? buckets.at(-1);
}
