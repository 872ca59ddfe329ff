import { toCoordinates } from "./coordinates.ts";
import type { Pauses } from "./pauses.ts";
import { logOf } from "./softmax.ts";
import type { Coordinates, Table } from "./table.ts";

const MAX_FOLDS = 5;
/** The mean squared length that features are scaled to, about that of whitened ones: so penalties mean the same for the features of any model. */
const SQUARED_LENGTH = 1.3;

/** A row as a table reads it. */
export interface TableRow {
  readonly text: string;
  readonly answer: number;
  readonly probabilities: Float64Array;
  readonly features: Float32Array | undefined;
}

/** A table of rows, and the mean of their features as a lesson states it. */
export interface CentredTable {
  readonly table: Table;
  readonly mean: Float32Array | undefined;
}

/**
 * @param rows one or more, in their own order, those of a text side by side
 * @param order which of a row's probabilities come first, second, ...
 */
export async function toTable(rows: readonly TableRow[], order: readonly number[], pauses: Pauses): Promise<CentredTable> {
  const options = order.length;
  const base = new Float64Array(rows.length * options);
  const answers = new Uint32Array(rows.length);
  const folds = new Uint32Array(rows.length);
  const rank = new Map(order.map((original, k) => [original, k]));
  let texts = 0;
  for (const [i, { text, answer, probabilities }] of rows.entries()) {
    if (i > 0 && rows[i - 1]?.text !== text) texts++;
    folds[i] = texts % MAX_FOLDS;
    answers[i] = rank.get(answer) ?? 0;
    for (const [k, original] of order.entries()) base[i * options + k] = logOf(probabilities[original] ?? 0);
  }
  const shared = { rows: rows.length, options, base, answers, folds, foldCount: Math.min(MAX_FOLDS, texts + 1) };
  const size = rows[0]?.features?.length ?? 0;
  if (size === 0) return { table: { ...shared, features: undefined }, mean: undefined };
  const mean = meanOf(rows, size);
  const x = new Float64Array((rows.length + 1) * size);
  let squares = 0;
  for (const [i, { features }] of rows.entries()) {
    for (let d = 0; d < size; d++) {
      const value = (features?.[d] ?? 0) - (mean[d] ?? 0);
      x[i * size + d] = value;
      squares += value * value;
    }
    if (pauses.isDue) await pauses.take();
  }
  // Features that are all alike tell nothing, and stay 0.
  const unit = squares === 0 ? 1 : Math.sqrt((SQUARED_LENGTH * rows.length) / squares);
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? 0) * unit;
  const coordinates = await toCoordinates(x, rows.length, size, pauses);
  const toFeatures: Coordinates["toFeatures"] = async (weights, count, own) =>
    (await coordinates.toFeatures(weights, count, own)).map((weight) => weight * unit);
  return { table: { ...shared, features: { ...coordinates, toFeatures } }, mean };
}

function meanOf(rows: readonly TableRow[], size: number): Float32Array {
  const sums = new Float64Array(size);
  for (const { features } of rows) for (let d = 0; d < size; d++) sums[d] = (sums[d] ?? 0) + (features?.[d] ?? 0);
  return Float32Array.from(sums, (sum) => sum / rows.length);
}
