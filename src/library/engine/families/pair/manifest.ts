import type { Field } from "../../../validation/field.ts";
import { readEncoderParts, templateOf } from "../../encoders/encoder-manifest.ts";
import type { EncoderManifest } from "../../encoders/encoder-manifest.ts";
import type { QuestionType } from "../../engine.ts";
import type { CommonManifest } from "../../pack/manifest.ts";
import { listOf, nameOf, objectOf } from "../../pack/manifest-fields.ts";

const LABELS = ["entailment", "neutral", "contradiction", "not_entailment"] as const;

export type PairLabel = (typeof LABELS)[number];

export interface PairManifest extends EncoderManifest {
  readonly family: "pair";
  /** Meaning of the logits, in order: entailment, neutral and contradiction, or entailment and not_entailment. */
  readonly labels: readonly PairLabel[];
  /** How instructions and an option become a hypothesis: encoder-manifest.ts. */
  readonly templates: { readonly [T in QuestionType]: string };
}

const templatesOf = objectOf<PairManifest["templates"]>({ choice: templateOf, noul: templateOf, score: templateOf });

export function readPairManifest(root: Field, common: Omit<CommonManifest, "family">): PairManifest {
  return {
    ...common,
    family: "pair",
    labels: readLabels(root.get("labels")),
    templates: templatesOf(root.get("templates")),
    ...readEncoderParts(root, common),
  };
}

/** Each set of labels that there is, in the order of the alphabet. */
const SETS = ["contradiction,entailment,neutral", "entailment,not_entailment"];

function readLabels(field: Field): PairLabel[] {
  const labels = listOf((label) => nameOf(label, LABELS))(field);
  if (Array.isArray(field.value) && !SETS.includes([...labels].sort().join()))
    field.refuse("must be entailment, neutral and contradiction, or entailment and not_entailment, each once", "unknown_value");
  return labels;
}
