import { flagOf, textOf, unsupported } from "../part.ts";
import type { Part } from "../part.ts";
import { Merges } from "./merges.ts";
import type { Model } from "./model.ts";
import { SmallestFirst } from "./smallest-first.ts";
import { byteIds } from "./vocabulary.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Words come again and again: those that were read last are remembered. Longer ones rarely come again. */
const MAX_REMEMBERED_WORDS = 10_000;
const MAX_REMEMBERED_CHARACTERS = 64;
/** Above every place in a word that a text can have. */
const PER_PLACE = 2 ** 30;
const NONE = -1;
const UNSET: readonly unknown[] = [undefined, null, "", 0];

/** Byte-pair encoding: of neighbours that may be merged, those that come first in the list of merges, until none are left. */
export function bpe(config: Part, vocabulary: Vocabulary): Model {
  for (const name of ["continuing_subword_prefix", "end_of_word_suffix", "dropout"])
    if (!UNSET.includes(config[name])) throw unsupported("BPE with", name);
  const unknownId = unknownOf(config["unk_token"], vocabulary);
  const isFused = flagOf(config["fuse_unk"], "the model's fuse_unk", false);
  const isWholeFirst = flagOf(config["ignore_merges"], "the model's ignore_merges", false);
  const bytes = flagOf(config["byte_fallback"], "the model's byte_fallback", false) ? byteIds(vocabulary) : undefined;
  const merges = new Merges(config["merges"], (piece) => {
    if (!vocabulary.ids.has(piece)) throw new Error("a merge of the model has a token that its vocabulary lacks");
    return vocabulary.ofTexts.get(piece);
  });
  const encoder = new TextEncoder();
  const remembered = new Map<string, readonly number[]>();

  function charactersOf(word: string): number[] {
    const found: number[] = [];
    let isAfterUnknown = false;
    for (const character of word) {
      const id = vocabulary.ofTexts.get(character);
      if (id !== undefined) found.push(id);
      else if (bytes !== undefined) for (const byte of encoder.encode(character)) found.push(bytes[byte] ?? 0);
      else if (unknownId !== undefined && !(isFused && isAfterUnknown)) found.push(unknownId);
      isAfterUnknown = id === undefined;
    }
    return found;
  }

  function wordOf(word: string): readonly number[] {
    const whole = isWholeFirst ? vocabulary.ofTexts.get(word) : undefined;
    return whole === undefined ? merged(charactersOf(word), merges) : [whole];
  }

  return {
    unknownId: bytes === undefined ? unknownId : undefined,
    encode(word, ids) {
      let found = remembered.get(word);
      if (found === undefined) {
        found = wordOf(word);
        if (remembered.size >= MAX_REMEMBERED_WORDS) remembered.clear();
        if (word.length <= MAX_REMEMBERED_CHARACTERS) remembered.set(word, found);
      }
      for (const id of found) ids.push(id);
    },
  };
}

function unknownOf(token: unknown, { ids }: Vocabulary): number | undefined {
  if (token === undefined || token === null) return undefined;
  const id = ids.get(textOf(token, "the model's unk_token", 100));
  if (id === undefined) throw new Error("its vocabulary lacks the unknown token");
  return id;
}

/** Merges neighbours in place: a place whose token went into the one before it holds -1. */
function merged(tokens: number[], merges: Merges): readonly number[] {
  const count = tokens.length;
  if (count < 2) return tokens;
  const previous = new Int32Array(count);
  const next = new Int32Array(count);
  for (let at = 0; at < count; at += 1) {
    previous[at] = at - 1;
    next[at] = at + 1 < count ? at + 1 : NONE;
  }
  // Pairs by rank, then by place.
  const waiting = new SmallestFirst();
  const consider = (left: number, right: number): void => {
    const rank = merges.rankOf(tokens[left] ?? NONE, tokens[right] ?? NONE);
    if (rank >= 0) waiting.push(rank * PER_PLACE + left);
  };
  for (let at = 0; at + 1 < count; at += 1) consider(at, at + 1);
  for (let top = waiting.pop(); top !== undefined; top = waiting.pop()) {
    const rank = Math.floor(top / PER_PLACE);
    const left = top % PER_PLACE;
    const right = next[left] ?? NONE;
    if (tokens[left] === NONE || right === NONE) continue;
    // Of a pair that has changed since, what is there now counts, if it makes the same.
    const now = merges.rankOf(tokens[left] ?? NONE, tokens[right] ?? NONE);
    const made = merges.made[rank] ?? NONE;
    if (now < 0 || merges.made[now] !== made) continue;
    tokens[left] = made;
    tokens[right] = NONE;
    const after = next[right] ?? NONE;
    next[left] = after;
    if (after !== NONE) previous[after] = left;
    const before = previous[left] ?? NONE;
    if (before !== NONE) consider(before, left);
    if (after !== NONE) consider(left, after);
  }
  return tokens.filter((id) => id !== NONE);
}
