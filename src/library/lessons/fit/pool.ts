import type { Candidate, Kept } from "./candidates.ts";
import type { Pauses } from "./pauses.ts";
import { logSoftmaxInPlace } from "./softmax.ts";
import { logLikelihoodOf } from "./table.ts";
import type { Table } from "./table.ts";

/** The head of a lesson. */
export interface Pool {
  readonly scale: number;
  /** float64 [options] */
  readonly biases: Float64Array;
  /** float64 [options, features]; undefined where features do not count. */
  readonly weights: Float64Array | undefined;
  /** What counts most. */
  readonly learned: Candidate["kind"];
  /** float64 [rows, options]: log-probabilities of each row, by what was learned of the other folds. */
  readonly heldOut: Float64Array;
}

/** The weighted mean of candidates' logits, which is one head again, divided by a temperature. */
export async function poolOf(table: Table, kept: readonly Kept[], pauses: Pauses): Promise<Pool> {
  const { rows, options, features } = table;
  const heldOut = mixed(kept, rows * options, (one) => one.heldOut);
  const temperature = await temperatureOf(table, heldOut, pauses);
  for (let row = 0; row < rows; row++) logSoftmaxInPlace(heldOut, row * options, options, 1 / temperature);
  const width = features !== undefined && kept.some(({ candidate }) => candidate.kind === "features") ? features.width : 0;
  const head = mixed(kept, 1 + options + options * width, (one) => one.parameters).map((value) => value / temperature);
  return {
    scale: head[0] ?? 0,
    biases: head.slice(1, 1 + options),
    weights: width === 0 ? undefined : await features?.toFeatures(head.subarray(1 + options), options, pauses),
    learned: heaviest(kept),
    heldOut,
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

/** What it costs, in log-likelihood, to be away from 1: this times ln(temperature)². A dozen examples that happen to be right prove little. */
const TEMPERATURE_PENALTY = 2;
/** From 0.5 to 2. */
const TEMPERATURES = Array.from({ length: 31 }, (_, i) => 0.5 + i * 0.05);

/** What to divide logits by, so that held-out answers are as often right as they say (Guo et al. 2017). */
async function temperatureOf(table: Table, logits: Float64Array, pauses: Pauses): Promise<number> {
  const likelihoods: number[] = [];
  for (const temperature of TEMPERATURES) {
    const tempered = logits.slice();
    for (let row = 0; row < table.rows; row++) logSoftmaxInPlace(tempered, row * table.options, table.options, 1 / temperature);
    likelihoods.push(logLikelihoodOf(table, tempered) - TEMPERATURE_PENALTY * Math.log(temperature) ** 2);
    if (pauses.isDue) await pauses.take();
  }
  return TEMPERATURES[likelihoods.indexOf(Math.max(...likelihoods))] ?? 1;
}
