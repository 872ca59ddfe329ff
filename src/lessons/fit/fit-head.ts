import { HeadProblem } from "./head-problem.ts";
import { minimise } from "./minimise.ts";
import type { Start } from "./minimise.ts";
import type { Pauses } from "./pauses.ts";
import { logSoftmaxInPlace } from "./softmax.ts";
import type { Table } from "./table.ts";

/** What a lesson may be: nothing learned, biases alone, or features with a penalty on their weights. */
export interface Candidate {
  readonly kind: "nothing" | "biases" | "features";
  readonly weightPenalty?: number;
  /** What it counts before any example is seen: it takes many to show that the model alone is worse. */
  readonly prior: number;
}

const NOTHING: Candidate = { kind: "nothing", prior: 100 };
const BIASES: Candidate = { kind: "biases", prior: 1 };
const FEATURES: readonly Candidate[] = [0.3, 0.1, 0.03].map((weightPenalty) => ({ kind: "features", weightPenalty, prior: 1 }));

/** A head by candidates: the weighted mean of their logits is one head again. */
export interface Pool {
  readonly scale: number;
  /** float64 [options] */
  readonly biases: Float64Array;
  /** float64 [options, size]; undefined where features do not count. */
  readonly weights: Float64Array | undefined;
  readonly learned: Candidate["kind"];
  /** float64 [rows, options]: log-probabilities of each row, by what was learned of the other folds. */
  readonly heldOut: Float64Array;
}

interface Fitted {
  readonly candidate: Candidate;
  /** As the parameters of a `HeadProblem`. */
  readonly parameters: Float64Array;
  readonly heldOut: Float64Array;
  /** The sum of the right answers' log-probabilities. */
  readonly logLikelihood: number;
}

/** Candidates of less weight than this are left out. */
const LEAST_WEIGHT = 1e-3;
const TOLERANCE = 1e-6;
/** Held-out answers need not be as exact. */
const FOLD_TOLERANCE = 1e-3;

/** The head of a table's rows. @param onStep is told the share that is done */
export async function fitHead(table: Table, pauses: Pauses, onStep: (done: number) => void): Promise<Pool> {
  const candidates = [NOTHING, BIASES, ...(table.features === undefined ? [] : FEATURES)];
  const fitted: Fitted[] = [];
  const starts = new Map<number | undefined, Start>();
  for (const candidate of candidates) {
    fitted.push(candidate === NOTHING ? untaught(table) : await fitCandidate(table, candidate, starts, pauses));
    onStep(fitted.length / candidates.length);
  }
  return poolOf(table, fitted);
}

function untaught(table: Table): Fitted {
  const parameters = new Float64Array(1 + table.options);
  parameters[0] = 1;
  const heldOut = table.base.slice();
  for (let row = 0; row < table.rows; row++) logSoftmaxInPlace(heldOut, row * table.options, table.options);
  return { candidate: NOTHING, parameters, heldOut, logLikelihood: logLikelihoodOf(table, heldOut) };
}

async function fitCandidate(table: Table, candidate: Candidate, starts: Map<number | undefined, Start>, pauses: Pauses): Promise<Fitted> {
  const problemOf = (rows: Uint32Array): HeadProblem => new HeadProblem(table, rows, candidate.weightPenalty, pauses);
  const rowsOf = (isIn: (fold: number) => boolean): Uint32Array =>
    Uint32Array.from({ length: table.rows }, (_, row) => row).filter((row) => isIn(at(table.folds, row)));
  const whole = problemOf(rowsOf(() => true));
  const minimum = await minimise(whole, startOf(whole, starts), TOLERANCE);
  starts.set(candidate.weightPenalty, minimum);
  const heldOut = new Float64Array(table.rows * table.options);
  for (let fold = 0; fold < table.foldCount; fold++) {
    const { point } = await minimise(problemOf(rowsOf((other) => other !== fold)), minimum, FOLD_TOLERANCE);
    await predict(
      table,
      rowsOf((other) => other === fold),
      point,
      heldOut,
      pauses,
    );
  }
  return { candidate, parameters: minimum.point, heldOut, logLikelihood: logLikelihoodOf(table, heldOut) };
}

/** The last minimum of as many parameters, or else the model alone. */
function startOf({ size }: HeadProblem, starts: Map<number | undefined, Start>): Start {
  const last = [...starts.values()].at(-1);
  if (last?.point.length === size) return last;
  const point = new Float64Array(size);
  point[0] = 1;
  if (last !== undefined) point.set(last.point);
  return { point };
}

/** Writes the log-probabilities of rows by a head. */
async function predict(table: Table, rows: Uint32Array, head: Float64Array, into: Float64Array, pauses: Pauses): Promise<void> {
  const { options, base, features } = table;
  const width = head.length > 1 + options ? (features?.width ?? 0) : 0;
  for (const row of rows) {
    for (let k = 0; k < options; k++) {
      let logit = at(head, 0) * at(base, row * options + k) + at(head, 1 + k);
      const weights = 1 + options + k * width;
      if (features !== undefined) for (let d = 0; d < width; d++) logit += at(head, weights + d) * at(features.values, row * width + d);
      into[row * options + k] = logit;
    }
    logSoftmaxInPlace(into, row * options, options);
    if (pauses.isDue) await pauses.take();
  }
}

/** Bayesian model averaging (Hoeting et al. 1999), by the likelihood of held-out answers, of logits: a pool that is one head again. */
function poolOf(table: Table, fitted: readonly Fitted[]): Pool {
  const best = Math.max(...fitted.map(({ logLikelihood }) => logLikelihood));
  const raw = fitted.map(({ candidate, logLikelihood }) => candidate.prior * Math.exp(logLikelihood - best));
  const sum = raw.reduce((a, b) => a + b, 0);
  const kept = fitted.map((one, i) => ({ ...one, weight: (raw[i] ?? 0) / sum })).filter(({ weight }) => weight > LEAST_WEIGHT);
  const total = kept.reduce((all, { weight }) => all + weight, 0);
  const mixed = (size: number, of: (one: Fitted) => Float64Array | undefined): Float64Array => {
    const result = new Float64Array(size);
    for (const one of kept) of(one)?.forEach((value, i) => (result[i] = at(result, i) + (one.weight / total) * value));
    return result;
  };
  const { rows, options, features } = table;
  const heldOut = mixed(rows * options, (one) => one.heldOut);
  const temperature = temperatureOf(table, heldOut);
  for (let row = 0; row < rows; row++) logSoftmaxInPlace(heldOut, row * options, options, 1 / temperature);
  const linear = mixed(1 + options, (one) => one.parameters.subarray(0, 1 + options)).map((value) => value / temperature);
  const isTaught = features !== undefined && kept.some(({ candidate }) => candidate.kind === "features");
  const weights =
    isTaught &&
    mixed(options * features.width, (one) => (one.candidate.kind === "features" ? one.parameters.subarray(1 + options) : undefined)).map(
      (value) => value / temperature,
    );
  return {
    scale: at(linear, 0),
    biases: linear.slice(1),
    weights: weights === false ? undefined : features.toFeatures(weights, options),
    learned: heaviest(kept),
    heldOut,
  };
}

function heaviest(kept: readonly (Fitted & { readonly weight: number })[]): Candidate["kind"] {
  const weightOf = (kind: Candidate["kind"]): number =>
    kept.reduce((sum, { candidate, weight }) => sum + (candidate.kind === kind ? weight : 0), 0);
  return (["features", "biases", "nothing"] as const).toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? "nothing";
}

/** From 0.5 to 2. */
const TEMPERATURES = Array.from({ length: 31 }, (_, i) => 0.5 + i * 0.05);

/** What to divide logits by, so that the probabilities of held-out answers are neither too sure nor too unsure. */
function temperatureOf(table: Table, logits: Float64Array): number {
  const losses = TEMPERATURES.map((temperature) => {
    const tempered = logits.slice();
    for (let row = 0; row < table.rows; row++) logSoftmaxInPlace(tempered, row * table.options, table.options, 1 / temperature);
    return -logLikelihoodOf(table, tempered);
  });
  return TEMPERATURES[losses.indexOf(Math.min(...losses))] ?? 1;
}

function logLikelihoodOf({ rows, options, answers }: Table, logProbabilities: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += at(logProbabilities, row * options + at(answers, row));
  return sum;
}

function at(values: Float64Array | Uint32Array, index: number): number {
  return values[index] ?? 0;
}
