/** Splits a piece of text into tokens. */
export interface Model {
  /** Appends the ids of a piece that is not empty. */
  readonly encode: (piece: string, ids: number[]) => void;
  /** Of text that the vocabulary cannot spell; undefined if it spells everything. */
  readonly unknownId: number | undefined;
}
