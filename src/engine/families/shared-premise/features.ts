import { DecideError } from "../../../errors.ts";
import type { Basis } from "./features-basis.ts";
import { downloaded, tensorNamed } from "./kv-cache.ts";
import type { KvCache } from "./kv-cache.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

/**
 * Makes the features of questions: a part of the state, and one of the question's instructions, which have read the state. A part is the mean over its tokens
 * of the values of some layers, head by head, whitened if there is a basis.
 */
export class FeatureReader {
  /** How many features a question has. */
  readonly size: number;
  readonly #manifest: Pick<SharedPremiseManifest, "features" | "network">;
  readonly #bases: readonly Basis[];

  /** @param bases of the state's part and the question's */
  constructor(manifest: Pick<SharedPremiseManifest, "features" | "network">, bases: readonly Basis[] = []) {
    const { features, network } = manifest;
    this.size = 2 * (features.basis?.components ?? features.layers.length * network.heads * network.headSize);
    this.#manifest = manifest;
    this.#bases = bases;
  }

  /** @param windows the caches of all windows */
  ofState(windows: readonly KvCache[]): Promise<Float32Array> {
    return this.#part(windows, this.#bases[0]);
  }

  /**
   * All features of a question.
   * @param ofState its state's part
   * @param instructions without tokens if there are none: then their part is zeros
   */
  async ofQuestion(ofState: Float32Array, instructions: KvCache): Promise<Float32Array> {
    const features = new Float32Array(this.size);
    features.set(ofState);
    if (instructions.tokens > 0) features.set(await this.#part([instructions], this.#bases[1]), ofState.length);
    return features;
  }

  async #part(caches: readonly KvCache[], basis: Basis | undefined): Promise<Float32Array> {
    const means = await meansOf(caches, this.#manifest);
    const features = basis ? whitened(means, basis) : Float32Array.from(means);
    if (!features.every(Number.isFinite)) throw new DecideError("backend_failed", "The model gave a feature that is not a number.");
    return features;
  }
}

/** float64 [layers, heads, head size] */
async function meansOf(
  caches: readonly KvCache[],
  { features, network }: Pick<SharedPremiseManifest, "features" | "network">,
): Promise<Float64Array> {
  const size = network.heads * network.headSize;
  const sums = new Float64Array(features.layers.length * size);
  for (const { tokens, tensors } of caches) {
    for (const [i, layer] of features.layers.entries())
      addTokens(
        sums.subarray(i * size, (i + 1) * size),
        await downloaded(tensorNamed(tensors, `${layer}.value`)),
        tokens,
        network.headSize,
      );
  }
  const tokens = caches.reduce((sum, cache) => sum + cache.tokens, 0);
  return sums.map((sum) => sum / tokens);
}

/** Adds up the tokens of values [heads, tokens, head size]. */
function addTokens(sums: Float64Array, values: Float32Array, tokens: number, headSize: number): void {
  let at = 0;
  for (let head = 0; head < sums.length; head += headSize)
    for (let token = 0; token < tokens; token++)
      for (let i = head; i < head + headSize; i++) sums[i] = (sums[i] ?? NaN) + (values[at++] ?? NaN);
}

/** float32 [components] */
function whitened(means: Float64Array, { mean, components, scales }: Basis): Float32Array {
  const centred = means.map((value, i) => value - (mean[i] ?? NaN));
  let at = 0;
  return scales.map((scale) => scale * centred.reduce((sum, value) => sum + value * (components[at++] ?? NaN), 0));
}
