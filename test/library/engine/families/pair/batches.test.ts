import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBatches } from "../../../../../src/library/engine/families/pair/batches.ts";

const MAX_TOKENS = 512;
const batchesOf = (lengths: readonly number[], isPadded = true): number[][] => toBatches(lengths, (length) => length, MAX_TOKENS, isPadded);
const paddingOf = (batch: readonly number[]): number => batch.reduce((sum, length) => sum + (batch.at(-1) ?? 0) - length, 0);

describe("rows are read in batches", () => {
  it("of rows of one length, with as many tokens as the longest row may have", () => {
    expect(batchesOf(Array.from({ length: 10 }, () => 100)).map((batch) => batch.length)).toEqual([5, 5]);
    expect(batchesOf([512, 512])).toEqual([[512], [512]]);
    expect(batchesOf([257, 257])).toEqual([[257], [257]]);
  });

  it("in which padding costs less than another run would", () => {
    expect(batchesOf([10, 12, 20])).toEqual([[10, 12, 20]]);
    expect(batchesOf([10, 40])).toEqual([[10], [40]]);
    expect(batchesOf([100, 101, 102, 103, 112])).toEqual([[100, 101, 102, 103], [112]]);
  });

  it("without padding, if that would change what the model says", () => {
    expect(batchesOf([10, 10, 12, 20, 20], false)).toEqual([[10, 10], [12], [20, 20]]);
  });

  it("in order, each row once, never above the bound", () => {
    const lengths = fc.array(fc.integer({ min: 2, max: MAX_TOKENS }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(lengths, (unsorted) => {
        const sorted = unsorted.sort((a, b) => a - b);
        const batches = batchesOf(sorted);
        expect(batches.flat()).toEqual(sorted);
        const isWrong = (batch: readonly number[]): boolean =>
          batch.length === 0 || batch.length * (batch.at(-1) ?? 0) > MAX_TOKENS || paddingOf(batch) > 24;
        expect(batches.filter(isWrong)).toEqual([]);
        // No two neighbours could have been one.
        const couldBeOne = batches.filter((batch, i) => {
          const joined = [...(batches[i - 1] ?? [Infinity]), batch[0] ?? Infinity];
          return i > 0 && joined.length * (joined.at(-1) ?? 0) <= MAX_TOKENS && paddingOf(joined) <= 24;
        });
        expect(couldBeOne).toEqual([]);
      }),
    );
  });
});
