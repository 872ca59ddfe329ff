import { BIASES, FEATURES, leaveHope, NOTHING, weighed } from "./candidates.ts";
import type { Candidate, Fitted, Kept } from "./candidates.ts";
import { Curvature } from "./curvature.ts";
import type { Pauses } from "./pauses.ts";
import { poolOf } from "./pool.ts";
import type { Pool } from "./pool.ts";
import { predictRow } from "./predict.ts";
import { exactHead, rowsWhere, searchHead } from "./search-head.ts";
import { logSoftmaxInPlace } from "./softmax.ts";
import { logLikelihoodOf } from "./table.ts";
import type { Table } from "./table.ts";

/** What may be left to gain, in units of the summed log-loss: by heads that answer held-out examples, and by the head that those are searched from. */
const FOLD_TOLERANCE = 3e-3;
const START_TOLERANCE = 1e-2;

/** The head for a table's rows. @param onStep is told the share that is done */
export async function fitHead(table: Table, pauses: Pauses, onStep: (done: number) => void): Promise<Pool> {
  const candidates = [NOTHING, BIASES, ...(table.features === undefined ? [] : FEATURES)];
  const fitted: Fitted[] = [];
  for (const candidate of candidates) {
    const last = fitted.at(-1);
    fitted.push(last === undefined ? untaught(table) : await fitCandidate(table, candidate, last, pauses));
    onStep(fitted.length / (candidates.length + 1));
    if (!leaveHope(fitted)) break;
  }
  const exact: Kept[] = [];
  for (const one of weighed(fitted)) {
    const { candidate, parameters } = one;
    exact.push(candidate === NOTHING ? one : { ...one, parameters: await exactHead(table, candidate.weightPenalty, parameters, pauses) });
  }
  onStep(1);
  return poolOf(table, exact, pauses);
}

function untaught(table: Table): Fitted {
  const parameters = new Float64Array(1 + table.options);
  parameters[0] = 1;
  const heldOut = table.base.slice();
  for (let row = 0; row < table.rows; row++) logSoftmaxInPlace(heldOut, row * table.options, table.options);
  return { candidate: NOTHING, parameters, heldOut, logLikelihood: logLikelihoodOf(table, heldOut) };
}

async function fitCandidate(table: Table, candidate: Candidate, last: Fitted, pauses: Pauses): Promise<Fitted> {
  const { weightPenalty } = candidate;
  const start = new Float64Array(1 + table.options + (weightPenalty === undefined ? 0 : table.options * (table.features?.width ?? 0)));
  start.set(last.parameters);
  const curvature = await Curvature.near(table, start, weightPenalty, pauses);
  const all = rowsWhere(table, () => true);
  const parameters = await searchHead(table, all, weightPenalty, { start, curvature, tolerance: START_TOLERANCE }, pauses);
  const heldOut = new Float64Array(table.rows * table.options);
  for (let fold = 0; fold < table.foldCount; fold++) {
    const others = rowsWhere(table, (other) => other !== fold);
    const search = { start: parameters, curvature, tolerance: FOLD_TOLERANCE };
    const head = await searchHead(table, others, weightPenalty, search, pauses);
    for (const row of rowsWhere(table, (other) => other === fold)) {
      predictRow(table, row, head, heldOut, row * table.options);
      if (pauses.isDue) await pauses.take();
    }
  }
  return { candidate, parameters, heldOut, logLikelihood: logLikelihoodOf(table, heldOut) };
}
