import { GPT2, literalOf, patternOf } from "./expressions.ts";
import { flagOf, listOf, partOf, textOf, unsupported } from "./part.ts";
import type { Part } from "./part.ts";

/** Cuts a piece of text into smaller ones. @param isStart the piece begins the text */
export type Cut = (piece: string, isStart: boolean) => readonly string[];

const MAX_PARTS = 20;

/** @throws {Error} a part is not supported */
export function preTokenizerOf(value: unknown): Cut {
  const cuts = value === null || value === undefined ? [] : cutsOf(value, 0);
  return (text, isStart) =>
    cuts.reduce<readonly string[]>(
      (pieces, cut) => pieces.flatMap((piece, at) => cut(piece, isStart && at === 0)),
      text === "" ? [] : [text],
    );
}

function cutsOf(value: unknown, depth: number): readonly Cut[] {
  const part = partOf(value, "its pre-tokenizer");
  if (part["type"] !== "Sequence") return [cutOf(part)];
  if (depth > 0) throw unsupported("pre-tokenizer", "Sequence in a Sequence");
  return listOf(part["pretokenizers"], "its pre-tokenizer's sequence", MAX_PARTS).flatMap((inner) => cutsOf(inner, depth + 1));
}

const PUNCTUATION = String.raw`\p{P}!-\/:-@[-\x60{-~`;

function cutOf(part: Part): Cut {
  switch (part["type"]) {
    case "BertPreTokenizer":
      return matching(new RegExp(String.raw`[${PUNCTUATION}]|[^\p{White_Space}${PUNCTUATION}]+`, "gu"));
    case "WhitespaceSplit":
      return matching(/\P{White_Space}+/gu);
    case "Whitespace":
      return matching(
        /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\p{White_Space}]+/gu,
      );
    case "Punctuation":
      return split(new RegExp(`[${PUNCTUATION}]`, "gu"), behaviourOf(part["behavior"] ?? "Isolated"), false);
    case "Digits":
      return split(
        /\p{N}/gu,
        flagOf(part["individual_digits"], "the pre-tokenizer's individual_digits", false) ? "isolated" : "contiguous",
        false,
      );
    case "Split":
      return split(
        patternOf(part["pattern"], "the pre-tokenizer"),
        behaviourOf(part["behavior"]),
        flagOf(part["invert"], "the pre-tokenizer's invert", false),
      );
    case "Metaspace":
      return metaspace(part);
    case "ByteLevel":
      return byteLevel(part);
    default:
      throw unsupported("pre-tokenizer", part["type"]);
  }
}

function matching(expression: RegExp): Cut {
  return (piece) => piece.match(expression) ?? [];
}

/** What becomes of what a split looks for. */
type Behaviour = "removed" | "isolated" | "contiguous" | "mergedwithprevious" | "mergedwithnext";
const BEHAVIOURS: readonly string[] = ["removed", "isolated", "contiguous", "mergedwithprevious", "mergedwithnext"] satisfies Behaviour[];

function behaviourOf(value: unknown): Behaviour {
  // Files have both MergedWithNext and merged_with_next.
  const name = textOf(value, "the pre-tokenizer's behavior", 30).replaceAll("_", "").toLowerCase();
  if (!BEHAVIOURS.includes(name)) throw unsupported("pre-tokenizer's behavior", value);
  return name as Behaviour;
}

/** @param isInverted what lies between the matches is what is looked for */
function split(expression: RegExp, behaviour: Behaviour, isInverted: boolean): Cut {
  return (text) => {
    const pieces: string[] = [];
    // The end of the last piece is open as long as the next may go on with it.
    let from = 0;
    let wasFound = false as boolean;
    const add = (start: number, end: number, isFound: boolean): void => {
      if (start === end) return;
      const isJoined =
        (behaviour === "contiguous" && isFound === wasFound) ||
        (behaviour === "mergedwithprevious" && isFound && !wasFound) ||
        (behaviour === "mergedwithnext" && !isFound && wasFound);
      if (!isJoined && from < start) {
        if (!(behaviour === "removed" && wasFound)) pieces.push(text.slice(from, start));
        from = start;
      }
      wasFound = isFound;
    };
    let done = 0;
    // matchAll() would copy the expression, for every word of a text.
    expression.lastIndex = 0;
    for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
      add(done, match.index, isInverted);
      done = match.index + match[0].length;
      add(match.index, done, !isInverted);
    }
    add(done, text.length, isInverted);
    if (from < text.length && !(behaviour === "removed" && wasFound)) pieces.push(text.slice(from));
    return pieces;
  };
}

const MAX_REPLACEMENT_CHARACTERS = 1;

function metaspace(part: Part): Cut {
  const mark = textOf(part["replacement"] ?? "▁", "the pre-tokenizer's replacement", MAX_REPLACEMENT_CHARACTERS);
  const isPrepended = flagOf(part["add_prefix_space"], "the pre-tokenizer's add_prefix_space", true);
  const scheme = textOf(part["prepend_scheme"] ?? (isPrepended ? "always" : "never"), "the pre-tokenizer's prepend_scheme", 30);
  if (!["always", "first", "never"].includes(scheme)) throw unsupported("pre-tokenizer's prepend_scheme", scheme);
  const isCut = flagOf(part["split"], "the pre-tokenizer's split", true);
  const pieceOf = split(literalOf(mark, "the pre-tokenizer's replacement"), "mergedwithnext", false);
  return (piece, isStart) => {
    let text = piece.replaceAll(" ", mark);
    if ((scheme === "always" || (scheme === "first" && isStart)) && !text.startsWith(mark)) text = mark + text;
    return isCut ? pieceOf(text, isStart) : [text];
  };
}

/** A character for each byte, none of them white space or control: printable ones stand for themselves. */
const BYTE_CHARACTERS = ((): readonly string[] => {
  const isOwn = (byte: number): boolean => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  let others = 0;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isOwn(byte) ? byte : 256 + others++));
})();

function byteLevel(part: Part): Cut {
  const isPrefixed = flagOf(part["add_prefix_space"], "the pre-tokenizer's add_prefix_space", true);
  const expression = flagOf(part["use_regex"], "the pre-tokenizer's use_regex", true) ? new RegExp(GPT2, "gu") : undefined;
  const encoder = new TextEncoder();
  const spelt = (characters: string): string => {
    if (characters === " ") return BYTE_CHARACTERS[0x20] ?? "";
    let text = "";
    for (const byte of encoder.encode(characters)) text += BYTE_CHARACTERS[byte] ?? "";
    return text;
  };
  return (piece) => {
    const text = isPrefixed && !piece.startsWith(" ") ? ` ${piece}` : piece;
    const words = expression === undefined ? [text] : (text.match(expression) ?? []);
    return words.map((word) => word.replace(/ |[^!-~]+/g, spelt));
  };
}
