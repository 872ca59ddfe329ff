import { describe, expect, test } from "vitest";
import { randomFrom } from "../../../src/library/statistics/random.ts";
import { drawRow, hasSettled, Likeness } from "../../../src/tools/label/choose.ts";
import type { Round } from "../../../src/tools/label/choose.ts";

/** Half of the rows are sure, and seldom wrong; the others are doubtful, and often wrong. */
const CANDIDATES = Array.from({ length: 100 }, (_, i) => ({
  probabilities: i < 50 ? Float64Array.of(0.98, 0.02) : Float64Array.of(0.5 + (i - 50) / 500, 0.5 - (i - 50) / 500),
  likeness: i % 3 === 0 ? 0.9 : 0.1,
}));
const isWrong = (index: number): boolean => (index < 50 ? index % 25 === 0 : index % 3 === 0);
const ERRORS = [...CANDIDATES.keys()].filter(isWrong).length / CANDIDATES.length;

test("weights make the share of errors that of all rows, although harder rows are drawn more often", () => {
  const random = randomFrom(3);
  const draws = Array.from({ length: 15_000 }, () => drawRow(CANDIDATES, (p) => 1 - p, 0.05, random));
  const sum = draws.reduce((all, { weight }) => all + weight, 0);
  const errors = draws.reduce((all, { index, weight }) => all + (isWrong(index) ? weight : 0), 0);
  expect(errors / sum).toBeCloseTo(ERRORS, 1.7);
  expect(draws.filter(({ index }) => isWrong(index)).length / draws.length).not.toBeCloseTo(ERRORS, 1.7);
  // Whatever becomes of the strategy, one row in five is any.
  const seen = new Set(draws.map(({ index }) => index));
  expect(seen.size).toBe(CANDIDATES.length);
});

test("of two doubtful rows, the one that is unlike those that were answered is drawn more often", () => {
  const random = randomFrom(4);
  const counts = { alike: 0, other: 0 };
  for (let i = 0; i < 5_000; i++) {
    const { index, weight } = drawRow(CANDIDATES, (p) => 1 - p, 0.05, random);
    if (weight === 0) counts[index % 3 === 0 ? "alike" : "other"]++;
  }
  expect(counts.other / counts.alike).toBeGreaterThan(10);
});

test.each([1, 2])("%i rows that are all alike are drawn all the same", (count) => {
  const rows = Array.from({ length: count }, () => ({ probabilities: Float64Array.of(1, 0), likeness: 1 }));
  const random = randomFrom(5);
  const seen = new Set(Array.from({ length: 200 }, () => drawRow(rows, () => 1, 0.05, random).index));
  expect([...seen].sort()).toEqual(Array.from({ length: count }, (_, i) => i));
});

test("likeness is that to the nearest answered row, less what all rows have in common", () => {
  const rows = [Float32Array.of(9, 1, 0), Float32Array.of(9, 1, 0.1), Float32Array.of(9, 0, 1), Float32Array.of(9, -2, -1.1)];
  const likeness = new Likeness(rows);
  expect([0, 1, 2].map((row) => likeness.of(row))).toEqual([0, 0, 0]);
  likeness.answered(0);
  expect(likeness.of(1)).toBeGreaterThan(0.95);
  expect(likeness.of(3)).toBe(0);
  likeness.answered(3);
  expect(likeness.of(1)).toBeGreaterThan(0.95);
});

describe("when more answers would hardly help", () => {
  const rounds = (...shares: number[]): Round[] =>
    shares.map((share, i) => ({ answered: 8 * (i + 1), share, accuracy: 0.9, learned: "features" }));
  const still = (share: number, count: number): number[] => Array.from({ length: count }, () => share);

  test("nearly all rows can be acted on", () => {
    expect(hasSettled(rounds(0, 0.97), 0.05)).toBe("97 in 100 of the rest can be acted on. More answers can hardly raise that.");
  });

  test("a share stays, but not before there were 96 answers, nor while it rises", () => {
    expect(hasSettled(rounds(...still(0.6, 11)), 0.05)).toBeUndefined();
    expect(hasSettled(rounds(...still(0.6, 12)), 0.05)).toContain("did not raise the share");
    expect(hasSettled(rounds(...still(0.6, 11), 0.7), 0.05)).toBeUndefined();
  });

  test("nothing can be acted on after 240 answers", () => {
    expect(hasSettled(rounds(...still(0, 29)), 0.05)).toBeUndefined();
    expect(hasSettled(rounds(...still(0, 30)), 0.05)).toContain(
      "After 240 answers, still nothing can be acted on with at most 5 in 100 wrong.",
    );
    expect(hasSettled([], 0.05)).toBeUndefined();
  });
});
