import { ReplaceNormalizer } from "@huggingface/tokenizers";

/** An object of a tokenizer.json: nothing about it is known yet, as such files come from strangers. */
export type Part = Readonly<Record<string, unknown>>;

/** @throws {Error} `what` has another shape */
export function partOf(value: unknown, what: string): Part {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`);
  return value as Part;
}

export function listOf(value: unknown, what: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new Error(`${what} is not an array of at most ${most} items`);
  return value;
}

const MAX_PARTS = 20;

/**
 * The parts of a tokenizer.json's normalizer, pre-tokenizer or post-processor, which may be one, a sequence or none.
 * @param list what a sequence calls its list
 */
export function partsOf(value: unknown, kind: string, list: string): readonly Part[] {
  if (value === null || value === undefined) return [];
  const part = partOf(value, `its ${kind}`);
  if (part["type"] !== "Sequence") return [part];
  return listOf(part[list], `its ${kind}'s sequence`, MAX_PARTS).map((inner) => {
    const innerPart = partOf(inner, `its ${kind}`);
    if (innerPart["type"] === "Sequence") throw unsupported(kind, "Sequence in a Sequence");
    return innerPart;
  });
}

export function textOf(value: unknown, what: string, most: number): string {
  if (typeof value !== "string" || value.length > most) throw new Error(`${what} is not a text of at most ${most} characters`);
  return value;
}

export function flagOf(value: unknown, what: string, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== "boolean") throw new Error(`${what} is neither true nor false`);
  return value;
}

/** Ids above this belong to no model: 260,000 tokens are many. */
const MAX_ID = 2_000_000;

export function idOf(value: unknown, what: string): number {
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > MAX_ID)
    throw new Error(`${what} is not a whole number from 0 to ${MAX_ID}`);
  return Number(value);
}

/** A part of a kind that is not supported: what there is, quoted and cut. */
export function unsupported(what: string, kind: unknown): Error {
  const quoted = typeof kind === "string" ? JSON.stringify(kind.slice(0, 100)) : `of type ${typeof kind}`;
  return new Error(`its ${what} ${quoted} is not supported`);
}

const MAX_EXPRESSION_CHARACTERS = 1000;

/** Cuts of byte-level tokenizers, since GPT-2. */
const WORDS = String.raw` ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;
export const GPT2 = `'s|'t|'re|'ve|'m|'ll|'d|${WORDS}`;

/** Of Llama 3, Qwen and others. */
const sinceCl100k = (digits: string): string =>
  String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}${digits}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

/**
 * Expressions of published tokenizers. They read any text in a time that grows with its length alone.
 * A stranger's expression may take for ever, and nobody could stop it.
 */
const KNOWN = [GPT2, `'(?:[sdmt]|ll|ve|re)|${WORDS}`, sinceCl100k(""), sinceCl100k("{1,3}")];

/**
 * Characters and classes of them, repeated or not, with "or" in between: what such an expression finds at a place, it finds in one go.
 * Within a class: no other class, no "and", no negation by a letter but \S, \D, \P.
 */
const CLASSES = (() => {
  const escaped = String.raw`\\(?:[sSdDnrt]|[pP]\{[A-Z][A-Za-z]?\}|[^\sa-zA-Z0-9])`;
  const simple = `(?:${escaped}|[^\\\\^$.*+?()[\\]{}|])`;
  const inClass = `(?:${escaped}|[^\\\\[\\]^&])`;
  const one = `(?:${simple}|\\[\\^?${inClass}+\\])(?:\\+|\\{\\d{1,2},?\\}|\\{\\d{1,2},\\d{1,2}\\})?`;
  return new RegExp(`^${one}(?:\\|${one})*$`, "u");
})();

/** The pattern of a Replace or a Split, as the library translates it: `g` and `u`, and never a match without characters. */
export function patternOf(value: unknown, what: string): RegExp {
  const { String: text, Regex: expression } = partOf(value, `${what}'s pattern`);
  if (text === "") throw new Error(`${what} looks for an empty text`);
  if (text !== undefined) return translated({ String: textOf(text, `${what}'s text`, MAX_EXPRESSION_CHARACTERS).toWellFormed() });
  const source = textOf(expression, `${what}'s expression`, MAX_EXPRESSION_CHARACTERS);
  try {
    if (KNOWN.includes(source) || CLASSES.test(source)) {
      // The long s is an s to Rust, and not to the library: `pre-tokenizers.test.ts`, "an old long s".
      const pattern = translated({ Regex: source.replace("(?i:'s|", "(?i:'[sſ]|") });
      if (!new RegExp(`^(?:${pattern.source})$`, "u").test("")) return pattern;
    }
  } catch {
    // A property or a range that there is not: as unsupported as any other expression.
  }
  throw unsupported(`${what}'s expression`, source);
}

function translated(pattern: { readonly String: string } | { readonly Regex: string }): RegExp {
  const { pattern: made } = new ReplaceNormalizer({ type: "Replace", pattern, content: "" });
  if (made === null) throw new Error("the library reads no such pattern");
  return made;
}
