/** What a lesson may be: nothing learned, biases alone, or biases and features with a penalty on the sum of their squared weights. */
export interface Candidate {
  readonly kind: "nothing" | "biases" | "features";
  readonly weightPenalty?: number;
  /** What it counts before any example is seen: it takes some to show that the model alone is worse. */
  readonly prior: number;
}

export const NOTHING: Candidate = { kind: "nothing", prior: 50 };
export const BIASES: Candidate = { kind: "biases", prior: 1 };
/** From the strongest penalty on, so that each search begins near its end. */
export const FEATURES: readonly Candidate[] = [0.2, 0.05].map((weightPenalty) => ({ kind: "features", weightPenalty, prior: 1 }));

/** What came of a candidate. */
export interface Fitted {
  readonly candidate: Candidate;
  /** Roughly its best head, as the parameters of a `HeadProblem`. */
  readonly parameters: Float64Array;
  /** float64 [rows, options]: log-probabilities of each row, by what was learned of the other folds. */
  readonly heldOut: Float64Array;
  /** The sum of the right answers' log-probabilities. */
  readonly logLikelihood: number;
}

/** A candidate that counts. */
export interface Kept extends Fitted {
  /** Weights sum to 1. */
  readonly weight: number;
}

/** Candidates of less weight than this are left out. */
const LEAST_WEIGHT = 1e-3;

/**
 * Whether a stronger penalty's heads, the last ones, leave hope for a weaker one's. Likelihood bends down over the logarithm of the penalty: if the last
 * penalty lost something, the next one will lose as much again, and count for nothing if that is too much.
 */
export function leaveHope(fitted: readonly Fitted[]): boolean {
  const [before, last] = fitted.slice(-2);
  if (before === undefined || last === undefined || before.candidate === NOTHING) return true;
  const best = Math.max(...fitted.map(({ candidate, logLikelihood }) => Math.log(candidate.prior) + logLikelihood));
  return 2 * last.logLikelihood - before.logLikelihood > best + Math.log(LEAST_WEIGHT);
}

/** Bayesian model averaging (Hoeting et al. 1999), by the likelihood of held-out answers. */
export function weighed(fitted: readonly Fitted[]): Kept[] {
  const best = Math.max(...fitted.map(({ logLikelihood }) => logLikelihood));
  const raw = fitted.map((one) => ({ ...one, weight: one.candidate.prior * Math.exp(one.logLikelihood - best) }));
  const kept = normalised(raw).filter(({ weight }) => weight > LEAST_WEIGHT);
  return normalised(kept);
}

function normalised(all: readonly Kept[]): Kept[] {
  const sum = all.reduce((total, { weight }) => total + weight, 0);
  return all.map((one) => ({ ...one, weight: one.weight / sum }));
}
