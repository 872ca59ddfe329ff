import type { TokenLimits } from "../../library/engine/engine.ts";
import type { Manifest } from "../../library/engine/families/families.ts";
import type { HubTokenizer } from "../../library/tokenizer/hub-tokenizer.ts";
import { ToolError } from "../tool-error.ts";
import { labelsFrom, toLabels } from "./read-config.ts";
import type { ModelConfig, ModelTokenizer } from "./read-config.ts";

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

/** Flags that say what a model is. */
export interface Stated {
  readonly labels?: string | undefined;
  readonly template?: string | undefined;
}

/**
 * A model for natural language inference that reads text and statement side by side.
 * @throws {ToolError} if it is no such model
 */
export function pairKind(
  { modelType, labels: named, positions }: ModelConfig,
  { tokenizer, maxTokens }: ModelTokenizer,
  stated: Stated,
): ModelKind {
  const labels = stated.labels === undefined ? toLabels(named) : labelsFrom(stated.labels);
  const templates = templatesWith(stated.template);
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

/** Tokens of a row that are no one's text. */
function fixedTokens({ pair, tokenize }: HubTokenizer, templates: Templates): number {
  const special = pair.before.length + pair.between.length + pair.after.length;
  return special + Math.max(...Object.values<string>({ ...templates }).map((template) => tokenize(wordsOf(template)).length));
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

/** How a criterion is put to a model as a statement, by the type of its question. */
interface Templates {
  readonly choice: string;
  readonly noul: string;
  readonly score: string;
}

/** The default of models for natural language inference. */
const PAIR_TEMPLATES: Templates = {
  choice: "This is about {option}.",
  noul: "{instructions} {option}",
  score: "{instructions} {option}",
};

const MAX_CHARACTERS = 500;

/** The default templates, with that of choices as a person gave it. @throws {ToolError} */
function templatesWith(choice: string | undefined): Templates {
  return { ...PAIR_TEMPLATES, choice: checkedTemplate(choice) ?? PAIR_TEMPLATES.choice };
}

/** A template as a person gave it. @throws {ToolError} */
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

/** A template without the places that are filled. */
function wordsOf(template: string): string {
  return template.replaceAll(/\{(?:instructions|option)\}/gu, " ");
}
