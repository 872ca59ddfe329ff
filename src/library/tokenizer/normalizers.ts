import { bertNormalize, lowercase } from "./bert-text.ts";
import { flagOf, partsOf, patternOf, textOf, unsupported, type Part } from "./json-part.ts";

type Normalize = (text: string) => string;

/** How often longer all replacements together may make a text. Unicode's own forms, which no file can choose, make it up to 18 times as long besides. */
const MAX_GROWTH = 32;
const MAX_CONTENT_CHARACTERS = 16;

interface Step {
  readonly normalize: Normalize;
  readonly growth: number;
}

/** @throws {Error} a part is not supported, or a text could grow without measure */
export function normalizerOf(value: unknown): Normalize {
  const steps = partsOf(value, "normalizer", "normalizers").map(stepOf);
  if (steps.reduce((product, { growth }) => product * growth, 1) > MAX_GROWTH)
    throw new Error(`its normalizer could make a text more than ${MAX_GROWTH} times as long`);
  return (text) => steps.reduce((read, { normalize }) => normalize(read), text);
}

function stepOf(part: Part): Step {
  const type = part["type"];
  switch (type) {
    case "BertNormalizer":
      return { normalize: bert(part), growth: 1 };
    case "Precompiled":
      return charsmapOf(part["precompiled_charsmap"]);
    case "NFC":
    case "NFD":
    case "NFKC":
    case "NFKD":
      return { normalize: (text) => text.normalize(type), growth: 1 };
    case "Lowercase":
      return { normalize: lowercase, growth: 1 };
    case "StripAccents":
      return { normalize: (text) => text.replace(/\p{M}/gu, ""), growth: 1 };
    case "Strip":
      return { normalize: strip(part), growth: 1 };
    case "Replace":
      return replace(part);
    case "Prepend": {
      const content = contentOf(part["prepend"], "what the normalizer prepends");
      return { normalize: (text) => (text === "" ? "" : content + text), growth: 1 };
    }
    default:
      throw unsupported("normalizer", type);
  }
}

function bert(part: Part): Normalize {
  const isLower = flagOf(part["lowercase"], "the normalizer's lowercase", true);
  const options = {
    clean_text: flagOf(part["clean_text"], "the normalizer's clean_text", true),
    handle_chinese_chars: flagOf(part["handle_chinese_chars"], "the normalizer's handle_chinese_chars", true),
    lowercase: isLower,
    strip_accents: flagOf(part["strip_accents"], "the normalizer's strip_accents", isLower),
  };
  return (text) => bertNormalize(text, options);
}

const IS_SPACE = /\p{White_Space}/u;

/**
 * Without the white space at its ends: to the library U+FEFF is some, too (`agreement.test.ts`, "deberta-unigram").
 * By hand, since an expression for the end of a text tries every run of spaces.
 */
function strip(part: Part): Normalize {
  const isLeft = flagOf(part["strip_left"], "the normalizer's strip_left", true);
  const isRight = flagOf(part["strip_right"], "the normalizer's strip_right", true);
  return (text) => {
    let from = 0;
    let to = text.length;
    if (isLeft) while (from < to && IS_SPACE.test(text.charAt(from))) from += 1;
    if (isRight) while (to > from && IS_SPACE.test(text.charAt(to - 1))) to -= 1;
    return text.slice(from, to);
  };
}

/** The library would read `$&` in what stands in instead. */
function replace(part: Part): Step {
  const pattern = patternOf(part["pattern"], "the normalizer");
  const content = contentOf(part["content"], "the normalizer's content");
  return { normalize: (text) => text.replace(pattern, () => content), growth: Math.max(1, content.length) };
}

function contentOf(value: unknown, what: string): string {
  return textOf(value, what, MAX_CONTENT_CHARACTERS).toWellFormed();
}

const MAX_BASE64_CHARACTERS = 2_000_000;
/** The longest of nmt_nfkc has 18 characters. */
const MAX_RULE_CHARACTERS = 32;
/** Clusters of more bytes are read character by character: SentencePiece's rules are for short ones. */
const MAX_CLUSTER_BYTES = 5;

/** Characters that join the one before them: marks, joiners, variation selectors, half-width voice marks, skin tones. */
const JOINING = String.raw`[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u200d\u0e33\u0eb3]`;
const CONTROL = String.raw`\p{Cc}\p{Zl}\p{Zp}\ufeff\u200b\u200e\u200f\u00ad\u061c\u180e\u202a-\u202e\u2060-\u206f`;
/** Graphemes: each is one character to people. */
const CLUSTERS = new RegExp(String.raw`\r\n|[^${CONTROL}]${JOINING}+|[^]`, "gu");
/** A printable character of ASCII may have a mark after it. */
const ALL_BUT_PRINTABLE = /[ -~]?[^ -~]+/gu;

const encoder = new TextEncoder();

/**
 * SentencePiece's compiled normalization rules ("Precompiled"): a double array of UTF-8 bytes, and the texts that replace.
 * A cluster is replaced as a whole by the rule of its shortest beginning that has one, as tokenizers does.
 * @returns a function of a text, and how often longer it may make it
 */
function charsmapOf(base64: unknown): { readonly normalize: (text: string) => string; readonly growth: number } {
  const bytes = decoded(textOf(base64, "the normalizer's precompiled_charsmap", MAX_BASE64_CHARACTERS));
  const view = new DataView(bytes.buffer);
  const trieBytes = bytes.length >= 4 ? view.getUint32(0, true) : NaN;
  if (!(trieBytes >= 4 && trieBytes % 4 === 0 && 4 + trieBytes <= bytes.length))
    throw new Error("the normalizer's precompiled_charsmap is damaged");
  const units = Uint32Array.from({ length: trieBytes / 4 }, (_, at) => view.getUint32(4 + 4 * at, true));
  const texts = bytes.subarray(4 + trieBytes);
  const growth = longestOf(texts);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const known = new Map<number, string>();

  function textAt(at: number): string {
    const before = known.get(at);
    if (before !== undefined) return before;
    const end = texts.indexOf(0, at);
    const text = decoder.decode(texts.subarray(at, end < 0 ? texts.length : end));
    known.set(at, text);
    return text;
  }

  const scratch = new Uint8Array(16);

  /** The replacement of a text of so many bytes, or undefined. */
  function replacementOf(text: string, mostBytes: number): string | undefined {
    const { written } = encoder.encodeInto(text, scratch);
    if (written > mostBytes) return undefined;
    let node = offsetOf(units[0] ?? 0);
    for (let at = 0; at < written; at += 1) {
      const byte = scratch[at] ?? 0;
      node ^= byte;
      const unit = units[node];
      if (unit === undefined || byte === 0 || (unit & 0x8000_00ff) !== byte) return undefined;
      node ^= offsetOf(unit);
      if ((unit >>> 8) & 1) return textAt((units[node] ?? 0) & 0x7fff_ffff);
    }
    return undefined;
  }

  function read(cluster: string): string {
    const whole = replacementOf(cluster, MAX_CLUSTER_BYTES);
    if (whole !== undefined || cluster.length === 1) return whole ?? cluster;
    let text = "";
    for (const character of cluster) text += replacementOf(character, MAX_CLUSTER_BYTES) ?? character;
    return text;
  }
  const normalize = (text: string): string => text.replace(CLUSTERS, read);

  const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");
  // Most charsmaps leave these alone, and most texts have little else.
  const isPrintableKept = normalize(printable) === printable;
  return { growth, normalize: isPrintableKept ? (text) => text.replace(ALL_BUT_PRINTABLE, normalize) : normalize };
}

/** As darts-clone packs them: bit 9 says that the offset is a multiple of 256. */
function offsetOf(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}

function longestOf(texts: Uint8Array): number {
  const longest = new TextDecoder()
    .decode(texts)
    .split("\0")
    .reduce((most, { length }) => Math.max(most, length), 1);
  if (longest > MAX_RULE_CHARACTERS)
    throw new Error(`the normalizer's precompiled_charsmap has a text of more than ${MAX_RULE_CHARACTERS} characters`);
  return longest;
}

function decoded(base64: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    throw new Error("the normalizer's precompiled_charsmap is not base64");
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
