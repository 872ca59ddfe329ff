import type { Answered } from "./metrics.ts";
import { logisticRegression, type LogisticRow } from "./logistic-regression.ts";
import { sigmoid } from "./softmax.ts";

/** The surest first; ties keep their order. */
export function surestFirst<T extends { readonly probability: number }>(answers: readonly T[]): T[] {
  return answers.toSorted((a, b) => b.probability - a.probability);
}

/** How many of `n` answers a coverage of 0 to 1 takes in; at least one. */
export function countAtCoverage(n: number, coverage: number): number {
  // Rounding may leave the product just below a whole number.
  return Math.max(1, Math.floor(coverage * n + 1e-9));
}

/** Answers of this probability or a higher one, and how many of them were wrong. */
export interface RiskPoint {
  readonly probability: number;
  readonly answers: number;
  readonly errors: number;
}

/**
 * Answers and errors, counted from the surest answer on. Equally sure ones count together, and the last point counts all.
 *
 * Answers with weights were not chosen with equal probability. They count as many as would tell as much, were they: n = (sum of weights)² / sum of weights²
 * (Kish 1965, "Survey Sampling"), and of these the weighted share is wrong, rounded against the answers; a binomial test of these counts is that of Korn and
 * Graubard 1998, "Confidence intervals for proportions with small expected number of positive counts estimated from survey data".
 * @param answers a weight is 1 by default
 * @param nextCount how many answers the point after one of `count` should count; it counts all that are as sure as these
 */
export function riskPoints(answers: readonly (Answered & Weighted)[], nextCount: (count: number) => number): RiskPoint[] {
  const surest = surestFirst(answers);
  const points: RiskPoint[] = [];
  let next = nextCount(0);
  let [sum, squares, wrong] = [0, 0, 0];
  for (const [i, { probability, isRight, weight = 1 }] of surest.entries()) {
    sum += weight;
    squares += weight * weight;
    if (!isRight) wrong += weight;
    const count = i + 1;
    if (count < Math.min(next, surest.length) || surest[count]?.probability === probability) continue;
    next = nextCount(count);
    const [last, effective] = [points.at(-1), (sum * sum) / squares];
    const counted = Math.floor(effective + ROUNDING);
    if (counted <= (last?.answers ?? 0)) continue;
    const errors = Math.min(counted, Math.ceil((effective * wrong) / sum - ROUNDING));
    points.push({ probability, answers: counted, errors: Math.max(last?.errors ?? 0, errors) });
  }
  return points;
}

/** How many others an answer stands for. */
export interface Weighted {
  readonly weight?: number | undefined;
}

/** Sums of fractions may be just beside a whole number. */
const ROUNDING = 1e-9;

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
export function binomialCdf(k: number, n: number, rate: number): number {
  const odds = Math.log(rate / (1 - rate));
  let logTerm = n * Math.log1p(-rate);
  let sum = Math.exp(logTerm);
  for (let i = 1; i <= k; i++) {
    logTerm += Math.log((n - i + 1) / i) + odds;
    sum += Math.exp(logTerm);
  }
  return sum;
}

/** sigmoid(slope ln(p / (1 - p)) + bias): how often answers with probability p are right. */
export interface AccuracyLine {
  readonly slope: number;
  readonly bias: number;
}

/** Beyond it, answers are too few to tell how often they are right. */
const MAX_PROBABILITY = 0.99;
const MIN_PROBABILITY = 1e-3;

/** The log-odds of a probability, as accuracy lines take it. */
export function logOdds(probability: number): number {
  const p = Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, probability));
  return Math.log(p / (1 - p));
}

export function accuracyAt({ slope, bias }: AccuracyLine, probability: number): number {
  return sigmoid(slope * logOdds(probability) + bias);
}

/** Before any answer is seen, a line is where it is expected, give or take this (a standard deviation of slope and bias). */
const DEVIATION = 0.5;
const PRECISION = 1 / DEVIATION ** 2;
/** More probable answers are never taken to be less often right. */
const LEAST_SLOPE = 0.05;
/** A penalty that leaves a slope where it is. */
const FIXED = 1e12;

/** The line of some answers. @param expected before any is seen. Default: probabilities are taken at their word. */
export function accuracyLine(answers: readonly Answered[], expected: AccuracyLine = { slope: 1, bias: 0 }): AccuracyLine {
  const rows = answers.map(({ probability, isRight }) => ({ columns: Float64Array.of(logOdds(probability), 1), isTrue: isRight }));
  return logisticLine(rows, expected, PRECISION);
}

/**
 * The most probable line through rows of (x, 1), under a normal prior. It ascends.
 * @param penalty the inverse of the prior's variance
 */
export function logisticLine(rows: readonly LogisticRow[], expected: AccuracyLine, penalty: number): AccuracyLine {
  const fit = (slopePenalty: number, at: number): AccuracyLine => {
    const [slope = at, bias = 0] = logisticRegression(rows, Float64Array.of(slopePenalty, penalty), Float64Array.of(at, expected.bias));
    return { slope, bias };
  };
  const line = fit(penalty, expected.slope);
  return line.slope >= LEAST_SLOPE ? line : { slope: LEAST_SLOPE, bias: fit(FIXED, LEAST_SLOPE).bias };
}
