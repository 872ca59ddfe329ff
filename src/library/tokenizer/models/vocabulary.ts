import { MAX_PIECE_CHARACTERS } from "../piece-trie.ts";

/** The ids of a model's pieces. */
export interface Vocabulary {
  /** Every piece, as the file has it. */
  readonly ids: ReadonlyMap<string, number>;
  /** What a text may become: all but special tokens, which a text that spells them must never be. */
  readonly ofTexts: ReadonlyMap<string, number>;
}

export function vocabularyOf(ids: ReadonlyMap<string, number>, isSpecial: (piece: string, id: number) => boolean): Vocabulary {
  return { ids, ofTexts: new Map([...ids].filter(([piece, id]) => piece !== "" && !isSpecial(piece, id))) };
}

/** @throws {Error} a piece could make texts slow to read */
export function checkLengths({ ofTexts }: Vocabulary): void {
  for (const piece of ofTexts.keys())
    if (piece.length > MAX_PIECE_CHARACTERS) throw new Error(`a piece of its vocabulary has more than ${MAX_PIECE_CHARACTERS} characters`);
}

const BYTES = 256;

/** The ids of `<0x00>` to `<0xFF>`, by byte; undefined unless all of them are there. */
export function byteIds({ ids }: Vocabulary): readonly number[] | undefined {
  const found = Array.from({ length: BYTES }, (_, byte) => ids.get(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`));
  return found.every((id) => id !== undefined) ? found : undefined;
}
