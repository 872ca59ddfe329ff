import { partOf, textOf, unsupported } from "./part.ts";

/** What a Replace or a Split looks for, in the terms of JavaScript: `g` and `u`, and never a match without characters. */
export function patternOf(value: unknown, what: string): RegExp {
  const { String: text, Regex: expression } = partOf(value, `${what}'s pattern`);
  if (text !== undefined) return literalOf(textOf(text, `${what}'s text`, MAX_EXPRESSION_CHARACTERS), what);
  const source = textOf(expression, `${what}'s expression`, MAX_EXPRESSION_CHARACTERS);
  const known = KNOWN.get(source) ?? (CLASSES.test(source) ? inJavaScript(source) : undefined);
  try {
    if (known !== undefined && !new RegExp(`^(?:${known})$`, "u").test("")) return new RegExp(known, "gu");
  } catch {
    // A property or a range that there is not: as unsupported as any other expression.
  }
  throw unsupported(`${what}'s expression`, source);
}

const MAX_EXPRESSION_CHARACTERS = 1000;

/** @throws {Error} for an empty text */
export function literalOf(text: string, what: string): RegExp {
  if (text === "") throw new Error(`${what} looks for an empty text`);
  return new RegExp(text.toWellFormed().replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "gu");
}

/** What Rust's `\s` means. JavaScript's has U+FEFF, too, and lacks U+0085. */
const SPACE = String.raw`\p{White_Space}`;

const CLASSES_IN_JAVASCRIPT: Readonly<Record<string, string>> = {
  s: SPACE,
  S: String.raw`\P{White_Space}`,
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  "-": String.raw`\x2d`,
};

const WORDS = String.raw` ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;
const SINCE_GPT2 = [`'s|'t|'re|'ve|'m|'ll|'d|${WORDS}`, `'(?:[sdmt]|ll|ve|re)|${WORDS}`] as const;

/** What byte-level tokenizers cut texts by, since GPT-2. */
export const GPT2 = inJavaScript(SINCE_GPT2[0]);

/** Of Llama 3, Qwen and others. */
function sinceCl100k(contractions: string, digits: string): string {
  const others = String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;
  return String.raw`${contractions}|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}${digits}|${others}`;
}
const PUBLISHED_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
/** JavaScript's `(?i:` is young. The long s is an s to Rust. */
const CONTRACTIONS = "'(?:[sSſ]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])";

/**
 * Expressions of published tokenizers, and the same for JavaScript. They read any text in a time that grows with its length alone.
 * A stranger's expression may take for ever, and nobody could stop it.
 */
const KNOWN = new Map([
  ...SINCE_GPT2.map((published) => [published, inJavaScript(published)] as const),
  ...["", "{1,3}"].map((digits) => [sinceCl100k(PUBLISHED_CONTRACTIONS, digits), inJavaScript(sinceCl100k(CONTRACTIONS, digits))] as const),
]);

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

/** The same expression for JavaScript: Rust's classes, and no escape of what needs none. */
function inJavaScript(source: string): string {
  return source.replace(/\\([^])/g, (escape, escaped: string) => {
    const kept = /[\^$.*+?()[\]{}|/\\nrtpP]/.test(escaped) ? escape : escaped;
    return CLASSES_IN_JAVASCRIPT[escaped] ?? kept;
  });
}
