import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rows } from "../../../src/library/lessons/read-examples.ts";
import type { Row } from "../../../src/library/lessons/read-examples.ts";

const rowOf = (text: string, index: number, answer = 0): Row => ({
  index,
  text,
  answer,
  probabilities: Float64Array.of(0.5, 0.5),
  features: undefined,
});

function kept(rows: readonly Row[], maxRows: number): [string, number][] {
  const all = new Rows(2, () => maxRows);
  for (const row of rows) all.add(row);
  return all.inOwnOrder().map(({ text, answer }) => [text, answer]);
}

describe("rows", () => {
  it("are those whose texts come first, whatever order they came in", () => {
    const rows = Array.from({ length: 40 }, (_, i) => rowOf(String((i * 7) % 20).padStart(2, "0"), i, i % 2));
    const expected = kept(rows, 100).slice(0, 5);
    expect(expected).toEqual([
      ["00", 0],
      ["00", 0],
      ["01", 1],
      ["01", 1],
      ["02", 0],
    ]);
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        expect(kept(shuffled, 5)).toEqual(expected);
      }),
    );
  });

  it("of one text are kept by their answers, whatever order they came in", () => {
    const rows = [1, 1, 1, 1, 0].map((answer, i) => rowOf("a", i, answer));
    expect(kept(rows, 2)).toEqual([
      ["a", 0],
      ["a", 1],
    ]);
    expect(kept(rows.toReversed(), 2)).toEqual(kept(rows, 2));
  });

  it("are counted, also those that are not kept", () => {
    const all = new Rows(3, () => 4);
    for (let i = 0; i < 100; i++) all.add(rowOf(String(i), i, i % 2));
    expect([all.added, ...all.counts]).toEqual([100, 50, 50, 0]);
  });

  it("are fewer where each holds more numbers, so that the time of fitting is bounded", () => {
    const many = (options: number, features: number): number => {
      const all = new Rows(options);
      const shared = { probabilities: new Float64Array(options), features: new Float32Array(features) };
      for (let i = 0; i < 9000; i++) all.add({ ...rowOf(String(i), i), ...shared });
      return all.inOwnOrder().length;
    };
    expect([many(10, 192), many(20, 192), many(255, 2304)]).toEqual([8000, 4166, 2000]);
  });
});
