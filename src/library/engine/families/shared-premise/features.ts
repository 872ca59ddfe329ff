import { finite } from "../../batch.ts";
import { downloaded, tensorNamed, type KvCache } from "./segment-reader.ts";
import type { SharedPremiseManifest } from "./manifest.ts";
import { DecideError } from "../../../../errors.ts";
import type { ModelPack } from "../../pack/open-pack.ts";

/** Features have two parts: of the state, and of the question's instructions, which have read the state. */
export const STATE_PART = 0;
export const QUESTION_PART = 1;

/** Tokens of a cache: the first ones, or some behind them. */
export interface CachedTokens extends KvCache {
  /** The first of them. Default: 0. */
  readonly first?: number;
}

export interface FeatureReader {
  readonly partSize: number;
  /**
   * A part's features, float32. Of no tokens they are zeros.
   * @throws {DecideError} `backend_failed` for one that is not finite, and when a GPU is lost.
   */
  read(caches: readonly CachedTokens[], part: number): Promise<Float32Array>;
}

/**
 * Reads features off caches. A part is the mean over its tokens of the values of some layers, head by head; whitened if the pack has a basis.
 * @param bases of the state's part and the question's, or none
 */
export function featureReader({ features, network }: SharedPremiseManifest, bases: readonly Basis[]): FeatureReader {
  const width = network.heads * network.headSize;
  const partSize = features.basis?.components ?? features.layers.length * width;
  return {
    partSize,
    async read(caches, part) {
      const tokens = caches.reduce((sum, cache) => sum + cache.tokens, 0);
      if (tokens === 0) return new Float32Array(partSize);
      const means = new Float64Array(features.layers.length * width);
      for (const [i, layer] of features.layers.entries()) {
        const sums = means.subarray(i * width, (i + 1) * width);
        // One after the other: if one fails, none is under way that could not be freed.
        for (const cached of caches) addRows(sums, await downloaded(tensorNamed(cached.tensors, `${layer}.value`)), cached, network);
      }
      for (let i = 0; i < means.length; i++) means[i] = (means[i] ?? NaN) / tokens;
      return whitened(means, bases[part]);
    },
  };
}

/** Adds to the sums [heads, head size] those rows of values [heads, rows, head size] that count. */
function addRows(
  sums: Float64Array,
  values: Float32Array,
  { first = 0, tokens }: CachedTokens,
  { heads, headSize }: SharedPremiseManifest["network"],
): void {
  for (let head = 0; head < heads; head++) {
    const start = (values.length / heads) * head + first * headSize;
    for (let row = start; row < start + tokens * headSize; row += headSize) {
      for (let i = 0; i < headSize; i++) sums[head * headSize + i] = (sums[head * headSize + i] ?? NaN) + (values[row + i] ?? NaN);
    }
  }
}

function whitened(means: Float64Array, basis: Basis | undefined): Float32Array {
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

/** The basis that whitens one part of the features: each is its scale times the product of its component with the part's values less their mean. */
export interface Basis {
  /** float32 [values] */
  readonly mean: Float32Array;
  /** int8 [components, values] */
  readonly components: Int8Array;
  /** float32 [components] */
  readonly scales: Float32Array;
}

/**
 * The bases of the state's part and the question's, in this order; none if the pack has none. Their file has mean, components and scales of each,
 * little-endian.
 * @throws {DecideError} `model_invalid` when the file has another size.
 */
export async function readBases({
  manifest,
  read,
}: Pick<ModelPack<SharedPremiseManifest>, "manifest" | "read">): Promise<readonly Basis[]> {
  const { features, network } = manifest;
  if (features.basis === undefined) return [];
  const { file, components } = features.basis;
  const values = features.layers.length * network.heads * network.headSize;
  const scalesAt = (4 + components) * values;
  const size = scalesAt + 4 * components;
  const bytes = await read(file);
  if (bytes.length !== 2 * size)
    throw new DecideError("model_invalid", `${file} does not have ${2 * size} bytes, as its components need: install the pack again.`);
  return [0, size].map((start) => {
    const { buffer } = bytes.slice(start, start + size);
    return {
      mean: new Float32Array(buffer, 0, values),
      components: new Int8Array(buffer, 4 * values, components * values),
      // A copy, since they need not begin at a multiple of four.
      scales: new Float32Array(buffer.slice(scalesAt)),
    };
  });
}
