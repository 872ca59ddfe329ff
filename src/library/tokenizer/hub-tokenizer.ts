import type { Tokenize } from "../engine/tokens.ts";
import { findAdded } from "./find-added.ts";
import { bpe } from "./models/bpe.ts";
import type { Model } from "./models/model.ts";
import { unigram } from "./models/unigram.ts";
import { vocabularyOf } from "./models/vocabulary.ts";
import { wordPiece } from "./models/word-piece.ts";
import { normalizerOf } from "./normalizers.ts";
import { pairTemplateOf } from "./pair-template.ts";
import type { PairTemplate } from "./pair-template.ts";
import { idOf, partOf, unsupported } from "./part.ts";
import type { Part } from "./part.ts";
import { preTokenizerOf } from "./pre-tokenizers.ts";
import { addedTokensOf } from "./added-tokens.ts";

export type { PairTemplate, SpecialToken } from "./pair-template.ts";

/** A tokenizer.json of a hub, as the engine uses it. */
export interface HubTokenizer {
  /** Token ids, without special tokens. Text that spells a special token is text: it never gives a special token's id. */
  readonly tokenize: Tokenize;
  /** What stands around a pair. */
  readonly pair: PairTemplate;
  readonly padId: number;
  /** Of text that the vocabulary cannot spell; undefined where there is none (byte-level, byte fallback). */
  readonly unknownId: number | undefined;
  /** The id of a special token such as "<<LABEL>>"; undefined for one that text may become, or that there is not. */
  readonly idOf: (token: string) => number | undefined;
}

/**
 * A tokenizer from the content of a tokenizer.json, which may come from a stranger.
 *
 * It reads what NLI cross-encoders have: WordPiece, BPE (byte-level, or with byte fallback) and Unigram, with the normalizers and pre-tokenizers
 * that go with them, and gives the ids that the Rust library tokenizers gives, with these differences:
 * - Special tokens are never read from text, nor is any other text of their ids. Special is what the file marks so, what its post-processor places, the
 *   unknown and the padding token, and `marks`.
 * - A lone surrogate, which has no UTF-8 form, is read as the replacement character.
 * - Unicode grows: of letters and marks of the last years, this machine may know some that Rust does not, and the other way round.
 * - A normalizer that removes what a text begins with does not keep Metaspace's "first" from prepending.
 *
 * Time and memory grow with the length of a text and the size of the file, whatever is in them.
 *
 * @param marks tokens that the family places itself, such as "<<LABEL>>": they count as special, whatever the file says
 * @throws {Error} naming what is not supported, or what does not fit together
 */
export function makeHubTokenizer(tokenizerJson: unknown, marks: readonly string[] = []): HubTokenizer {
  const json = partOf(tokenizerJson, "it");
  const added = addedTokensOf(json["added_tokens"], [...marks, ...PAD_TOKENS]);
  const normalize = normalizerOf(json["normalizer"]);
  const cut = preTokenizerOf(json["pre_tokenizer"]);
  const pair = pairTemplateOf(json["post_processor"]);
  const placed = new Set([...pair.before, ...pair.between, ...pair.after].map(({ id }) => id));
  const special = added.filter(({ id, isSpecial }) => isSpecial || placed.has(id));
  const reserved = new Set([...placed, ...special.map(({ id }) => id)]);
  const names = new Set([...PAD_TOKENS, ...special.map(({ content }) => content)]);
  const { model, ids } = modelOf(partOf(json["model"], "its model"), (piece, id) => names.has(piece) || reserved.has(id));
  const ofText = added.filter(({ id }) => !reserved.has(id));
  const findRaw = findAdded(
    ofText.filter(({ isNormalized }) => !isNormalized),
    (text) => text,
  );
  const findNormalized = findAdded(
    ofText.filter(({ isNormalized }) => isNormalized),
    normalize,
  );
  const specialIds = new Map(special.map(({ content, id }) => [content, id]));

  return {
    tokenize(text) {
      const found: number[] = [];
      for (const section of findRaw(text.toWellFormed(), true)) {
        if ("id" in section) found.push(section.id);
        else
          for (const part of findNormalized(normalize(section.text), section.isStart)) {
            if ("id" in part) found.push(part.id);
            else for (const piece of cut(part.text, part.isStart)) if (piece !== "") model.encode(piece, found);
          }
      }
      return found;
    },
    pair,
    padId: padIdOf(json["padding"], specialIds, ids),
    unknownId: model.unknownId,
    idOf: (token) => specialIds.get(token),
  };
}

const MAX_PIECES = 1_000_000;

/** The model, and all ids of its vocabulary. */
function modelOf(
  part: Part,
  isSpecial: (piece: string, id: number) => boolean,
): { readonly model: Model; readonly ids: ReadonlyMap<string, number> } {
  const unknown = part["unk_token"];
  const type = part["type"];
  if (type === "Unigram") return unigram(part, isSpecial);
  if (type !== "WordPiece" && type !== "BPE") throw unsupported("model", type);
  const entries = Object.entries(partOf(part["vocab"], "its model's vocab"));
  if (entries.length > MAX_PIECES) throw new Error(`its model's vocab has more than ${MAX_PIECES} pieces`);
  const ids = new Map(entries.map(([piece, id]) => [piece, idOf(id, "an id of its model's vocab")]));
  const vocabulary = vocabularyOf(ids, (piece, id) => piece === unknown || isSpecial(piece, id));
  return { model: type === "WordPiece" ? wordPiece(part, vocabulary) : bpe(part, vocabulary), ids };
}

const PAD_TOKENS = ["[PAD]", "<pad>", "<|pad|>", "<|padding|>", "<PAD>"];

function padIdOf(padding: unknown, specialIds: ReadonlyMap<string, number>, ids: ReadonlyMap<string, number>): number {
  if (padding !== null && padding !== undefined) return idOf(partOf(padding, "its padding")["pad_id"], "its padding's pad_id");
  for (const token of PAD_TOKENS) {
    const id = specialIds.get(token) ?? ids.get(token);
    if (id !== undefined) return id;
  }
  throw new Error("it has no padding token");
}
