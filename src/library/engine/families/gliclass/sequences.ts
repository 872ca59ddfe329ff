import type { HubTokenizer, SpecialToken } from "../../../tokenizer/hub-tokenizer.ts";
import { filled } from "../../encoders/encoder-manifest.ts";
import type { QuestionText } from "../../engine.ts";
import { distinctInOrder } from "../../batch.ts";
import type { Tokenize } from "../../batch.ts";
import type { GliclassManifest } from "./manifest.ts";

/** A question as the model reads it: what stands before and behind each window of the text. */
export interface Framed {
  readonly before: readonly number[];
  readonly behind: readonly number[];
  /** Tokens of each distinct label, in the order of the scores. */
  readonly labels: readonly (readonly number[])[];
  /** For each of the question's options, the index of its label. */
  readonly labelOf: readonly number[];
  /** Whether the text follows words, and not a token that ends them. */
  readonly followsWords: boolean;
}

/** Token ids of the two markers. */
export interface MarkerIds {
  readonly label: number;
  readonly separator: number;
}

/**
 * Puts a question around a text: `[CLS] <<LABEL>> label <<LABEL>> label <<SEP>> prompt text [SEP]`, or the text first. Labels stand in an order of their own,
 * equal ones once, so the caller's order has no effect.
 */
export function framed(
  { type, instructions, options }: QuestionText,
  { templates, promptFirst }: Pick<GliclassManifest, "templates" | "promptFirst">,
  { pair }: Pick<HubTokenizer, "pair">,
  markers: MarkerIds,
  tokenize: Tokenize,
): Framed {
  const template = templates[type];
  const read = options.map(({ text }) => tokenize(filled(template.label, { instructions, option: text })));
  const labels = distinctInOrder(read);
  const places = new Map(labels.map((tokens, i) => [String(tokens), i]));
  const prompt = instructions.trim() === "" ? [] : tokenize(filled(template.prompt, { instructions, option: "" }));
  const asked = [...labels.flatMap((tokens) => [markers.label, ...tokens]), markers.separator, ...prompt];
  const [start, end] = [idsOf(pair.before), idsOf(pair.after)];
  return {
    before: promptFirst ? [...start, ...asked] : start,
    behind: promptFirst ? end : [...asked, ...end],
    labels,
    labelOf: read.map((tokens) => places.get(String(tokens)) ?? NaN),
    followsWords: promptFirst && prompt.length > 0,
  };
}

/** A text's tokens. Behind words it is set off by a space, which some tokenizers write into the next token. */
export function textTokens(text: string, { followsWords }: Pick<Framed, "followsWords">, tokenize: Tokenize): readonly number[] {
  return tokenize(followsWords && text !== "" && !text.startsWith(" ") ? ` ${text}` : text);
}

function idsOf(tokens: readonly SpecialToken[]): number[] {
  return tokens.map(({ id }) => id);
}
