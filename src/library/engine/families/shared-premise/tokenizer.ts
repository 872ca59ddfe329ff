// Imported by name: `Tokenizer` would bring every part there is, three quarters of which these packs do not use.
import { BertNormalizer, BertPreTokenizer } from "@huggingface/tokenizers";
import { DecideError } from "../../../../errors.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import type { Tokenize } from "../../tokens.ts";
import type { SharedPremiseManifest } from "./manifest.ts";
import type { Word } from "./unread.ts";
import { WordPieces } from "./word-pieces.ts";
import type { WordPieceModel } from "./word-pieces.ts";

/** A vocabulary of 120,000 words has 3 MB. */
const MAX_FILE_BYTES = 8_000_000;
/** What the parts of a word cost grows with the cube of this. */
const MAX_WORD_CHARACTERS = 200;
const MAX_PREFIX_CHARACTERS = 10;
/** How often longer all replacements together may make a text. */
const MAX_GROWTH = 16;

type Part<P extends abstract new (config: never) => unknown> = ConstructorParameters<P>[0];
type NormalizerPart = Part<typeof BertNormalizer>;
type ReplacePart = Extract<NormalizerPart, { type: "Replace" }>;

/** A tokenizer.json of the kind that packs have. */
interface TokenizerJson {
  readonly added_tokens: readonly unknown[];
  readonly normalizer: { readonly type: string; readonly normalizers: readonly NormalizerPart[] };
  readonly pre_tokenizer: { readonly type: string };
  readonly model: WordPieceModel;
}

export interface Tokenizer {
  readonly tokenize: Tokenize;
  /** The words of a text, punctuation marks among them. */
  readonly wordsOf: (text: string) => readonly Word[];
}

/** The tokenizer of a pack. @throws {DecideError} `model_invalid` when it is of another kind. */
export async function readTokenizer({ manifest, read }: Pick<ModelPack<SharedPremiseManifest>, "manifest" | "read">): Promise<Tokenizer> {
  const { file } = manifest.tokenizer;
  const bytes = await read(file);
  try {
    if (bytes.length > MAX_FILE_BYTES) throw new Error("it is too large");
    return makeTokenizer(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new DecideError(
      "model_invalid",
      `${file} is not a tokenizer that this version of umpire reads: install the pack and umpire together.`,
      { cause },
    );
  }
}

/**
 * A tokenizer from the content of a tokenizer.json.
 * @throws {Error} for any kind other than BERT's word pieces, with replacements before them and without added tokens, and for one that could take long.
 */
export function makeTokenizer(tokenizerJson: unknown): Tokenizer {
  const json = tokenizerJson as TokenizerJson;
  only("Sequence", json.normalizer.type);
  only("BertPreTokenizer", json.pre_tokenizer.type);
  only("WordPiece", json.model.type);
  if (json.added_tokens.length > 0) throw new Error("it has added tokens");
  checkCosts(json);
  const normalizers = json.normalizer.normalizers.map(normalizerOf);
  const words = new BertPreTokenizer();
  const pieces = new WordPieces(json.model);
  const split = (text: string): string[] =>
    // A lone surrogate has neither a token nor a UTF-8 form: like any encoder, we read it as the replacement character.
    words.pre_tokenize(normalizers.reduce((read, normalize) => normalize(read), text.toWellFormed()));
  return {
    tokenize: (text) => split(text).flatMap((word) => pieces.idsOf(word) ?? pieces.unknownId),
    wordsOf: (text) => split(text).map((word) => ({ text: word, pieces: pieces.idsOf(word)?.length ?? word.length })),
  };
}

/** Refuses what would take for ever, or fill the memory, or fail only when a text is read. */
function checkCosts({ model, normalizer }: TokenizerJson): void {
  const growth = normalizer.normalizers.map((part) => (part.type === "Replace" ? Math.max(1, lengthOf(part.content)) : 1));
  const { max_input_chars_per_word: longest = 0, continuing_subword_prefix: prefix } = model;
  const isFit =
    growth.reduce((product, times) => product * times, 1) <= MAX_GROWTH &&
    longest <= MAX_WORD_CHARACTERS &&
    lengthOf(prefix) <= MAX_PREFIX_CHARACTERS;
  if (!isFit) throw new Error("its parts do not fit together");
}

/** Of whatever stands in the place of a text. */
function lengthOf(value: unknown): number {
  return String(value).length;
}

type Normalize = (text: string) => string;

function normalizerOf(part: NormalizerPart): Normalize {
  if (part.type === "Replace") return replacing(part);
  only("BertNormalizer", part.type);
  const normalizer = new BertNormalizer(part);
  return (text) => normalizer.normalize(text);
}

/** A simple class of characters means the same in JavaScript. The library's `ReplaceNormalizer` reads any expression of Rust's, with 7 kB more of code. */
const SIMPLE_CLASS = /^\[[^\\[\]^&]+\]$/u;

function replacing({ pattern: { String: text, Regex: expression }, content }: ReplacePart): Normalize {
  if (text === "" || (text === undefined && !SIMPLE_CLASS.test(expression ?? "")))
    throw new Error("it replaces by an expression that is not read");
  const replaced = text ?? new RegExp(expression ?? "", "gu");
  return (given) => given.replaceAll(replaced, () => content);
}

function only(known: string, type: string): void {
  if (type !== known) throw new Error(`it has a ${type} where only ${known} is read`);
}
