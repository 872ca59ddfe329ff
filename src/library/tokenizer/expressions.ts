import { ReplaceNormalizer } from "@huggingface/tokenizers";
import { partOf, textOf, unsupported } from "./json-part.ts";

const MAX_EXPRESSION_CHARACTERS = 1000;

/** What byte-level tokenizers cut texts by, since GPT-2. */
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

/** What a Replace or a Split looks for, as the library translates it: `g` and `u`, and never a match without characters. */
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
