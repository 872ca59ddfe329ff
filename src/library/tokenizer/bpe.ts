import { BPE } from "@huggingface/tokenizers";
import { flagOf, listOf, unsupported } from "./json-part.ts";
import type { Part } from "./json-part.ts";
import { byteIds, unknownIdOf } from "./vocabulary.ts";
import type { Model, Vocabulary } from "./vocabulary.ts";

const MAX_MERGES = 2_000_000;
const UNSET: readonly unknown[] = [undefined, null, "", 0];
/** SentencePiece's mark of a word's beginning. */
const MARK = "▁";

/** Byte-pair encoding, by the library: of neighbours that may be merged, those that come first in the list of merges, until none are left. */
export function bpe(config: Part, vocabulary: Vocabulary): Model {
  for (const name of ["continuing_subword_prefix", "end_of_word_suffix", "dropout"])
    if (!UNSET.includes(config[name])) throw unsupported("BPE with", name);
  const { ids: all, ofTexts } = vocabulary;
  const unknown = config["unk_token"];
  const unknownId = unknown === undefined || unknown === null ? undefined : unknownIdOf(unknown, vocabulary);
  const isWholeFirst = flagOf(config["ignore_merges"], "the model's ignore_merges", false);
  const hasBytes = flagOf(config["byte_fallback"], "the model's byte_fallback", false) && byteIds(vocabulary) !== undefined;
  const merges = listOf(config["merges"], "the model's merges", MAX_MERGES).map((entry) => pairOf(entry, all));
  const model = new BPE({
    type: "BPE",
    // Without the tokens that text may not become, and the merges that have to do with them.
    vocab: Object.fromEntries(ofTexts),
    merges: merges.filter(([left, right]) => [left, right, left + right].every((piece) => ofTexts.has(piece))),
    // It needs a name for what is unknown, and no text is this one.
    unk_token: "",
    fuse_unk: flagOf(config["fuse_unk"], "the model's fuse_unk", false),
    ignore_merges: isWholeFirst,
    byte_fallback: hasBytes,
  });
  const isCut = !isWholeFirst && isCutAtMarks(vocabulary);
  return {
    unknownId: hasBytes ? undefined : unknownId,
    encode(text, ids) {
      for (const piece of model(isCut ? text.split(BEFORE_A_MARK) : [text])) {
        const id = ofTexts.get(piece) ?? unknownId;
        if (id !== undefined) ids.push(id);
      }
    },
  };
}

const BEFORE_A_MARK = /(?<=[^▁])(?=▁)/u;

/**
 * Whether no token begins in one word and ends in another, so that a text may be read word by word. Where nothing else cuts it into words, the library takes
 * seconds for the whole, and milliseconds for words that come again.
 */
function isCutAtMarks({ ofTexts }: Vocabulary): boolean {
  if (!ofTexts.has(MARK)) return false;
  for (const piece of ofTexts.keys()) if (BEFORE_A_MARK.test(piece)) return false;
  return true;
}

function pairOf(entry: unknown, ids: Vocabulary["ids"]): [string, string] {
  const [left, right, ...more]: readonly unknown[] =
    typeof entry === "string" ? entry.split(" ") : listOf(entry, "a merge of the model", 2);
  if (typeof left !== "string" || typeof right !== "string" || more.length > 0)
    throw new Error("a merge of the model is not a pair of tokens");
  if (![left, right, left + right].every((piece) => ids.has(piece)))
    throw new Error("a merge of the model has a token that its vocabulary lacks");
  return [left, right];
}
