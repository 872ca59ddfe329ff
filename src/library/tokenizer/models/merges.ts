import { listOf } from "../part.ts";

const MAX_MERGES = 2_000_000;
/** Above every rank and every id. */
const PER_RIGHT = 2 ** 21;
const NONE = -1;

/** Which two tokens make one, and which pair comes first. The rank of a pair is its place in the list. */
export class Merges {
  /** What the pair of a rank makes, or -1. */
  readonly made: Int32Array;
  /** The pairs of a left token lie from #starts[left] to #starts[left + 1], sorted by right token, then by rank. */
  readonly #starts: Int32Array;
  readonly #rightsAndRanks: Float64Array;

  /** @param idOf the id of a piece; undefined for one that texts may not become, whose pairs are left out */
  constructor(merges: unknown, idOf: (piece: string) => number | undefined) {
    const list = listOf(merges, "the model's merges", MAX_MERGES);
    const pairs: { left: number; rightAndRank: number }[] = [];
    this.made = new Int32Array(list.length).fill(NONE);
    let most = 0;
    for (const [rank, entry] of list.entries()) {
      const [leftPiece, rightPiece] = pairOf(entry);
      const left = idOf(leftPiece);
      const right = idOf(rightPiece);
      const made = idOf(leftPiece + rightPiece);
      if (left === undefined || right === undefined || made === undefined) continue;
      this.made[rank] = made;
      pairs.push({ left, rightAndRank: right * PER_RIGHT + rank });
      most = Math.max(most, left);
    }
    const starts = new Int32Array(most + 2);
    for (const { left } of pairs) starts[left + 1] = (starts[left + 1] ?? 0) + 1;
    for (let left = 1; left < starts.length; left += 1) starts[left] = (starts[left] ?? 0) + (starts[left - 1] ?? 0);
    const sorted = new Float64Array(pairs.length);
    const next = starts.slice();
    for (const { left, rightAndRank } of pairs) {
      const at = next[left] ?? 0;
      sorted[at] = rightAndRank;
      next[left] = at + 1;
    }
    for (let left = 0; left <= most; left += 1) sorted.subarray(starts[left], starts[left + 1]).sort();
    this.#starts = starts;
    this.#rightsAndRanks = sorted;
  }

  /** The rank of two tokens, the lower the earlier they are merged; -1 for those that are not. */
  rankOf(left: number, right: number): number {
    const start = this.#starts[left] ?? 0;
    let low = start;
    let high = this.#starts[left + 1] ?? start;
    const above = (right + 1) * PER_RIGHT;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rightsAndRanks[middle] ?? 0) < above) low = middle + 1;
      else high = middle;
    }
    if (low === start) return NONE;
    // The last of equal pairs counts: a later line of the file replaces an earlier one.
    const rank = (this.#rightsAndRanks[low - 1] ?? 0) - right * PER_RIGHT;
    return rank >= 0 ? rank : NONE;
  }
}

function pairOf(entry: unknown): readonly [string, string] {
  const [left, right, ...more]: readonly unknown[] = typeof entry === "string" ? entry.split(" ") : listOf(entry, "a merge of the model", 2);
  if (typeof left !== "string" || typeof right !== "string" || more.length > 0) throw new Error("a merge of the model is not a pair of tokens");
  return [left, right];
}
