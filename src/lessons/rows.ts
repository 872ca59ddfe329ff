/** An example that has been read, without its text. */
export interface Row {
  /** Its place among the examples, in the order they came. */
  readonly index: number;
  /** 64 bits of its text's SHA-256, in hexadecimal digits. */
  readonly text: string;
  /** The index of its answer among the criteria; undefined: it has none. */
  readonly answer: number | undefined;
  /** float64 [criteria]: probabilities without a lesson. */
  readonly probabilities: Float64Array;
  /** float32 [features] */
  readonly features: Float32Array | undefined;
}

/** An example that has an answer. */
export interface AnsweredRow extends Row {
  readonly answer: number;
}

export function isAnswered(row: Row): row is AnsweredRow {
  return row.answer !== undefined;
}

/** Rows in the order of their texts' hashes, so that it does not matter in which order they came. Rows that are equal here are equal in all. */
export function inOwnOrder<R extends Row>(rows: readonly R[]): R[] {
  return rows.toSorted((a, b) => compare(a.text, b.text) || (a.answer ?? -1) - (b.answer ?? -1) || a.index - b.index);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
