import { logSoftmaxInPlace } from "../../statistics/softmax.ts";
import { conditioned, curvatureNear, HeadProblem, predictRow, type Curvature } from "./head-problem.ts";
import { minimise } from "./minimise.ts";
import { logLikelihoodOf, type DesignMatrix } from "./design-matrix.ts";
import type { Yielder } from "../../async/signals.ts";

/** The gain that may be left, in units of the summed log-loss: by heads that answer out of fold, and by the head that those are searched from. */
const FOLD_TOLERANCE = 3e-3;
const START_TOLERANCE = 1e-2;

/**
 * The head for the rows of a design matrix.
 * @param onStep is told the share that is done
 * @param mayBeNothing false: something is learned, whether or not it pays
 */
export async function fitHead(design: DesignMatrix, yielder: Yielder, onStep: (done: number) => void, mayBeNothing = true): Promise<Pool> {
  const candidates = [NOTHING, BIASES, ...(design.features === undefined ? [] : FEATURES)];
  const fitted: Fitted[] = [];
  for (const candidate of candidates) {
    const last = fitted.at(-1);
    fitted.push(last === undefined ? untaught(design) : await fitCandidate(design, candidate, last, yielder));
    onStep(fitted.length / (candidates.length + 1));
    if (!leaveHope(fitted)) break;
  }
  const exact: Kept[] = [];
  for (const one of weighed(mayBeNothing ? fitted : fitted.slice(1))) {
    const { candidate, parameters } = one;
    exact.push(candidate === NOTHING ? one : { ...one, parameters: await exactHead(design, candidate.weightPenalty, parameters, yielder) });
  }
  onStep(1);
  return poolOf(design, exact, yielder);
}

function untaught(design: DesignMatrix): Fitted {
  const parameters = new Float64Array(1 + design.options);
  parameters[0] = 1;
  const outOfFold = design.base.slice();
  for (let row = 0; row < design.rows; row++) logSoftmaxInPlace(outOfFold, row * design.options, design.options);
  return { candidate: NOTHING, parameters, outOfFold, logLikelihood: logLikelihoodOf(design, outOfFold) };
}

async function fitCandidate(design: DesignMatrix, candidate: Candidate, last: Fitted, yielder: Yielder): Promise<Fitted> {
  const { weightPenalty } = candidate;
  const start = new Float64Array(1 + design.options + (weightPenalty === undefined ? 0 : design.options * (design.features?.width ?? 0)));
  start.set(last.parameters);
  const curvature = await curvatureNear(design, start, weightPenalty, yielder);
  const all = rowsWhere(design, () => true);
  const parameters = await searchHead(design, all, weightPenalty, { start, curvature, tolerance: START_TOLERANCE }, yielder);
  const outOfFold = new Float64Array(design.rows * design.options);
  for (let fold = 0; fold < design.foldCount; fold++) {
    const others = rowsWhere(design, (other) => other !== fold);
    const search = { start: parameters, curvature, tolerance: FOLD_TOLERANCE };
    const head = await searchHead(design, others, weightPenalty, search, yielder);
    for (const row of rowsWhere(design, (other) => other === fold)) {
      predictRow(design, row, head, outOfFold, row * design.options);
      if (yielder.isDue) await yielder.toEventLoop();
    }
  }
  return { candidate, parameters, outOfFold, logLikelihood: logLikelihoodOf(design, outOfFold) };
}

/** A lesson may be: nothing learned, biases alone, or biases and features with a penalty on the sum of their squared weights. */
export interface Candidate {
  readonly kind: "nothing" | "biases" | "features";
  readonly weightPenalty?: number;
  /** Its weight before any example is seen: it takes some to show that the model alone is worse. */
  readonly prior: number;
}

export const NOTHING: Candidate = { kind: "nothing", prior: 50 };
export const BIASES: Candidate = { kind: "biases", prior: 1 };
/** From the strongest penalty on, so that each search begins near its end. */
export const FEATURES: readonly Candidate[] = [0.2, 0.05].map((weightPenalty) => ({ kind: "features", weightPenalty, prior: 1 }));

/** A candidate with its head and answers. */
export interface Fitted {
  readonly candidate: Candidate;
  /** Roughly its best head, as the parameters of a `HeadProblem`. */
  readonly parameters: Float64Array;
  /** float64 [rows, options]: log-probabilities of each row, by what was learned of the other folds. */
  readonly outOfFold: Float64Array;
  /** The sum of the right answers' log-probabilities. */
  readonly logLikelihood: number;
}

/** A candidate that counts. Weights sum to 1. */
export type Kept = Fitted & { readonly weight: number };

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

/** Bayesian model averaging (Hoeting et al. 1999), by the likelihood of answers out of fold. */
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

/** The gain that may be left by a lesson's head, in units of the summed log-loss. */
const TOLERANCE = 1e-12;

/**
 * The best head for some rows of a design matrix.
 * @param weightPenalty of the sum of squared weights; undefined: no weights
 * @param tolerance the gain that may be left, in units of the summed log-loss
 */
async function searchHead(
  design: DesignMatrix,
  rows: Uint32Array,
  weightPenalty: number | undefined,
  { start, curvature, tolerance }: { readonly start: Float64Array; readonly curvature: Curvature; readonly tolerance: number },
  yielder: Yielder,
): Promise<Float64Array> {
  const problem = conditioned(new HeadProblem(design, rows, weightPenalty, yielder), start, curvature);
  return problem.pointOf(await minimise(problem, tolerance));
}

/** The best head for a whole design matrix, as exactly as numbers allow. */
export async function exactHead(
  design: DesignMatrix,
  weightPenalty: number | undefined,
  start: Float64Array,
  yielder: Yielder,
): Promise<Float64Array> {
  const curvature = await curvatureNear(design, start, weightPenalty, yielder);
  const all = rowsWhere(design, () => true);
  return searchHead(design, all, weightPenalty, { start, curvature, tolerance: TOLERANCE }, yielder);
}

function rowsWhere({ rows, folds }: DesignMatrix, isIn: (fold: number) => boolean): Uint32Array {
  return Uint32Array.from({ length: rows }, (_, row) => row).filter((row) => isIn(folds[row] ?? 0));
}

/** The head of a lesson. */
export interface Pool {
  readonly scale: number;
  /** float64 [options] */
  readonly biases: Float64Array;
  /** float64 [options, features]; undefined where features do not count. */
  readonly weights: Float64Array | undefined;
  /** The kind that counts most. */
  readonly learned: Candidate["kind"];
  /** float64 [rows, options]: log-probabilities of each row, by what was learned of the other folds. */
  readonly outOfFold: Float64Array;
}

/** The weighted mean of candidates' logits, which is one head again, divided by a temperature. */
export async function poolOf(design: DesignMatrix, kept: readonly Kept[], yielder: Yielder): Promise<Pool> {
  const { rows, options, features } = design;
  const outOfFold = mixed(kept, rows * options, (one) => one.outOfFold);
  const temperature = await temperatureOf(design, outOfFold, yielder);
  for (let row = 0; row < rows; row++) logSoftmaxInPlace(outOfFold, row * options, options, 1 / temperature);
  const width = features !== undefined && kept.some(({ candidate }) => candidate.kind === "features") ? features.width : 0;
  const head = mixed(kept, 1 + options + options * width, (one) => one.parameters).map((value) => value / temperature);
  return {
    scale: head[0] ?? 0,
    biases: head.slice(1, 1 + options),
    weights: width === 0 ? undefined : await features?.toFeatures(head.subarray(1 + options), options, yielder),
    learned: heaviest(kept),
    outOfFold,
  };
}

/** A weighted sum. Values that one has fewer of than another are 0. */
function mixed(kept: readonly Kept[], size: number, of: (one: Kept) => Float64Array): Float64Array {
  const sum = new Float64Array(size);
  for (const one of kept) of(one).forEach((value, i) => (sum[i] = (sum[i] ?? 0) + one.weight * value));
  return sum;
}

function heaviest(kept: readonly Kept[]): Candidate["kind"] {
  const weightOf = (kind: Candidate["kind"]): number =>
    kept.reduce((sum, { candidate, weight }) => sum + (candidate.kind === kind ? weight : 0), 0);
  return (["features", "biases", "nothing"] as const).reduce((best, kind) => (weightOf(kind) > weightOf(best) ? kind : best));
}

/** The price, in log-likelihood, of being away from 1: this times ln(temperature)². A dozen examples that happen to be right prove little. */
const TEMPERATURE_PENALTY = 2;
/** From 0.5 to 2. */
const TEMPERATURES = Array.from({ length: 31 }, (_, i) => 0.5 + i * 0.05);

/** The divisor of logits by which answers out of fold are as often right as they say (Guo et al. 2017). */
async function temperatureOf(design: DesignMatrix, logits: Float64Array, yielder: Yielder): Promise<number> {
  const likelihoods: number[] = [];
  for (const temperature of TEMPERATURES) {
    const tempered = logits.slice();
    for (let row = 0; row < design.rows; row++) logSoftmaxInPlace(tempered, row * design.options, design.options, 1 / temperature);
    likelihoods.push(logLikelihoodOf(design, tempered) - TEMPERATURE_PENALTY * Math.log(temperature) ** 2);
    if (yielder.isDue) await yielder.toEventLoop();
  }
  return TEMPERATURES[likelihoods.indexOf(Math.max(...likelihoods))] ?? 1;
}
