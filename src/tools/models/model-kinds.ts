import type { TokenLimits } from "../../library/engine/engine.ts";
import type { Manifest } from "../../library/engine/families/families.ts";
import type { HubTokenizer } from "../../library/tokenizer/hub-tokenizer.ts";
import { ToolError } from "../tool-error.ts";
import type { JsonObject } from "./model-source.ts";
import { labelsFrom, toLabels, type ModelConfig, type ModelTokenizer } from "./read-config.ts";
import { isPlainObject } from "../../library/validation/field.ts";

/** A model's configuration, as its family reads it: its own part of the manifest, without what all published encoders have. */
export interface ModelKind {
  readonly family: Manifest["family"];
  /** Its purpose and how it works, in a few words that follow its name and a colon. */
  readonly words: string;
  /** Besides the common part, `tokenizer`, `graph` and `graphs`. */
  readonly fields: object;
  /** How many numbers its graph gives for a text; undefined: any. */
  readonly classes: number | undefined;
  readonly limits: TokenLimits;
  /** Whether padding changes what it says, although it is masked. Default: false. */
  readonly isUnpadded?: boolean;
}

export interface Stated {
  readonly labels?: string | undefined;
  readonly template?: string | undefined;
}

/** A model for natural language inference that reads text and statement side by side. @throws {ToolError} if it is no such model */
export function pairKind(
  { modelType, labels: named, positions }: ModelConfig,
  { tokenizer, maxTokens }: ModelTokenizer,
  stated: Stated,
): ModelKind {
  const labels = stated.labels === undefined ? toLabels(named) : labelsFrom(stated.labels);
  const templates = { ...PAIR_TEMPLATES, choice: checkedTemplate(stated.template) ?? PAIR_TEMPLATES.choice };
  return {
    family: "pair",
    words: `for natural language inference${modelType === "" ? "" : ` (${modelType.slice(0, 40)})`}; reads each option beside the text`,
    fields: { labels, templates },
    classes: labels.length,
    limits: limitsFor([positions, maxTokens], fixedTokens(tokenizer, templates)),
    // It reads each token with its neighbours, and the last token's is the padding.
    isUnpadded: modelType === "mobilebert",
  };
}

function fixedTokens({ pair, tokenize }: HubTokenizer, templates: Templates): number {
  const special = pair.before.length + pair.between.length + pair.after.length;
  const words = Object.values<string>({ ...templates }).map((template) => template.replaceAll(/\{(?:instructions|option)\}/gu, " "));
  return special + Math.max(...words.map((text) => tokenize(text).length));
}

const STATE_TOKENS = 16_384;
/** Models that take more are trained on texts that are as short, and their time grows with the square of it. */
const MAX_WINDOW_TOKENS = 512;
const OVERLAP_TOKENS = 64;
const INSTRUCTIONS_TOKENS = 128;
const OPTION_TOKENS = 64;
/** Least part of a window that is left for the text. */
const MIN_TEXT_TOKENS = 32;
/** Fewer are not enough for a question. */
const MIN_QUESTION_TOKENS = 24;

/**
 * The limits of a model that reads a question beside each window of the text. What a small model has beside the text is shared between instructions and option
 * as in a large one.
 * @param positions the most tokens that its configuration allows; undefined: any number
 * @param fixedTokens what stands in each row besides: special tokens, and the words of the longest template
 * @throws {ToolError} for a model that takes next to nothing
 */
function limitsFor(positions: readonly (number | undefined)[], fixedTokens: number): TokenLimits {
  const windowTokens = Math.min(MAX_WINDOW_TOKENS, ...positions.filter((limit) => limit !== undefined));
  const forQuestion = Math.min(windowTokens - fixedTokens - MIN_TEXT_TOKENS, INSTRUCTIONS_TOKENS + OPTION_TOKENS);
  if (forQuestion < MIN_QUESTION_TOKENS)
    throw new ToolError(
      `The model takes ${windowTokens} tokens at a time, of which ${fixedTokens} are its own and its template's. That leaves too few for a question beside the text.`,
    );
  const optionTokens = Math.floor(forQuestion / 3);
  return {
    stateTokens: STATE_TOKENS,
    windowTokens,
    overlapTokens: Math.min(OVERLAP_TOKENS, Math.floor(windowTokens / 8)),
    instructionsTokens: forQuestion - optionTokens,
    optionTokens,
  };
}

type Templates = Readonly<Record<"choice" | "noul" | "score", string>>;

const PAIR_TEMPLATES: Templates = {
  choice: "This is about {option}.",
  noul: "{instructions} {option}",
  score: "{instructions} {option}",
};

const MAX_CHARACTERS = 500;

export function checkedTemplate(choice: string | undefined): string | undefined {
  if (choice === undefined) return undefined;
  if (!choice.includes("{option}"))
    throw new ToolError('The template has no {option}, so every option would read the same. Write one such as "This is about {option}."');
  if (choice.split("{option}").length > 2 || choice.split("{instructions}").length > 2)
    throw new ToolError("The template has {option} or {instructions} twice. Each may stand in it once.");
  if (choice.length > MAX_CHARACTERS)
    throw new ToolError(`The template has ${choice.length} characters, more than the ${MAX_CHARACTERS} that it may have.`);
  return choice;
}

type Gliclass = Extract<Manifest, { family: "gliclass" }>;

/** A model's configuration, as the family reads it. Graphs differ: some give one number a label, and others always the same number. */
interface GliclassKind extends ModelKind {
  readonly fields: Pick<Gliclass, "markers" | "promptFirst" | "prefixSpace" | "maxLabels" | "templates">;
}

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
  const encoder = isPlainObject(config["encoder_config"]) ? config["encoder_config"] : {};
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
    limits: gliclassLimits(encoder),
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

/** Default of the authors' package: labels share the window with the text. */
const MAX_GLICLASS_WINDOW = 1024;
const UNKNOWN_POSITIONS = 512;
const MIN_WINDOW_TOKENS = 64;

/** @throws {ToolError} for a model that takes next to nothing */
function gliclassLimits(encoder: JsonObject): TokenLimits {
  const windowTokens = Math.min(MAX_GLICLASS_WINDOW, positionsIn(encoder));
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

function positionsIn({
  max_position_embeddings: positions,
  relative_attention: isRelative,
  position_biased_input: isBiased,
}: JsonObject): number {
  // DeBERTa-v3 has no table of positions, only distances.
  if (isRelative === true && isBiased === false) return Infinity;
  return isCount(positions) ? positions : UNKNOWN_POSITIONS;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
