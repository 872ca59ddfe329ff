/** An answer, with the probability that it states of itself, 0 to 1. */
export interface Answered {
  readonly probability: number;
  readonly isRight: boolean;
}

/** The bins of calibration errors and reliability curves. */
export const BINS = 15;

/** The answers of one bin, which state more than `from` and at most `to`. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** The mean of what they state. */
  readonly probability: number;
  readonly accuracy: number;
}

/** Bins of equal width, in ascending order. Empty ones are left out. */
export function reliabilityBins(answers: readonly Answered[]): ReliabilityBin[] {
  const { counts, stated, right } = sumsOf(answers);
  return Array.from(counts, (n, bin) => ({
    from: bin / BINS,
    to: (bin + 1) / BINS,
    n,
    probability: (stated[bin] ?? 0) / n,
    accuracy: (right[bin] ?? 0) / n,
  })).filter(({ n }) => n > 0);
}

/**
 * Expected calibration error: the absolute difference between accuracy and the mean of what is stated, averaged over bins weighted by their share of the answers
 * (Guo et al. 2017, "On Calibration of Modern Neural Networks", eq. 3).
 */
export function calibrationError(answers: readonly Answered[]): number {
  const { stated, right } = sumsOf(answers);
  return stated.reduce((sum, value, bin) => sum + Math.abs(value - (right[bin] ?? 0)), 0) / answers.length;
}

function sumsOf(answers: readonly Answered[]): { counts: Float64Array; stated: Float64Array; right: Float64Array } {
  const [counts, stated, right] = [new Float64Array(BINS), new Float64Array(BINS), new Float64Array(BINS)];
  for (const { probability, isRight } of answers) {
    const bin = binOf(probability);
    counts[bin] = (counts[bin] ?? 0) + 1;
    stated[bin] = (stated[bin] ?? 0) + probability;
    right[bin] = (right[bin] ?? 0) + Number(isRight);
  }
  return { counts, stated, right };
}

/**
 * A bin leaves its lower end out and includes its upper one: ((m - 1) / 15, m / 15], as Guo et al. define it (section 2) and their code counts. So what is stated
 * as 1 needs no rule of its own; only 0 does, which the first bin takes. Everything of ours that bins probabilities goes by this rule.
 */
function binOf(probability: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.ceil(probability * BINS) - 1));
}
