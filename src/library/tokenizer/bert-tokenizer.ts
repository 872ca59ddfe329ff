import type { Language } from "../engine/load-language.ts";
import { DecideError } from "../../errors.ts";
import { bertNormalize, bertWords, type BertNormalizer } from "./bert-text.ts";

/** The cost of a word's parts grows with the square of this. */
const MAX_WORD_CHARACTERS = 200;
const MAX_PREFIX_CHARACTERS = 10;
/** How often longer all replacements together may make a text. */
const MAX_GROWTH = 16;

interface ReplacePart {
  readonly type: "Replace";
  readonly pattern: { readonly String?: string; readonly Regex?: string };
  readonly content: string;
}
type NormalizerPart = ReplacePart | (BertNormalizer & { readonly type: "BertNormalizer" });

/** A tokenizer.json of the kind that built-in packs have. Ids are checked when they are read: most never are, and to look at all takes as long as to parse them. */
interface TokenizerJson {
  readonly added_tokens: readonly unknown[];
  readonly normalizer: { readonly type: string; readonly normalizers: readonly NormalizerPart[] };
  readonly pre_tokenizer: { readonly type: string };
  readonly model: {
    readonly type: string;
    readonly vocab: { readonly [piece: string]: unknown };
    readonly unk_token: string;
    readonly continuing_subword_prefix?: string;
    readonly max_input_chars_per_word?: number;
  };
}

interface Word {
  /** In lower case, without accents. */
  readonly text: string;
  /** Its tokens; or its characters, if the vocabulary cannot spell it. */
  readonly pieces: number;
}

export interface BertTokenizer {
  /** Token ids, without special tokens. */
  readonly tokenize: (text: string) => readonly number[];
  /** The words of a text, punctuation marks among them. */
  readonly wordsOf: (text: string) => readonly Word[];
}

/**
 * The tokenizer of a built-in pack, from the content of its tokenizer.json: a small part of what `hub-tokenizer.ts` reads, for a small script of a page.
 * @throws {Error} for any kind other than BERT's word pieces, with replacements before them and without added tokens, and for one that could take long.
 */
export function makeBertTokenizer(tokenizerJson: unknown): BertTokenizer {
  const json = tokenizerJson as TokenizerJson;
  only("Sequence", json.normalizer.type);
  only("BertPreTokenizer", json.pre_tokenizer.type);
  only("WordPiece", json.model.type);
  if (json.added_tokens.length > 0) throw new Error("it has added tokens");
  checkCosts(json);
  const normalizers = json.normalizer.normalizers.map(normalizerOf);
  const { vocab, unk_token, continuing_subword_prefix = "##", max_input_chars_per_word = 100 } = json.model;
  const idOf = (piece: string): number | undefined => {
    // Objects have names that are no pieces, such as "constructor".
    if (!Object.hasOwn(vocab, piece)) return undefined;
    const id = vocab[piece];
    if (!Number.isSafeInteger(id)) throw new DecideError("model_invalid", "The tokenizer's vocabulary has ids that are not whole numbers.");
    return id as number;
  };
  const unknownId = idOf(unk_token);
  if (unknownId === undefined) throw new DecideError("model_invalid", "The tokenizer's vocabulary lacks the unknown token.");
  const longest = (): number => Object.keys(vocab).reduce((most, { length }) => Math.max(most, length), 0);
  const idsOf = wordPiece(idOf, longest, continuing_subword_prefix, max_input_chars_per_word);
  const split = (text: string): readonly string[] =>
    // A lone surrogate has neither a token nor a UTF-8 form: like any encoder, we read it as the replacement character.
    bertWords(normalizers.reduce((read, normalize) => normalize(read), text.toWellFormed()));
  return {
    tokenize: (text) => split(text).flatMap((word) => idsOf(word) ?? unknownId),
    wordsOf: (text) => split(text).map((word) => ({ text: word, pieces: idsOf(word)?.length ?? word.length })),
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

function normalizerOf(part: NormalizerPart): (text: string) => string {
  if (part.type === "Replace") return replacing(part);
  only("BertNormalizer", part.type);
  return (text) => bertNormalize(text, part);
}

/** A simple class of characters means the same in JavaScript. The `ReplaceNormalizer` of @huggingface/tokenizers reads any expression of Rust's, with 7 kB more of code. */
const SIMPLE_CLASS = /^\[[^\\[\]^&]+\]$/u;

function replacing({ pattern: { String: text, Regex: expression }, content }: ReplacePart): (text: string) => string {
  if (text === "" || (text === undefined && !SIMPLE_CLASS.test(expression ?? "")))
    throw new Error("it replaces by an expression that is not read");
  const replaced = text ?? new RegExp(expression ?? "", "gu");
  return (given) => given.replaceAll(replaced, () => content);
}

function only(known: string, type: string): void {
  if (type !== known) throw new Error(`it has a ${type} where only ${known} is read`);
}

/** In a word of so many characters no part is longer than pieces are. */
const SHORT_WORD = 16;

/**
 * BERT's word pieces: the longest piece first, then the longest of those that go on within a word.
 * Ours, since the library tries every part of a word and takes ten seconds for a text of long ones: `bert-tokenizer.test.ts`, "reads long words".
 * @param idOf the id of a piece that text may become
 * @param longest how many characters the longest piece has. Asked once, when a long word comes: to look at a whole vocabulary takes half as long as to parse it.
 * @param prefix what pieces within a word begin with
 * @param maxCharacters longer words, in code points, are unknown
 * @returns ids of a word's pieces; undefined for a word with a part that is unknown
 */
export function wordPiece(
  idOf: (piece: string) => number | undefined,
  longest: () => number,
  prefix: string,
  maxCharacters: number,
): (word: string) => readonly number[] | undefined {
  let longestPiece: number | undefined;
  return (word) => {
    if (word.length > maxCharacters && Array.from(word).length > maxCharacters) return undefined;
    const most = word.length <= SHORT_WORD ? word.length : (longestPiece ??= longest());
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      let end = Math.min(word.length, start + most);
      let id: number | undefined;
      for (; start < end; end -= 1) {
        const text = word.slice(start, end);
        id = idOf(start === 0 ? text : prefix + text);
        if (id !== undefined) break;
      }
      if (id === undefined) return undefined;
      ids.push(id);
      start = end;
    }
    return ids;
  };
}

/** A word in pieces of up to so many characters on average is unread. English words that are not in the vocabulary have longer ones. */
const MAX_PIECE = 3;
/** Fewer characters in unread words say nothing: names, products and remedies may be the whole text. Unless so many stand without a space: a key. */
const ENOUGH_CHARACTERS = 40;
const KEY = /\S{32}/u;
/** A word in another script has so many, whatever its length. */
const OTHER_SCRIPT = 8;

/**
 * Whether a model with this vocabulary cannot read a text. It cannot if the text is in another language. Nor if the text is not English and the model does
 * not know more than half of its words, or four fifths of their characters. Only words with letters count. Those that also have digits count half, so
 * that a log line may have ids. A text of signs alone, such as emoji, is unread.
 */
export function isUnread(text: string, words: readonly Word[], { isEnglish, isForeign }: Language): boolean {
  if (words.length > 0 && words.every((word) => !/[\p{L}\p{N}]/u.test(word.text))) return true;
  return isForeign(text) || (isUnknown(words, KEY.test(text) ? 0 : ENOUGH_CHARACTERS) && !isEnglish(text));
}

function isUnknown(words: readonly Word[], enough: number): boolean {
  let [all, unread, characters, unreadCharacters] = [0, 0, 0, 0];
  for (const { text, pieces } of words) {
    if (!/\p{L}/u.test(text)) continue;
    const weight = /\d/.test(text) ? 0.5 : 1;
    const isOther = /(?!\p{sc=Latin})\p{L}/u.test(text);
    const length = isOther ? OTHER_SCRIPT : text.length;
    all += weight;
    characters += length;
    // Of single letters only "a" and "I" are words.
    if (isOther || (pieces > 1 ? length <= MAX_PIECE * pieces : /^[^ai]$/.test(text))) {
      unread += weight;
      unreadCharacters += length;
    }
  }
  return unreadCharacters >= enough && (unread > 0.5 * all || unreadCharacters > 0.8 * characters);
}
