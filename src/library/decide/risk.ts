import type { RiskPoint } from "../engine/engine.ts";

/** How often a promise may be broken, by chance in the held-out answers: 1 - the confidence. */
const BROKEN = 0.1;

/**
 * The lowest probability from which answers can be acted on: of those with this probability or more, at most `maxErrorRate` are wrong, at 90% confidence.
 * Tested with the exact binomial test (the upper bound of Clopper and Pearson 1934), from the surest answers on until the first test fails: in a fixed
 * sequence, many thresholds cost no confidence (Angelopoulos et al. 2021, "Learn then test"). The sequence starts where an error or two do not end it.
 * @param points held-out answers, counted from the surest on
 * @param maxErrorRate above 0, below 1
 * @returns undefined if no threshold can promise that rate.
 */
export function thresholdFor(points: readonly RiskPoint[], maxErrorRate: number): number | undefined {
  const needed = answersNeeded(maxErrorRate);
  const all = points.at(-1)?.answers ?? 0;
  const start = Math.max(needed, Math.min(2 * needed, all / 4));
  let threshold: number | undefined;
  for (const { probability, answers, errors } of points) {
    if (answers < start) continue;
    if (binomialCdf(errors, answers, maxErrorRate) > BROKEN) break;
    threshold = probability;
  }
  return threshold;
}

/** How many held-out answers, all of them right, it takes to promise an error rate. */
export function answersNeeded(maxErrorRate: number): number {
  return Math.ceil(Math.log(BROKEN) / Math.log1p(-maxErrorRate));
}

/** Probability of at most `k` errors in `n` answers, each wrong with probability `rate`. */
function binomialCdf(k: number, n: number, rate: number): number {
  const odds = Math.log(rate / (1 - rate));
  let logTerm = n * Math.log1p(-rate);
  let sum = Math.exp(logTerm);
  for (let i = 1; i <= k; i++) {
    logTerm += Math.log((n - i + 1) / i) + odds;
    sum += Math.exp(logTerm);
  }
  return sum;
}
