import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBatches, toRows, toSequence } from "../../../../../src/library/engine/families/pair/family.ts";

const count = (tokens: number): number[] => Array.from({ length: tokens }, (_, i) => i);

describe("the rows of a question", () => {
  it("are every window with every hypothesis, the shortest first, each once", () => {
    const rows = toRows(count(5), [[9, 9], [7], [9, 8], [7]], 4, 2);
    const [first, second] = [
      [0, 1, 2, 3],
      [1, 2, 3, 4],
    ];
    expect(rows).toEqual([
      { window: first, hypothesis: [7] },
      { window: second, hypothesis: [7] },
      { window: first, hypothesis: [9, 8] },
      { window: second, hypothesis: [9, 8] },
      { window: first, hypothesis: [9, 9] },
      { window: second, hypothesis: [9, 9] },
    ]);
  });

  it("have a window once that the state repeats", () => {
    const repeated = Array.from({ length: 1000 }, () => 5);
    expect(toRows(repeated, [[1], [2]], 100, 20)).toHaveLength(2);
  });

  it("are one of nothing for a state and an option without tokens", () => {
    expect(toRows([], [[], []], 100, 20)).toEqual([{ window: [], hypothesis: [] }]);
  });

  it("still have tokens of their own where a window is shorter than the overlap", () => {
    const starts = toRows(count(100), [[1]], 32, 64).map(({ window }) => window[0]);
    expect(starts).toEqual([0, 13, 27, 40, 54, 68]);
  });

  it("do not depend on the order of the options", () => {
    const options = fc.array(fc.array(fc.nat(3), { maxLength: 4 }), { minLength: 1, maxLength: 20 });
    const shuffled = options.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ([all, turned]) => {
        expect(toRows(count(10), turned, 8, 2)).toEqual(toRows(count(10), all, 8, 2));
      }),
    );
  });
});

it("a row has its special tokens, and a token type for each token", () => {
  const pair = {
    before: [{ id: 1, type: 0 }],
    between: [
      { id: 2, type: 0 },
      { id: 3, type: 1 },
    ],
    after: [{ id: 2, type: 1 }],
    premiseType: 0,
    hypothesisType: 1,
  };
  expect(toSequence({ window: [7, 8], hypothesis: [9] }, pair)).toEqual({ ids: [1, 7, 8, 2, 3, 9, 2], types: [0, 0, 0, 0, 1, 1, 1] });
  expect(toSequence({ window: [], hypothesis: [] }, pair)).toEqual({ ids: [1, 2, 3, 2], types: [0, 0, 1, 1] });
});

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
