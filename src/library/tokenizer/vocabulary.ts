import { textOf } from "./json-part.ts";

/** A piece longer than this would make texts slow to read. */
export const MAX_PIECE_CHARACTERS = 256;
/** The largest vocabularies have two million. Each may become a node. */
const MAX_CHARACTERS = 4_000_000;

/** Splits a piece of text into tokens. */
export interface Model {
  /** Appends the ids of a piece that is not empty. */
  readonly encode: (piece: string, ids: number[]) => void;
  /** Of text that the vocabulary cannot spell; undefined if it spells everything. */
  readonly unknownId: number | undefined;
}

/** The ids of a model's pieces. */
export interface Vocabulary {
  readonly ids: ReadonlyMap<string, number>;
  /** Tokens of texts: all but special tokens, which a text that spells them must never be. */
  readonly ofTexts: ReadonlyMap<string, number>;
}

export function vocabularyOf(ids: ReadonlyMap<string, number>, isSpecial: (piece: string, id: number) => boolean): Vocabulary {
  return { ids, ofTexts: new Map([...ids].filter(([piece, id]) => piece !== "" && !isSpecial(piece, id))) };
}

/** How many characters the longest piece of texts has. @throws {Error} a piece could make texts slow to read */
export function longestOf({ ofTexts }: Vocabulary, most: number = MAX_PIECE_CHARACTERS): number {
  let longest = 0;
  for (const { length } of ofTexts.keys()) longest = Math.max(longest, length);
  if (longest > most) throw new Error(`a piece of its vocabulary has more than ${most} characters`);
  return longest;
}

/** @throws {Error} the vocabulary lacks it */
export function unknownIdOf(token: unknown, { ids }: Vocabulary): number {
  const id = ids.get(textOf(token, "the model's unk_token", 100));
  if (id === undefined) throw new Error("its vocabulary lacks the unknown token");
  return id;
}

const BYTES = 256;

/** The ids of `<0x00>` to `<0xFF>`, by byte; undefined unless all of them are there. */
export function byteIds({ ids }: Vocabulary): readonly number[] | undefined {
  const found = Array.from({ length: BYTES }, (_, byte) => ids.get(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`));
  return found.every((id) => id !== undefined) ? found : undefined;
}

const NONE = -1;
/** The node of no text, where every walk begins. */
export const ROOT = 0;

/**
 * Pieces of text with a number each, found by walking a text from some place on.
 * Nodes lie in arrays, level by level, so that the children of a node are neighbours in the order of their character:
 * 250,000 pieces have 10 MB, and no choice of pieces makes it slower.
 */
export class PieceTrie {
  readonly #characters: Uint16Array;
  /** Where the children of a node begin. They end where those of the next node begin. */
  readonly #children: Int32Array;
  readonly #values: Int32Array;
  /** The child of the root by character: it has too many to look for. */
  readonly #first = new Int32Array(65_536).fill(NONE);

  /** @param pieces none empty, each with a number from 0 on @throws {Error} they have too many characters */
  constructor(pieces: ReadonlyMap<string, number>) {
    let total = 0;
    for (const { length } of pieces.keys()) total += length;
    if (total > MAX_CHARACTERS) throw new Error(`its pieces have more than ${MAX_CHARACTERS} characters together`);
    const sorted = [...pieces.keys()].sort();
    const characters = [0];
    const children: number[] = [];
    const values: number[] = [];
    // The pieces below a node are sorted[from[node]] to sorted[to[node] - 1]: they begin alike.
    const from = [0];
    const to = [sorted.length];
    let depth = 0;
    let levelEnd = 1;
    for (let node = 0; node < from.length; node += 1) {
      if (node === levelEnd) {
        depth += 1;
        levelEnd = from.length;
      }
      children.push(from.length);
      let at = from[node] ?? 0;
      const end = to[node] ?? 0;
      const piece = sorted[at];
      const isPiece = piece?.length === depth && at < end;
      values.push(isPiece ? (pieces.get(piece) ?? NONE) : NONE);
      if (isPiece) at += 1;
      while (at < end) {
        const start = at;
        const character = sorted[start]?.charCodeAt(depth) ?? 0;
        do at += 1;
        while (at < end && sorted[at]?.charCodeAt(depth) === character);
        if (node === ROOT) this.#first[character] = from.length;
        characters.push(character);
        from.push(start);
        to.push(at);
      }
    }
    children.push(from.length);
    this.#characters = Uint16Array.from(characters);
    this.#children = Int32Array.from(children);
    this.#values = Int32Array.from(values);
  }

  /** The node that a character leads to, or -1. @param character a UTF-16 code unit */
  next(node: number, character: number): number {
    if (node === ROOT) return this.#first[character] ?? NONE;
    let low = this.#children[node] ?? 0;
    let high = (this.#children[node + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const there = this.#characters[middle] ?? 0;
      if (there === character) return middle;
      if (there < character) low = middle + 1;
      else high = middle - 1;
    }
    return NONE;
  }

  /** The number of the piece that a node stands for, or -1. */
  valueAt(node: number): number {
    return this.#values[node] ?? NONE;
  }

  /** The value of the longest piece that begins at a place of a text, or -1, and where it ends. */
  longestAt(text: string, start: number): { readonly value: number; readonly end: number } {
    let [value, end] = [NONE, start];
    let node = ROOT;
    for (let at = start; at < text.length; at += 1) {
      node = this.next(node, text.charCodeAt(at));
      if (node === NONE) break;
      if (this.valueAt(node) === NONE) continue;
      [value, end] = [this.valueAt(node), at + 1];
    }
    return { value, end };
  }
}
