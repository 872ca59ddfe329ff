/** One score of an option by its scores in the windows of the state: what any part of the state entails, the state does. */
export function joinWindows(scores: readonly number[]): number {
  return scores.reduce((best, score) => Math.max(best, score));
}
