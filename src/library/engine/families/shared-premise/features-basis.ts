import { DecideError } from "../../../../errors.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

/** What whitens one part of the features: each is its scale times the product of its component with the part's values less their mean. */
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
