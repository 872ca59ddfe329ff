import type { TokenLimits } from "../../library/engine/engine.ts";
import type { Manifest } from "../../library/engine/families/families.ts";
import type { HubTokenizer } from "../../library/tokenizer/hub-tokenizer.ts";
import { isPlainObject } from "../../library/validation/field.ts";
import type { ModelKind } from "./pair-manifest.ts";
import { ToolError } from "../tool-error.ts";

type Gliclass = Extract<Manifest, { family: "gliclass" }>;

/** A model's configuration, as the family reads it. Graphs differ: some give one number a label, and others always the same number. */
interface GliclassKind extends ModelKind {
  readonly fields: Pick<Gliclass, "markers" | "promptFirst" | "prefixSpace" | "maxLabels" | "templates">;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a config.json is of a GLiClass model, of any architecture. */
export function isGliclass({ model_type: type, architecture_type: architecture }: JsonObject): boolean {
  return String(type).toLowerCase() === "gliclass" || (type === undefined && typeof architecture === "string");
}

/** Other architectures, each with what completes "It is ...". */
const OTHERS: ReadonlyMap<unknown, string> = new Map([
  ["bi-encoder", "a bi-encoder, which reads labels with a second model"],
  ["bi-encoder-fused", "a fused bi-encoder, which reads labels with a second model"],
  ["encoder-decoder", "an encoder with a decoder, which read labels and text apart"],
  ["encoder-decoder-cls", "an encoder with a decoder, which read labels and text apart"],
  ["decoder-kv", "a decoder, as models that write text are"],
]);

const MARKERS = { label: "<<LABEL>>", separator: "<<SEP>>" };

/** Tokens that only the family places, whatever the tokenizer's file says of them: the `marks` of `makeHubTokenizer`. */
export const GLICLASS_MARKS: readonly string[] = Object.values(MARKERS);

/**
 * The manifest's part for a GLiClass model.
 * @param config the content of its config.json
 * @param tokenizer with the marks above
 * @param template what the model reads of a choice's option, with `{option}` and maybe `{instructions}`. Default: the option.
 * @throws {ToolError} for another architecture than the uni-encoder, and for a tokenizer that does not belong to it.
 */
export function gliclassKind(config: JsonObject, tokenizer: Pick<HubTokenizer, "idOf">, template = "{option}"): GliclassKind {
  checkArchitecture(config);
  checkMarkers(config, tokenizer);
  const { prompt_first: promptFirst, max_num_classes: maxLabels } = config;
  const encoder = encoderOf(config);
  const plain = { label: "{option}", prompt: "{instructions}" };
  return {
    family: "gliclass",
    words: "GLiClass model (uni-encoder)",
    fields: {
      markers: MARKERS,
      promptFirst: promptFirst === true,
      // Its authors load it so, and measured what it is worth; the published tokenizer.json does not say it.
      prefixSpace: encoder["model_type"] === "modernbert",
      maxLabels: isCount(maxLabels) ? Math.min(MOST_LABELS, Math.max(2, maxLabels)) : DEFAULT_MAX_LABELS,
      templates: { choice: { ...plain, label: template }, noul: plain, score: plain },
    },
    classes: undefined,
    limits: limitsOf(encoder),
  };
}

/** Of the package's configuration. */
const DEFAULT_MAX_LABELS = 25;
const MOST_LABELS = 1000;

function checkArchitecture({ architecture_type: architecture = "uni-encoder", use_segment_embeddings: hasSegments }: JsonObject): void {
  if (architecture !== "uni-encoder") {
    const what = OTHERS.get(architecture) ?? "of an architecture that umpire does not know";
    throw new ToolError(`This GLiClass model is not a uni-encoder: it is ${what}. Take one whose config.json says "uni-encoder".`);
  }
  if (hasSegments === true)
    throw new ToolError(
      "This GLiClass model has segment embeddings, which an exported graph keeps as they were in the example that it was exported with. Take another model.",
    );
}

function checkMarkers(
  { class_token_index: labelId, text_token_index: separatorId }: JsonObject,
  tokenizer: Pick<HubTokenizer, "idOf">,
): void {
  const check = (marker: string, stated: unknown): void => {
    const id = tokenizer.idOf(marker);
    if (id === undefined)
      throw new ToolError(
        `tokenizer.json has no token ${marker}, with which GLiClass marks labels. Download the model's own tokenizer.json.`,
      );
    // -1 stands for "the first that is free".
    if (isCount(stated) && stated !== id)
      throw new ToolError(
        `${marker} is token ${id} in tokenizer.json and ${stated} in config.json: they do not belong together. Download the model again.`,
      );
  };
  check(MARKERS.label, labelId);
  check(MARKERS.separator, separatorId);
}

const STATE_TOKENS = 16_384;
/** Default of the authors' package: labels share the window with the text. */
const MAX_WINDOW_TOKENS = 1024;
const UNKNOWN_POSITIONS = 512;
const MIN_WINDOW_TOKENS = 64;

/** @throws {ToolError} for a model that takes next to nothing */
function limitsOf(encoder: JsonObject): TokenLimits {
  const windowTokens = Math.min(MAX_WINDOW_TOKENS, positionsOf(encoder));
  if (windowTokens < MIN_WINDOW_TOKENS)
    throw new ToolError(`The model takes only ${windowTokens} tokens at a time, and umpire needs ${MIN_WINDOW_TOKENS} or more.`);
  const part = (share: number): number => Math.floor(windowTokens * share);
  return {
    stateTokens: STATE_TOKENS,
    windowTokens,
    overlapTokens: part(1 / 8),
    instructionsTokens: part(1 / 4),
    optionTokens: part(1 / 8),
  };
}

function positionsOf({
  max_position_embeddings: positions,
  relative_attention: isRelative,
  position_biased_input: isBiased,
}: JsonObject): number {
  // DeBERTa-v3 has no table of positions, only distances.
  if (isRelative === true && isBiased === false) return Infinity;
  return isCount(positions) ? positions : UNKNOWN_POSITIONS;
}

function encoderOf({ encoder_config: encoder }: JsonObject): JsonObject {
  return isPlainObject(encoder) ? encoder : {};
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
