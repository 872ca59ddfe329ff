import { Conditioned, Curvature } from "./curvature.ts";
import { HeadProblem } from "./head-problem.ts";
import { minimise } from "./minimise.ts";
import type { Pauses } from "./pauses.ts";
import { predictRow } from "./predict.ts";
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
  /** Roughly the best head, as the parameters of a `HeadProblem`. */
  readonly parameters: Float64Array;
  readonly heldOut: Float64Array;
  /** The sum of the right answers' log-probabilities. */
  readonly logLikelihood: number;
}

interface Kept extends Fitted {
  readonly weight: number;
}

/** Candidates of less weight than this are left out. */
const LEAST_WEIGHT = 1e-3;
/** What may be left to gain, in units of the summed log-loss: of a lesson's head, of heads that answer held-out examples, and of heads to start those from. */
const TOLERANCE = 1e-10;
const FOLD_TOLERANCE = 3e-3;
const START_TOLERANCE = 1e-2;

/** The head of a table's rows. @param onStep is told the share that is done */
export async function fitHead(table: Table, pauses: Pauses, onStep: (done: number) => void): Promise<Pool> {
  const candidates = [NOTHING, BIASES, ...(table.features === undefined ? [] : FEATURES)];
  const fitted: Fitted[] = [];
  for (const candidate of candidates) {
    const last = fitted.at(-1);
    fitted.push(last === undefined ? untaught(table) : await fitCandidate(table, candidate, last, pauses));
    onStep(fitted.length / (candidates.length + 1));
  }
  const kept: Kept[] = [];
  for (const one of weighted(fitted)) kept.push({ ...one, parameters: await refined(table, one, pauses) });
  onStep(1);
  return poolOf(table, kept);
}

function untaught(table: Table): Fitted {
  const parameters = new Float64Array(1 + table.options);
  parameters[0] = 1;
  const heldOut = table.base.slice();
  for (let row = 0; row < table.rows; row++) logSoftmaxInPlace(heldOut, row * table.options, table.options);
  return { candidate: NOTHING, parameters, heldOut, logLikelihood: logLikelihoodOf(table, heldOut) };
}

async function fitCandidate(table: Table, candidate: Candidate, last: Fitted, pauses: Pauses): Promise<Fitted> {
  const start = new Float64Array(sizeOf(table, candidate));
  start.set(last.parameters);
  const curvature = await Curvature.at(table, start, candidate.weightPenalty, pauses);
  const search = async (isIn: (fold: number) => boolean, from: Float64Array, tolerance: number): Promise<Float64Array> => {
    const problem = new Conditioned(new HeadProblem(table, rowsOf(table, isIn), candidate.weightPenalty, pauses), from, curvature);
    return problem.pointOf(await minimise(problem, tolerance));
  };
  const parameters = await search(() => true, start, START_TOLERANCE);
  const heldOut = new Float64Array(table.rows * table.options);
  for (let fold = 0; fold < table.foldCount; fold++) {
    const head = await search((other) => other !== fold, parameters, FOLD_TOLERANCE);
    for (const row of rowsOf(table, (other) => other === fold)) {
      predictRow(table, row, head, heldOut, row * table.options);
      if (pauses.isDue) await pauses.take();
    }
  }
  return { candidate, parameters, heldOut, logLikelihood: logLikelihoodOf(table, heldOut) };
}

function rowsOf({ rows, folds }: Table, isIn: (fold: number) => boolean): Uint32Array {
  return Uint32Array.from({ length: rows }, (_, row) => row).filter((row) => isIn(at(folds, row)));
}

function sizeOf({ options, features }: Table, { weightPenalty }: Candidate): number {
  return 1 + options + (weightPenalty === undefined ? 0 : options * (features?.width ?? 0));
}

/** A candidate's head, exactly. */
async function refined(table: Table, { candidate, parameters }: Fitted, pauses: Pauses): Promise<Float64Array> {
  if (candidate === NOTHING) return parameters;
  const curvature = await Curvature.at(table, parameters, candidate.weightPenalty, pauses);
  const problem = new Conditioned(
    new HeadProblem(
      table,
      rowsOf(table, () => true),
      candidate.weightPenalty,
      pauses,
    ),
    parameters,
    curvature,
  );
  return problem.pointOf(await minimise(problem, TOLERANCE));
}

/** Bayesian model averaging (Hoeting et al. 1999), by the likelihood of held-out answers. */
function weighted(fitted: readonly Fitted[]): Kept[] {
  const best = Math.max(...fitted.map(({ logLikelihood }) => logLikelihood));
  const raw = fitted.map(({ candidate, logLikelihood }) => candidate.prior * Math.exp(logLikelihood - best));
  const sum = raw.reduce((a, b) => a + b, 0);
  const kept = fitted.map((one, i) => ({ ...one, weight: (raw[i] ?? 0) / sum })).filter(({ weight }) => weight > LEAST_WEIGHT);
  const total = kept.reduce((all, { weight }) => all + weight, 0);
  return kept.map((one) => ({ ...one, weight: one.weight / total }));
}

/** The weighted mean of the candidates' logits, which is a head, too; over a temperature. */
function poolOf(table: Table, kept: readonly Kept[]): Pool {
  const mixed = (size: number, of: (one: Fitted) => Float64Array | undefined): Float64Array => {
    const result = new Float64Array(size);
    for (const one of kept) of(one)?.forEach((value, i) => (result[i] = at(result, i) + one.weight * value));
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

function heaviest(kept: readonly Kept[]): Candidate["kind"] {
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
