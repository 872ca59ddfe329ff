import { DecideError } from "../../../errors.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

/** What whitens one part of the features: each feature is its scale times the product of its component with the part's values less their mean. */
export interface Basis {
  /** float32 [values] */
  readonly mean: Float32Array;
  /** int8 [components, values] */
  readonly components: Int8Array;
  /** float32 [components] */
  readonly scales: Float32Array;
}

/**
 * The bases of the state's part and the question's, if the pack has them. Its file has both in this order: `mean`, `components` and `scales`, little-endian.
 * @throws {DecideError} `model_invalid` when the file has another size.
 */
export function readBases({ manifest, read }: Pick<ModelPack<SharedPremiseManifest>, "manifest" | "read">): readonly Basis[] | undefined {
  const { features, network } = manifest;
  if (features.basis === undefined) return undefined;
  const { file, components } = features.basis;
  const values = features.layers.length * network.heads * network.headSize;
  const scalesAt = (4 + components) * values;
  const size = scalesAt + 4 * components;
  const bytes = read(file);
  if (bytes.length !== 2 * size) {
    const message = `${file} has ${bytes.length} bytes where ${components} components need ${2 * size}: install the pack again.`;
    throw new DecideError("model_invalid", message);
  }
  return [bytes.slice(0, size), bytes.slice(size)].map(({ buffer }) => ({
    mean: new Float32Array(buffer, 0, values),
    components: new Int8Array(buffer, 4 * values, components * values),
    // A copy, since it may begin between two multiples of four.
    scales: new Float32Array(buffer.slice(scalesAt)),
  }));
}
