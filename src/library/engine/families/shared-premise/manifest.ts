import type { Field } from "../../../validation/field.ts";
import type { CommonManifest } from "../../pack/manifest.ts";
import { countFrom, listOf, nameOf, objectOf, optional, orderedListOf, plainNameOf } from "../../pack/manifest-fields.ts";

export const LABELS = ["entailment", "neutral", "contradiction"] as const;

export interface SharedPremiseManifest extends CommonManifest {
  readonly family: "shared-premise";
  /** Meaning of the three logits, in order. */
  readonly labels: readonly (typeof LABELS)[number][];
  readonly network: { readonly layers: number; readonly heads: number; readonly headSize: number; readonly positions: number };
  /** Absent where positions are absolute alone. Otherwise attention scores have a bias by the distance of two tokens, which the graphs look up by their positions. */
  readonly relativePositions?: {
    /** How many biases there are for each head. */
    readonly buckets: number;
    /** Distance from which on all are alike. */
    readonly furthest: number;
  };
  readonly tokenizer: { readonly file: string; readonly clsId: number; readonly sepId: number };
  readonly weights: string;
  /** Inputs of lessons: features.ts. */
  readonly features: {
    /** Whose values count, ascending from 0. */
    readonly layers: readonly number[];
    /** The basis that whitens them: how many components each part has, and the file that holds them (features.ts). */
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

type Part<Name extends keyof SharedPremiseManifest> = SharedPremiseManifest[Name];

const networkOf = objectOf<Part<"network">>({
  layers: countFrom(1, 1000),
  heads: countFrom(1, 1000),
  headSize: countFrom(1, 10_000),
  positions: countFrom(1),
});

const MAX_DISTANCE = 10_000;

const restOf = objectOf<Pick<SharedPremiseManifest, "labels" | "relativePositions" | "tokenizer" | "weights" | "graphs">>({
  labels: readLabels,
  relativePositions: optional(
    objectOf<NonNullable<Part<"relativePositions">>>({ buckets: countFrom(4, MAX_DISTANCE), furthest: countFrom(2, MAX_DISTANCE) }),
  ),
  tokenizer: objectOf({ file: plainNameOf, clsId: countFrom(0), sepId: countFrom(0) }),
  weights: plainNameOf,
  graphs: objectOf<Part<"graphs">>({
    int8: plainNameOf,
    "int8-wide": plainNameOf,
    fp32: plainNameOf,
    probe: plainNameOf,
    "webgpu-fp16": optional(plainNameOf),
    "webgpu-fp32": optional(plainNameOf),
  }),
});

export function readSharedPremiseManifest(root: Field, common: Omit<CommonManifest, "family">): SharedPremiseManifest {
  const network = networkOf(root.get("network"));
  checkPositions(root.get("limits"), common, network.positions);
  return { ...common, family: "shared-premise", network, features: readFeatures(root.get("features"), network), ...restOf(root) };
}

/** Without them: the last half of the layers, and no basis. */
function readFeatures(features: Field, { layers, heads, headSize }: Part<"network">): Part<"features"> {
  const half = Math.floor(layers / 2);
  if (features.isMissing) return { layers: Array.from({ length: layers - half }, (_, i) => half + i) };
  const layersOf = orderedListOf(countFrom(0, layers - 1), (layer, before = -1) => layer <= before, "layers in ascending order");
  const chosen = layersOf(features.get("layers"));
  const basisOf = objectOf({ file: plainNameOf, components: countFrom(1, chosen.length * heads * headSize) });
  return objectOf<Part<"features">>({ layers: () => chosen, basis: optional(basisOf) })(features);
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

function readLabels(field: Field): Part<"labels"> {
  const labels = listOf((label) => nameOf(label, LABELS))(field);
  if (labels.length !== LABELS.length || new Set(labels).size !== LABELS.length)
    field.refuse("must be entailment, neutral and contradiction, each once", "unknown_value");
  return labels;
}
