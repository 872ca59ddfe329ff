import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toRows, toSequence } from "../../../../../src/library/engine/families/pair/rows.ts";

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
