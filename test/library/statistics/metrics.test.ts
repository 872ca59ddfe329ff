import { describe, expect, it } from "vitest";
import { binOf, calibrationError, macroF1 } from "../../../src/library/statistics/metrics.ts";
import type { Answered } from "../../../src/library/statistics/metrics.ts";

it("a label that is given but never right is not a class, but lowers the others' F1", () => {
  const answers = [
    { right: 0, given: 0 },
    { right: 0, given: 2 },
  ];
  // Of label 0: 1 hit, 2 right, 1 given.
  expect(macroF1(answers, 3)).toBeCloseTo(2 / 3, 12);
});

const answered = (...answers: [number, boolean][]): Answered[] => answers.map(([probability, isRight]) => ({ probability, isRight }));

describe("calibration error", () => {
  it("is the mean gap of the bins, weighted by their answers", () => {
    // In bins of 1/15: .95 in bin 14, .9 in 13, .36 and .35 in 5.
    const four = answered([0.95, true], [0.9, false], [0.36, true], [0.35, false]);
    expect(calibrationError(four)).toBeCloseTo((0.05 + 0.9 + 0.29) / 4, 12);
    expect(calibrationError(answered([1, true]))).toBe(0);
    expect(calibrationError(answered([1, false]))).toBe(1);
  });
});

describe("bins", () => {
  const placesOf = (...probabilities: number[]): [number, number][] => {
    const places = probabilities.map((probability) => binOf(probability) + 1);
    return [...new Set(places)].map((place) => [place, places.filter((other) => other === place).length]);
  };

  it("include their upper ends, and not their lower ones", () => {
    expect(placesOf(0.2, 0.2 + 1e-9, 0.4, 0.6, 0.8, 14 / 15, 1)).toEqual([
      [3, 1],
      [4, 1],
      [6, 1],
      [9, 1],
      [12, 1],
      [14, 1],
      [15, 1],
    ]);
  });

  it("have 0 in the first of them", () => {
    expect(placesOf(0, 1e-300, 1 / 15)).toEqual([[1, 3]]);
  });
});
