/** Probabilities are not taken to be smaller, so that a logarithm is never infinite. */
const LEAST_PROBABILITY = 1e-12;

/** The natural logarithm of a probability, finite. */
export function logOf(probability: number): number {
  return Math.log(Math.max(probability, LEAST_PROBABILITY));
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Softmax over a temperature (Guo et al. 2017, "On Calibration of Modern Neural Networks"). Default: 1. */
export function softmax(logits: readonly number[] | Float32Array, temperature = 1): Float64Array {
  const largest = Math.max(...logits);
  const weights = Float64Array.from(logits, (logit) => Math.exp((logit - largest) / temperature));
  // Summed in ascending order, so that the order of the logits cannot change a bit of the sum.
  const sum = weights.toSorted().reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * ln(softmax(logits * factor)) of one row, in place.
 * @param values row-major, `size` a row
 */
export function logSoftmaxInPlace(values: Float64Array, start: number, size: number, factor = 1): void {
  let largest = -Infinity;
  for (let k = start; k < start + size; k++) largest = Math.max(largest, (values[k] ?? 0) * factor);
  let sum = 0;
  for (let k = start; k < start + size; k++) sum += Math.exp((values[k] ?? 0) * factor - largest);
  const shift = largest + Math.log(sum);
  for (let k = start; k < start + size; k++) values[k] = (values[k] ?? 0) * factor - shift;
}
