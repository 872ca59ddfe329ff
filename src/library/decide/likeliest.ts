/** Index of the largest probability, the first one on a tie. */
export function likeliest(probabilities: Float64Array): number {
  return probabilities.indexOf(Math.max(...probabilities));
}
