import { logSoftmaxInPlace } from "./softmax.ts";
import type { Table } from "./table.ts";

/**
 * Writes the log-probabilities of a row by a head.
 * @param head as the parameters of a `HeadProblem`, with or without weights
 * @param into [options] of it, from `start` on
 */
export function predictRow({ options, base, features }: Table, row: number, head: Float64Array, into: Float64Array, start: number): void {
  const width = features !== undefined && head.length > 1 + options ? features.width : 0;
  const x = features?.values ?? base;
  const length = width === 0 ? 0 : (features?.lengths[row] ?? 0);
  const scale = head[0] ?? 0;
  for (let k = 0; k < options; k++) {
    let logit = scale * (base[row * options + k] ?? 0) + (head[1 + k] ?? 0);
    const weights = 1 + options + k * width;
    for (let d = 0; d < length; d++) logit += (head[weights + d] ?? 0) * (x[row * width + d] ?? 0);
    into[start + k] = logit;
  }
  logSoftmaxInPlace(into, start, options);
}
