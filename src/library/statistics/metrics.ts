export function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** The share of right answers. */
export function accuracy(answers: readonly { readonly isRight: boolean }[]): number {
  return answers.reduce((right, { isRight }) => right + Number(isRight), 0) / answers.length;
}

/**
 * The unweighted mean of the labels' F1 (the "averaged F1" of Opitz and Burst 2019, "Macro F1 and Macro F1"), over the labels that are right at least once.
 * F1 = 2 true positives / (times right + times given).
 * @param answers labels by their index
 * @param labels how many there are
 */
export function macroF1(answers: readonly { readonly right: number; readonly given: number }[], labels: number): number {
  const [hits, rights, uses] = [new Float64Array(labels), new Float64Array(labels), new Float64Array(labels)];
  for (const { right, given } of answers) {
    if (right === given) hits[right] = (hits[right] ?? 0) + 1;
    rights[right] = (rights[right] ?? 0) + 1;
    uses[right] = (uses[right] ?? 0) + 1;
    uses[given] = (uses[given] ?? 0) + 1;
  }
  return mean([...hits.keys()].filter((k) => (rights[k] ?? 0) > 0).map((k) => (2 * (hits[k] ?? 0)) / (uses[k] ?? 0)));
}

/** A value with its interval of 90%. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The normal distribution's quantile for intervals of 90%. */
export const Z_OF_90_PERCENT = 1.6448536269514722;
const Z = Z_OF_90_PERCENT;

/** A share, with Wilson's interval. */
export function shareWithInterval(count: number, n: number): Estimate {
  const share = count / n;
  const middle = (share + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z / (1 + (Z * Z) / n)) * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  return { value: share, low: Math.max(0, Math.min(share, middle - half)), high: Math.min(1, Math.max(share, middle + half)) };
}

/**
 * A value from 0 to `max`, with the basic bootstrap's interval (Davison and Hinkley 1997): reflected at the value, so that a measure that resampling makes
 * larger, as calibration error, is not taken to be larger.
 */
export function bootstrapped(value: number, resampled: readonly number[], max: number): Estimate {
  const sorted = resampled.toSorted((a, b) => a - b);
  const quantile = (q: number): number => sorted[Math.round(q * (sorted.length - 1))] ?? value;
  return {
    value,
    low: Math.max(0, Math.min(value, 2 * value - quantile(0.95))),
    high: Math.min(max, Math.max(value, 2 * value - quantile(0.05))),
  };
}

/** An answer, with the probability that it states of itself, 0 to 1. */
export interface Answered {
  readonly probability: number;
  readonly isRight: boolean;
}

/** The bins of calibration errors and reliability curves. */
export const BINS = 15;

/**
 * Expected calibration error: the absolute difference between accuracy and the mean of what is stated, averaged over bins weighted by their share of the answers
 * (Guo et al. 2017, "On Calibration of Modern Neural Networks", eq. 3).
 */
export function calibrationError(answers: readonly Answered[]): number {
  const [stated, right] = [new Float64Array(BINS), new Float64Array(BINS)];
  for (const { probability, isRight } of answers) {
    const bin = binOf(probability);
    stated[bin] = (stated[bin] ?? 0) + probability;
    right[bin] = (right[bin] ?? 0) + Number(isRight);
  }
  return stated.reduce((sum, value, bin) => sum + Math.abs(value - (right[bin] ?? 0)), 0) / answers.length;
}

/**
 * A bin leaves its lower end out and includes its upper one: ((m - 1) / 15, m / 15], as Guo et al. define it (section 2) and their code counts. So what is stated
 * as 1 needs no rule of its own; only 0 does, which the first bin takes. Everything of ours that bins probabilities goes by this rule.
 */
export function binOf(probability: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.ceil(probability * BINS) - 1));
}
