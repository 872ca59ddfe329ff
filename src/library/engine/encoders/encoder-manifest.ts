import type { Field } from "../../validation/field.ts";
import type { Precision } from "../engine.ts";
import type { CommonManifest } from "../pack/manifest.ts";
import { listOf, nameOf, objectOf, optional, plainNameOf, textOf, trueOf, type Reader } from "../pack/manifest-fields.ts";

export const INPUTS = ["input_ids", "attention_mask", "token_type_ids"] as const;

/** An input of a published graph, int64 [rows, length]. */
export type EncoderInput = (typeof INPUTS)[number];

/** A graph of a pack, and its weights if they lie in files of their own: by the names that the graph has for them. */
export interface GraphFiles {
  readonly file: string;
  readonly externalData?: readonly string[];
}

/** A published encoder's own part of its manifest. */
export interface EncoderManifest extends CommonManifest {
  readonly tokenizer: { readonly file: string };
  readonly graph: {
    /** The first two are always there. */
    readonly inputs: readonly EncoderInput[];
    readonly output: string;
    /** Present if padding changes the output, although it is masked: then only rows of one length share a run. */
    readonly isUnpadded?: true;
  };
  /** One at least. */
  readonly graphs: { readonly [P in Precision]?: GraphFiles };
}

type Part<Name extends keyof EncoderManifest> = EncoderManifest[Name];
type EncoderParts = Pick<EncoderManifest, "tokenizer" | "graph" | "graphs">;

/** Reads the part that the manifests of all published encoders have. */
export function readEncoderParts(root: Field, { files }: Pick<CommonManifest, "files">): EncoderParts {
  const listedFileOf: Reader<string> = (field) => {
    const name = plainNameOf(field);
    if (name !== "" && !Object.hasOwn(files, name)) field.refuse("must be one of the manifest's files", "unknown_value");
    return name;
  };
  const graphFilesOf = optional(objectOf<GraphFiles>({ file: listedFileOf, externalData: optional(listOf(listedFileOf)) }));
  const graphsOf = objectOf<Part<"graphs">>({ int8: graphFilesOf, fp32: graphFilesOf, fp16: graphFilesOf });
  const graphs = graphsOf(root.get("graphs"));
  if (Object.keys(graphs).length === 0) root.get("graphs").refuse("must have int8, fp32 or fp16", "unknown_value");
  return {
    tokenizer: objectOf<Part<"tokenizer">>({ file: listedFileOf })(root.get("tokenizer")),
    graph: objectOf<Part<"graph">>({ inputs: inputsOf, output: plainNameOf, isUnpadded: optional(trueOf) })(root.get("graph")),
    graphs,
  };
}

function inputsOf(field: Field): EncoderInput[] {
  const inputs = listOf((input) => nameOf(input, INPUTS))(field);
  const isWhole = inputs.includes("input_ids") && inputs.includes("attention_mask") && new Set(inputs).size === inputs.length;
  if (Array.isArray(field.value) && !isWhole) field.refuse("must have input_ids and attention_mask, and each name once", "unknown_value");
  return inputs;
}

const PLACE = /\{(instructions|option)\}/g;
const MAX_CHARACTERS = 1000;

/**
 * The template with the texts in their places. In the texts nothing has a meaning, braces and `$&` neither. Without instructions, no white space is left where
 * they would begin or end it.
 */
export function filled(template: string, texts: { readonly instructions: string; readonly option: string }): string {
  const asked = texts.instructions === "" ? template.replace("{instructions}", "") : template;
  return asked.trim().replace(PLACE, (_, name: keyof typeof texts) => texts[name]);
}

/** A template of a manifest: it has `{option}` once, and `{instructions}` once at most. */
export function templateOf(field: Field): string {
  const isRight = (places: readonly string[]): boolean => places.includes("{option}") && new Set(places).size === places.length;
  return templateThat(field, isRight, "{option} once, {instructions} at most once");
}

/** A template of a manifest for the instructions alone: it has `{instructions}` once. */
export function promptOf(field: Field): string {
  return templateThat(field, (places) => places.join() === "{instructions}", "{instructions} once, no {option}");
}

function templateThat(field: Field, isRight: (places: readonly string[]) => boolean, words: string): string {
  const template = textOf(field);
  const places = Array.from(template.matchAll(PLACE), ([place]) => place);
  if (template !== "" && !(isRight(places) && template.length <= MAX_CHARACTERS))
    field.refuse(`must have ${words}, and up to ${MAX_CHARACTERS} characters`, "unknown_value");
  return template;
}
