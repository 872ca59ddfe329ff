import { TRUE_OR_FALSE, type Field } from "../../../validation/field.ts";
import { promptOf, readEncoderParts, templateOf, type EncoderManifest } from "../../encoders/encoder-manifest.ts";
import type { QuestionType } from "../../engine.ts";
import type { CommonManifest } from "../../pack/manifest.ts";
import { countFrom, objectOf, textOf } from "../../pack/manifest-fields.ts";

interface QuestionTemplates {
  /** Of a criterion. */
  readonly label: string;
  /** Of the instructions. A question without any has no prompt. */
  readonly prompt: string;
}

export interface GliclassManifest extends EncoderManifest {
  readonly family: "gliclass";
  /** Tokens of the tokenizer: the one before each label, and the one behind the last. */
  readonly markers: { readonly label: string; readonly separator: string };
  /** Whether labels and prompt stand before the text. */
  readonly promptFirst: boolean;
  /** Whether a space is put before every text, as before words inside of one, also where the tokenizer's file does not say so: `withPrefixSpace`. */
  readonly prefixSpace: boolean;
  readonly maxLabels: number;
  readonly templates: { readonly [T in QuestionType]: QuestionTemplates };
}

type Part<Name extends keyof GliclassManifest> = GliclassManifest[Name];

/** The part of a window that labels and prompt may take. The rest is the text's, however many labels there are. */
const LABELS_SHARE = 3 / 4;

/** Most tokens of labels, prompt and what stands around them. */
export function maxFixedTokens({ windowTokens }: CommonManifest["limits"]): number {
  return Math.floor(LABELS_SHARE * windowTokens);
}

const templatesOf = objectOf<QuestionTemplates>({ label: templateOf, prompt: promptOf });

const restOf = objectOf<Pick<GliclassManifest, "markers" | "promptFirst" | "prefixSpace" | "maxLabels" | "templates">>({
  markers: objectOf<Part<"markers">>({ label: textOf, separator: textOf }),
  promptFirst: trueOrFalseOf,
  prefixSpace: trueOrFalseOf,
  maxLabels: countFrom(2, 1000),
  templates: objectOf<Part<"templates">>({ choice: templatesOf, noul: templatesOf, score: templatesOf }),
});

export function readGliclassManifest(root: Field, common: Omit<CommonManifest, "family">): GliclassManifest {
  checkOverlap(root.get("limits").get("overlapTokens"), common);
  return { ...common, family: "gliclass", ...restOf(root), ...readEncoderParts(root, common) };
}

function trueOrFalseOf(field: Field): boolean {
  return field.keeps(TRUE_OR_FALSE) && field.value === true;
}

/** Windows must advance, also beside the longest labels. */
function checkOverlap(field: Field, { limits }: Pick<CommonManifest, "limits">): void {
  if (limits.overlapTokens >= limits.windowTokens - maxFixedTokens(limits))
    field.refuse("leaves a window no tokens of its own beside the longest labels", "unknown_value");
}
