import { charsmapOf } from "./charsmap.ts";
import { patternOf } from "./expressions.ts";
import { flagOf, listOf, partOf, textOf, unsupported } from "./part.ts";
import type { Part } from "./part.ts";

/** Rewrites a text before it is cut into words. */
export type Normalize = (text: string) => string;

const MAX_PARTS = 20;
/** How often longer all replacements together may make a text. Unicode's own forms, which no file can choose, make it up to 18 times as long besides. */
const MAX_GROWTH = 32;

interface Step {
  readonly normalize: Normalize;
  readonly growth: number;
}

/** @throws {Error} a part is not supported, or a text could grow without measure */
export function normalizerOf(value: unknown): Normalize {
  if (value === null || value === undefined) return (text) => text;
  const steps = stepsOf(value, 0);
  if (steps.reduce((product, { growth }) => product * growth, 1) > MAX_GROWTH)
    throw new Error(`its normalizer could make a text more than ${MAX_GROWTH} times as long`);
  return (text) => steps.reduce((read, { normalize }) => normalize(read), text);
}

function stepsOf(value: unknown, depth: number): readonly Step[] {
  const part = partOf(value, "its normalizer");
  if (part["type"] !== "Sequence") return [stepOf(part)];
  if (depth > 0) throw unsupported("normalizer", "Sequence in a Sequence");
  return listOf(part["normalizers"], "its normalizer's sequence", MAX_PARTS).flatMap((inner) => stepsOf(inner, depth + 1));
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
    case "Prepend":
      return { normalize: prepend(part), growth: 1 };
    default:
      throw unsupported("normalizer", type);
  }
}

/** As Rust does it, letter by letter: JavaScript gives a sigma at the end of a word another small letter. */
function lowercase(text: string): string {
  return text.replaceAll("Σ", "σ").toLowerCase();
}

/** CJK as the code of BERT has it, gaps included. */
const CJK = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

function bert(part: Part): Normalize {
  const isCleaned = flagOf(part["clean_text"], "the normalizer's clean_text", true);
  const isCjkSpaced = flagOf(part["handle_chinese_chars"], "the normalizer's handle_chinese_chars", true);
  const isLowered = flagOf(part["lowercase"], "the normalizer's lowercase", true);
  const isStripped = flagOf(part["strip_accents"], "the normalizer's strip_accents", isLowered);
  return (text) => {
    let read = text;
    if (isCleaned) read = read.replace(/[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]/gu, "").replace(/\p{White_Space}/gu, " ");
    if (isCjkSpaced) read = read.replace(CJK, " $& ");
    if (isStripped) read = read.normalize("NFD").replace(/\p{Mn}/gu, "");
    return isLowered ? lowercase(read) : read;
  };
}

function strip(part: Part): Normalize {
  const isLeft = flagOf(part["strip_left"], "the normalizer's strip_left", true);
  const isRight = flagOf(part["strip_right"], "the normalizer's strip_right", true);
  return (text) => stripped(text, isLeft, isRight);
}

const IS_SPACE = /\p{White_Space}/u;

/** Without the white space at its ends. By hand: an expression for the end of a text tries every run of spaces. */
export function stripped(text: string, isLeft: boolean, isRight: boolean): string {
  let from = 0;
  let to = text.length;
  if (isLeft) while (from < to && IS_SPACE.test(text.charAt(from))) from += 1;
  if (isRight) while (to > from && IS_SPACE.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const MAX_CONTENT_CHARACTERS = 16;

function replace(part: Part): Step {
  const pattern = patternOf(part["pattern"], "the normalizer");
  const content = textOf(part["content"], "the normalizer's content", MAX_CONTENT_CHARACTERS).toWellFormed();
  return { normalize: (text) => text.replace(pattern, () => content), growth: Math.max(1, content.length) };
}

function prepend(part: Part): Normalize {
  const content = textOf(part["prepend"], "what the normalizer prepends", MAX_CONTENT_CHARACTERS).toWellFormed();
  return (text) => (text === "" ? "" : content + text);
}
