import { ByteLevelPreTokenizer, MetaspacePreTokenizer } from "@huggingface/tokenizers";
import { bertWords } from "./bert-text.ts";
import { flagOf, GPT2, partsOf, patternOf, textOf, unsupported, type Part } from "./json-part.ts";

/** Cuts a piece of text into smaller ones. @param isStart the piece begins the text */
type Cut = (piece: string, isStart: boolean) => readonly string[];

/** @throws {Error} a part is not supported */
export function preTokenizerOf(value: unknown): Cut {
  const cuts = partsOf(value, "pre-tokenizer", "pretokenizers").map(cutOf);
  return (text, isStart) =>
    cuts.reduce<readonly string[]>(
      (pieces, cut) => pieces.flatMap((piece, at) => cut(piece, isStart && at === 0)),
      text === "" ? [] : [text],
    );
}

/** Of the library's own expressions for these, one knows the letters of ASCII alone, and the other takes U+FEFF for a space: `pre-tokenizers.test.ts`. */
const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;
const WORDS_AND_SIGNS = new RegExp(String.raw`[${WORD}]+|[^${WORD}\p{White_Space}]+`, "gu");
const NO_SPACES = /\P{White_Space}+/gu;

const PUNCTUATION = /[\p{P}!-\/:-@[-\x60{-~]/gu;
const DIGIT = /\p{N}/gu;

function cutOf(part: Part): Cut {
  const type = part["type"];
  switch (type) {
    case "BertPreTokenizer":
      return bertWords;
    case "WhitespaceSplit":
      return (piece) => piece.match(NO_SPACES) ?? [];
    case "Whitespace":
      return (piece) => piece.match(WORDS_AND_SIGNS) ?? [];
    case "Punctuation":
      return split(PUNCTUATION, behaviourOf(part["behavior"] ?? "Isolated"), false);
    case "Digits": {
      const isEach = flagOf(part["individual_digits"], "the pre-tokenizer's individual_digits", false);
      return split(DIGIT, isEach ? "isolated" : "contiguous", false);
    }
    case "Split": {
      const pattern = patternOf(part["pattern"], "the pre-tokenizer");
      return split(pattern, behaviourOf(part["behavior"]), flagOf(part["invert"], "the pre-tokenizer's invert", false));
    }
    case "Metaspace":
      return metaspace(part);
    case "ByteLevel":
      return byteLevel(part);
    default:
      throw unsupported("pre-tokenizer", type);
  }
}

/** Fate of the text that a split looks for. */
type Behaviour = "removed" | "isolated" | "contiguous" | "mergedwithprevious" | "mergedwithnext";
const BEHAVIOURS: readonly string[] = ["removed", "isolated", "contiguous", "mergedwithprevious", "mergedwithnext"] satisfies Behaviour[];

function behaviourOf(value: unknown): Behaviour {
  // Files have both MergedWithNext and merged_with_next.
  const name = textOf(value, "the pre-tokenizer's behavior", 30).replaceAll("_", "").toLowerCase();
  if (!BEHAVIOURS.includes(name)) throw unsupported("pre-tokenizer's behavior", value);
  return name as Behaviour;
}

/**
 * Ours, since the library knows two of the five behaviours, and none of its Punctuation: `agreement.test.ts`, "deberta-unigram-punctuation".
 * @param isInverted what lies between the matches is what is looked for
 */
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

const SCHEMES = ["always", "first", "never"] as const;

/** The library leaves its text whole, which makes other words: `agreement.test.ts`, "deberta-unigram". */
function metaspace(part: Part): Cut {
  const replacement = textOf(part["replacement"] ?? "▁", "the pre-tokenizer's replacement", 1);
  const isPrepended = flagOf(part["add_prefix_space"], "the pre-tokenizer's add_prefix_space", true);
  const stated = textOf(part["prepend_scheme"] ?? (isPrepended ? "always" : "never"), "the pre-tokenizer's prepend_scheme", 30);
  const scheme = SCHEMES.find((known) => known === stated);
  if (scheme === undefined) throw unsupported("pre-tokenizer's prepend_scheme", stated);
  const isCut = flagOf(part["split"], "the pre-tokenizer's split", true);
  const marked = new MetaspacePreTokenizer({ type: "Metaspace", replacement, prepend_scheme: scheme });
  const cut = split(patternOf({ String: replacement }, "the pre-tokenizer"), "mergedwithnext", false);
  return (piece, isStart) => {
    const texts = marked.pre_tokenize_text(piece, { section_index: isStart ? 0 : 1 });
    return isCut ? texts.flatMap((text) => cut(text, isStart)) : texts;
  };
}

/** By an expression of ours, since to the library's U+FEFF is white space: `agreement.test.ts`, "byte-level-bpe". */
function byteLevel(part: Part): Cut {
  const isPrefixed = flagOf(part["add_prefix_space"], "the pre-tokenizer's add_prefix_space", true);
  const expression = flagOf(part["use_regex"], "the pre-tokenizer's use_regex", true)
    ? patternOf({ Regex: GPT2 }, "the pre-tokenizer")
    : undefined;
  const bytes = new ByteLevelPreTokenizer({ type: "ByteLevel", add_prefix_space: false, use_regex: false });
  return (piece) => {
    const text = isPrefixed && !piece.startsWith(" ") ? ` ${piece}` : piece;
    return bytes.pre_tokenize(expression === undefined ? [text] : (text.match(expression) ?? []));
  };
}
