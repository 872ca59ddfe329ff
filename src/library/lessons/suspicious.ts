import type { HeldOut } from "./held-out.ts";

const MAX_SUSPICIOUS = 100;
/** A stated answer that is at least so probable is not suspicious. */
const UNLIKELY = 0.1;

/**
 * Examples whose stated answer looks wrong, most suspicious first (confident learning, Northcutt et al. 2021): the stated answer is improbable, and another
 * one is at least as probable as it is, on average, in examples that state it.
 */
export function suspiciousOf(answers: readonly HeldOut[], options: number): HeldOut[] {
  const sums = new Float64Array(options);
  const counts = new Float64Array(options);
  for (const { right, probabilities } of answers) {
    sums[right] = (sums[right] ?? 0) + (probabilities[right] ?? 0);
    counts[right] = (counts[right] ?? 0) + 1;
  }
  const isSuspicious = ({ right, given, probability, probabilities }: HeldOut): boolean =>
    given !== right &&
    (probabilities[right] ?? 0) < UNLIKELY &&
    probability * (counts[given] ?? 0) >= (sums[given] ?? 0) &&
    (counts[given] ?? 0) > 0;
  const margin = ({ right, probability, probabilities }: HeldOut): number => (probabilities[right] ?? 0) - probability;
  return answers
    .filter(isSuspicious)
    .toSorted((a, b) => margin(a) - margin(b))
    .slice(0, MAX_SUSPICIOUS);
}
