import { DecideError } from "../../../../errors.ts";

/** The model of a tokenizer.json of type WordPiece. Its ids are checked when they are read: most never are, and to look at all takes as long as to parse them. */
export interface WordPieceModel {
  readonly type: string;
  readonly vocab: { readonly [piece: string]: unknown };
  readonly unk_token: string;
  readonly continuing_subword_prefix?: string;
  /** Longer words, in code points, are unknown. Default: 100. */
  readonly max_input_chars_per_word?: number;
}

/** BERT's word pieces: the longest piece first, then the longest of those that go on within a word. */
export class WordPieces {
  readonly unknownId: number;
  readonly #vocab: WordPieceModel["vocab"];
  readonly #prefix: string;
  readonly #longest: number;

  /** @throws {DecideError} `model_invalid` if the vocabulary lacks the unknown token. */
  constructor({ vocab, unk_token, continuing_subword_prefix = "##", max_input_chars_per_word = 100 }: WordPieceModel) {
    this.#vocab = vocab;
    this.#prefix = continuing_subword_prefix;
    this.#longest = max_input_chars_per_word;
    const unknownId = this.#idOf(unk_token);
    if (unknownId === undefined) throw new DecideError("model_invalid", "The tokenizer's vocabulary lacks the unknown token.");
    this.unknownId = unknownId;
  }

  /**
   * Ids of a word's pieces; undefined for a word with a part that is unknown.
   * @throws {DecideError} `model_invalid` for an id that is not a whole number.
   */
  idsOf(word: string): number[] | undefined {
    const characters = Array.from(word);
    if (characters.length > this.#longest) return undefined;
    const ids: number[] = [];
    for (let start = 0; start < characters.length;) {
      let end = characters.length;
      let id: number | undefined;
      for (; start < end; end--) {
        const text = characters.slice(start, end).join("");
        id = this.#idOf(start === 0 ? text : this.#prefix + text);
        if (id !== undefined) break;
      }
      if (id === undefined) return undefined;
      ids.push(id);
      start = end;
    }
    return ids;
  }

  #idOf(piece: string): number | undefined {
    // Objects have names that are no pieces, such as "constructor".
    if (!Object.hasOwn(this.#vocab, piece)) return undefined;
    const id = this.#vocab[piece];
    if (!Number.isSafeInteger(id)) throw new DecideError("model_invalid", "The tokenizer's vocabulary has ids that are not whole numbers.");
    return Number(id);
  }
}
