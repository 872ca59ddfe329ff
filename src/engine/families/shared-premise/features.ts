import { finite } from "../../entailment.ts";
import type { Basis } from "./features-basis.ts";
import { downloaded, tensorNamed } from "./kv-cache.ts";
import type { KvCache } from "./kv-cache.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

/** Features have two parts: of the state, and of the question's instructions, which have read the state. */
export const STATE_PART = 0;
export const QUESTION_PART = 1;

/** Tokens of a cache: the first ones, or some behind them. */
export interface CachedTokens extends KvCache {
  /** The first of them. Default: 0. */
  readonly first?: number;
}

/** Reads features off caches. A part is the mean over its tokens of the values of some layers, head by head; whitened if the pack has a basis. */
export class FeatureReader {
  /** How many features each part has. */
  readonly partSize: number;
  readonly #manifest: SharedPremiseManifest;
  readonly #bases: readonly Basis[];

  /** @param bases of the state's part and the question's, or none */
  constructor(manifest: SharedPremiseManifest, bases: readonly Basis[]) {
    const { features, network } = manifest;
    this.partSize = features.basis?.components ?? features.layers.length * network.heads * network.headSize;
    this.#manifest = manifest;
    this.#bases = bases;
  }

  /**
   * A part's features, float32. Of no tokens they are zeros.
   * @throws {DecideError} `backend_failed` for one that is not finite, and when a GPU is lost.
   */
  async read(caches: readonly CachedTokens[], part: number): Promise<Float32Array> {
    const { features, network } = this.#manifest;
    const tokens = caches.reduce((sum, cache) => sum + cache.tokens, 0);
    if (tokens === 0) return new Float32Array(this.partSize);
    const means: number[] = [];
    for (const layer of features.layers) {
      const values: Values[] = [];
      // One after the other: if one fails, none is under way that could not be freed.
      for (const { first = 0, tokens, tensors } of caches)
        values.push({ first, tokens, data: await downloaded(tensorNamed(tensors, `${layer}.value`)) });
      for (let head = 0; head < network.heads; head++) {
        for (let i = 0; i < network.headSize; i++) means.push(sumOf(values, head, i, network) / tokens);
      }
    }
    return whitened(means, this.#bases[part]);
  }
}

/** Values of a layer [heads, rows, head size], of which these rows count. */
interface Values {
  readonly first: number;
  readonly tokens: number;
  readonly data: Float32Array;
}

/** The sum over all tokens of one of a head's values. */
function sumOf(values: readonly Values[], head: number, i: number, { heads, headSize }: SharedPremiseManifest["network"]): number {
  let sum = 0;
  for (const { first, tokens, data } of values) {
    const start = (data.length / heads) * head + first * headSize;
    for (let at = start + i; at < start + tokens * headSize; at += headSize) sum += data[at] ?? NaN;
  }
  return sum;
}

function whitened(means: readonly number[], basis: Basis | undefined): Float32Array {
  if (basis === undefined) return Float32Array.from(means, finite);
  const centred = Float64Array.from(means, (value, i) => value - (basis.mean[i] ?? NaN));
  return basis.scales.map((scale, component) => finite(scale * product(centred, basis.components, component * centred.length)));
}

/** Of `values` and as many components from `start` on. A function of its own: V8 compiles it after a few calls, which counts when a model is loaded. */
function product(values: Float64Array, components: Int8Array, start: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] ?? NaN) * (components[start + i] ?? NaN);
  return sum;
}
