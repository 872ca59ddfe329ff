import { Conditioned, Curvature } from "./curvature.ts";
import { HeadProblem } from "./head-problem.ts";
import { minimise } from "./minimise.ts";
import type { Pauses } from "./pauses.ts";
import type { Table } from "./table.ts";

/** What may be left to gain by a lesson's head, in units of the summed log-loss. */
const TOLERANCE = 1e-12;

/** What a search for a head begins with. */
export interface Search {
  /** As the parameters of a `HeadProblem`. */
  readonly start: Float64Array;
  readonly curvature: Curvature;
  /** What may be left to gain, in units of the summed log-loss. */
  readonly tolerance: number;
}

/** The best head for some rows of a table. @param weightPenalty of the sum of squared weights; undefined: no weights */
export async function searchHead(
  table: Table,
  rows: Uint32Array,
  weightPenalty: number | undefined,
  { start, curvature, tolerance }: Search,
  pauses: Pauses,
): Promise<Float64Array> {
  const problem = new Conditioned(new HeadProblem(table, rows, weightPenalty, pauses), start, curvature);
  return problem.pointOf(await minimise(problem, tolerance));
}

/** The best head for a whole table, as exactly as numbers allow. */
export async function exactHead(
  table: Table,
  weightPenalty: number | undefined,
  start: Float64Array,
  pauses: Pauses,
): Promise<Float64Array> {
  const curvature = await Curvature.near(table, start, weightPenalty, pauses);
  return searchHead(
    table,
    rowsWhere(table, () => true),
    weightPenalty,
    { start, curvature, tolerance: TOLERANCE },
    pauses,
  );
}

export function rowsWhere({ rows, folds }: Table, isIn: (fold: number) => boolean): Uint32Array {
  return Uint32Array.from({ length: rows }, (_, row) => row).filter((row) => isIn(folds[row] ?? 0));
}
