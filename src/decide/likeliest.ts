/** Index of the largest probability, the first of them on a tie. */
export function likeliest(probabilities: Float64Array): number {
  return probabilities.reduce((best, p, i) => (p > (probabilities[best] ?? 0) ? i : best), 0);
}
