import type { Field } from "../../../validation/field.ts";
import type { CommonManifest } from "../../pack/manifest.ts";
import { countOf, ifPresent, listOf, nameOf, orderedListOf, plainNameOf } from "../../pack/manifest-fields.ts";

export const LABELS = ["entailment", "neutral", "contradiction"] as const;

export interface SharedPremiseManifest extends CommonManifest {
  readonly family: "shared-premise";
  /** What the three logits mean, in order. */
  readonly labels: readonly (typeof LABELS)[number][];
  readonly network: { readonly layers: number; readonly heads: number; readonly headSize: number; readonly positions: number };
  readonly tokenizer: { readonly file: string; readonly clsId: number; readonly sepId: number; readonly padId: number };
  readonly weights: string;
  /** What lessons learn from: features.ts. */
  readonly features: {
    /** Whose values count, ascending from 0. */
    readonly layers: readonly number[];
    /** What whitens them: how many components each part has, and the file that holds them (features-basis.ts). */
    readonly basis?: { readonly file: string; readonly components: number };
  };
  /** Files of the segment graph in its several arithmetics. */
  readonly graphs: {
    readonly int8: string;
    readonly "int8-wide": string;
    readonly fp32: string;
    /** Not the segment graph: it shows whether products saturate. */
    readonly probe: string;
    /** Absent in packs that run on processors alone. */
    readonly "webgpu-fp16"?: string;
    readonly "webgpu-fp32"?: string;
  };
}

export function readSharedPremiseManifest(root: Field, common: Omit<CommonManifest, "family">): SharedPremiseManifest {
  const [network, tokenizer, graphs] = [root.get("network"), root.get("tokenizer"), root.get("graphs")];
  const size = {
    layers: countOf(network.get("layers"), 1, 1000),
    heads: countOf(network.get("heads"), 1, 1000),
    headSize: countOf(network.get("headSize"), 1, 10_000),
    positions: countOf(network.get("positions"), 1),
  };
  checkPositions(root.get("limits"), common, size.positions);
  return {
    ...common,
    family: "shared-premise",
    labels: readLabels(root.get("labels")),
    network: size,
    features: readFeatures(root.get("features"), size),
    tokenizer: {
      file: plainNameOf(tokenizer.get("file")),
      clsId: countOf(tokenizer.get("clsId"), 0),
      sepId: countOf(tokenizer.get("sepId"), 0),
      padId: countOf(tokenizer.get("padId"), 0),
    },
    weights: plainNameOf(root.get("weights")),
    graphs: {
      int8: plainNameOf(graphs.get("int8")),
      "int8-wide": plainNameOf(graphs.get("int8-wide")),
      fp32: plainNameOf(graphs.get("fp32")),
      probe: plainNameOf(graphs.get("probe")),
      ...ifPresent("webgpu-fp16", graphs.get("webgpu-fp16"), plainNameOf),
      ...ifPresent("webgpu-fp32", graphs.get("webgpu-fp32"), plainNameOf),
    },
  };
}

/** Without them: the last half of the layers, and no basis. */
function readFeatures(features: Field, { layers, heads, headSize }: SharedPremiseManifest["network"]): SharedPremiseManifest["features"] {
  const half = Math.floor(layers / 2);
  if (features.isMissing) return { layers: Array.from({ length: layers - half }, (_, i) => half + i) };
  const read = (layer: Field): number => countOf(layer, 0, layers - 1);
  const chosen = orderedListOf(features.get("layers"), read, (layer, before = -1) => layer <= before, "layers in ascending order");
  return {
    layers: chosen,
    ...ifPresent("basis", features.get("basis"), (basis) => ({
      file: plainNameOf(basis.get("file")),
      components: countOf(basis.get("components"), 1, chosen.length * heads * headSize),
    })),
  };
}

/** No segment may be longer than the network has positions. */
function checkPositions(field: Field, { limits }: Pick<CommonManifest, "limits">, positions: number): void {
  const rule = (name: string): void => {
    field.get(name).refuse(`is above network.positions, which is ${positions}`, "unknown_value");
  };
  if (limits.windowTokens > positions) rule("windowTokens");
  // Each segment has two special tokens more, and an option's positions follow its question's.
  if (limits.instructionsTokens + limits.optionTokens + 4 > positions) rule("optionTokens");
}

function readLabels(field: Field): SharedPremiseManifest["labels"] {
  const labels = listOf(field, (label) => nameOf(label, LABELS));
  if (labels.length !== LABELS.length || new Set(labels).size !== LABELS.length)
    field.refuse("must be entailment, neutral and contradiction, each once", "unknown_value");
  return labels;
}
