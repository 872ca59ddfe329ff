import { BPE } from "@huggingface/tokenizers";
import { flagOf, listOf, textOf, unsupported, type Part } from "./json-part.ts";
import { byteIds, longestOf, PieceTrie, ROOT, unknownIdOf, vocabularyOf, type Model, type Vocabulary } from "./vocabulary.ts";

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

const MAX_PIECES = 1_000_000;
/** How much less likely an unknown character is than the least likely piece. */
const UNKNOWN_PENALTY = 10;

/**
 * SentencePiece's unigram model: of all ways to spell a text, the likeliest.
 * Ours, since the library knows no bytes for what is unknown (`agreement.test.ts`, "byte-fallback-unigram"). It also makes an object for each part of a text
 * that is a piece. So a long word without spaces takes seconds.
 */
export function unigram(
  config: Part,
  isSpecial: (piece: string, id: number) => boolean,
): { readonly model: Model; readonly ids: ReadonlyMap<string, number> } {
  const entries = listOf(config["vocab"], "the model's vocab", MAX_PIECES).map(entryOf);
  const scores = Float64Array.from(entries, ([, score]) => score);
  const unknown = unknownOf(config["unk_id"], entries.length);
  const unknownPiece = unknown === undefined ? undefined : entries[unknown]?.[0];
  const ids = new Map(entries.map(([piece], id) => [piece, id]));
  const vocabulary = vocabularyOf(ids, (piece, id) => piece === unknownPiece || isSpecial(piece, id));
  longestOf(vocabulary);
  const bytes = flagOf(config["byte_fallback"], "the model's byte_fallback", false) ? byteIds(vocabulary) : undefined;
  if (unknown === undefined && bytes === undefined) throw new Error("its model has no unknown token");
  const pieces = new PieceTrie(vocabulary.ofTexts);
  const unknownScore = scores.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY;
  const encoder = new TextEncoder();
  const best = new BestPaths();

  /** Unknown characters in a row are one token, or their bytes. */
  function pushUnknown(text: string, from: number, to: number, found: number[]): void {
    const unread = text.slice(from, to);
    const { value: id, end } = pieces.longestAt(unread, 0);
    if (end === unread.length) found.push(id);
    else if (bytes === undefined) found.push(unknown ?? 0);
    // Backwards, as everything here.
    else for (const byte of encoder.encode(unread).reverse()) found.push(bytes[byte] ?? 0);
  }

  const model: Model = {
    unknownId: bytes === undefined ? unknown : undefined,
    encode(text, tokens) {
      const length = text.length;
      const { scores: scoreAt, starts, ids: idAt } = best.clearedFor(length);
      for (let start = 0; start < length;) {
        const width = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
        const before = scoreAt[start] ?? 0;
        let isSpelt = false;
        let node = ROOT;
        for (let at = start; at < length;) {
          node = pieces.next(node, text.charCodeAt(at));
          if (node < 0) break;
          at += 1;
          const id = pieces.valueAt(node);
          if (id < 0) continue;
          const score = (scores[id] ?? 0) + before;
          if (starts[at] === -1 || score > (scoreAt[at] ?? 0)) {
            scoreAt[at] = score;
            starts[at] = start;
            idAt[at] = id;
          }
          if (at - start === width) isSpelt = true;
        }
        const next = start + width;
        if (!isSpelt && (starts[next] === -1 || unknownScore + before > (scoreAt[next] ?? 0))) {
          scoreAt[next] = unknownScore + before;
          starts[next] = start;
          idAt[next] = UNKNOWN;
        }
        start = next;
      }
      const found: number[] = [];
      for (let end = length; end > 0;) {
        let start = starts[end] ?? 0;
        if (idAt[end] === UNKNOWN) {
          while (start > 0 && idAt[start] === UNKNOWN) start = starts[start] ?? 0;
          pushUnknown(text, start, end, found);
        } else found.push(idAt[end] ?? 0);
        end = start;
      }
      for (let at = found.length - 1; at >= 0; at -= 1) tokens.push(found[at] ?? 0);
    },
  };
  return { model, ids };
}

const UNKNOWN = -2;

function entryOf(entry: unknown): readonly [string, number] {
  const [piece, score] = listOf(entry, "an entry of the model's vocab", 2);
  if (typeof score !== "number" || !Number.isFinite(score)) throw new Error("a score of the model's vocab is not a number");
  return [textOf(piece, "a piece of the model's vocab", 10_000), score];
}

function unknownOf(id: unknown, pieces: number): number | undefined {
  if (id === undefined || id === null) return undefined;
  if (!Number.isInteger(id) || Number(id) < 0 || Number(id) >= pieces) throw new Error("the model's unk_id is not in its vocab");
  return Number(id);
}

/** The best way to each place of a text: its score, where its last piece begins, and that piece's id. Kept from one word to the next. */
class BestPaths {
  #capacity = 0;
  scores = new Float64Array(0);
  starts = new Int32Array(0);
  ids = new Int32Array(0);

  clearedFor(length: number): this {
    if (length + 1 > this.#capacity) {
      this.#capacity = Math.max(2 * this.#capacity, length + 1);
      this.scores = new Float64Array(this.#capacity);
      this.starts = new Int32Array(this.#capacity);
      this.ids = new Int32Array(this.#capacity);
    }
    this.scores[0] = 0;
    this.starts.fill(-1, 0, length + 1);
    return this;
  }
}
