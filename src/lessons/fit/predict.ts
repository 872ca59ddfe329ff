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
  const scale = at(head, 0);
  for (let k = 0; k < options; k++) {
    let logit = scale * at(base, row * options + k) + at(head, 1 + k);
    const weights = 1 + options + k * width;
    for (let d = 0; d < length; d++) logit += at(head, weights + d) * at(x, row * width + d);
    into[start + k] = logit;
  }
  logSoftmaxInPlace(into, start, options);
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}
