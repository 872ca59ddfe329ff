/** An example that has been read, without its text. */
export interface Row {
  /** Its place among the examples, in the order they came. */
  readonly index: number;
  /** 64 bits of its text's SHA-256, in hexadecimal digits. */
  readonly text: string;
  /** The index of its answer among the criteria. */
  readonly answer: number;
  /** float64 [criteria]: probabilities without a lesson. */
  readonly probabilities: Float64Array;
  /** float32 [features] */
  readonly features: Float32Array | undefined;
}

/** A lesson is learned from so many rows at most. */
const MAX_ROWS = 8000;
/** Where they would hold more products of a feature and an option than this, from fewer, */
const MAX_PRODUCTS = 16_000_000;
/** but still from so many. */
const ENOUGH_ROWS = 2000;

/**
 * The rows that are learned from: all rows, or of more than time and memory allow those whose texts' hashes come first. Which ones these are does not depend on the order
 * in which they came.
 */
export class Rows {
  /** By answer: how many rows have been added. */
  readonly counts: number[];
  readonly #maxRows: (row: Row) => number;
  #kept: Row[] = [];
  /** Rows whose text comes after this are not kept. */
  #end: string | undefined;

  /** @param maxRows how many rows like this one are kept at most */
  constructor(options: number, maxRows = maxRowsOf) {
    this.counts = Array.from({ length: options }, () => 0);
    this.#maxRows = maxRows;
  }

  add(row: Row): void {
    this.counts[row.answer] = (this.counts[row.answer] ?? 0) + 1;
    if (this.#end !== undefined && row.text > this.#end) return;
    this.#kept.push(row);
    const maxRows = this.#maxRows(row);
    if (this.#kept.length < 2 * maxRows) return;
    this.#kept = first(this.#kept, maxRows);
    this.#end = this.#kept.at(-1)?.text;
  }

  /** How many rows have been added. */
  get added(): number {
    return this.counts.reduce((a, b) => a + b, 0);
  }

  /** The rows that are learned from, in the order of their texts' hashes, so that it does not matter in which order they came. */
  inOwnOrder(): Row[] {
    const [row] = this.#kept;
    return row === undefined ? [] : first(this.#kept, this.#maxRows(row));
  }
}

function maxRowsOf({ probabilities, features }: Row): number {
  const products = probabilities.length * Math.max(1, features?.length ?? 0);
  return Math.min(MAX_ROWS, Math.max(ENOUGH_ROWS, Math.floor(MAX_PRODUCTS / products)));
}

/** Rows that compare as equal are equal in all but their index. */
function first(rows: readonly Row[], count: number): Row[] {
  return rows.toSorted((a, b) => compare(a.text, b.text) || a.answer - b.answer || a.index - b.index).slice(0, count);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
