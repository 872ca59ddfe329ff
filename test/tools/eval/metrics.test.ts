import { describe, expect, it } from "vitest";
import {
  accuracy,
  accuracyAtCoverage,
  accuracyError,
  confusions,
  countAtCoverage,
  expectedCalibrationError,
  flips,
  macroF1,
  reliabilityBins,
  riskCoverage,
} from "../../../src/tools/eval/metrics.ts";
import type { Outcome } from "../../../src/tools/eval/outcome.ts";
import { sampled } from "../../../src/tools/eval/random.ts";

const choice = (truth: string, said: string, probability: number): Outcome => ({
  type: "choice",
  options: ["a", "b", "c"],
  truth,
  said,
  probability,
});

/** Four of six are right. In bins of 1/15: .95 in bin 14, .9 in 13, .75 in 11, .55 in 8, .36 and .35 in 5. */
const SIX = [
  choice("a", "a", 0.95),
  choice("a", "b", 0.55),
  choice("b", "b", 0.75),
  choice("c", "b", 0.35),
  choice("b", "b", 0.9),
  choice("a", "a", 0.36),
];

describe("the metrics, compared with results by hand", () => {
  it("accuracy is the share of right answers", () => {
    expect(accuracy(SIX)).toBeCloseTo(4 / 6, 12);
  });

  it("macro-F1 is the mean F1 of the labels that are true at least once", () => {
    // a: 2 hits, 3 true, 2 said: 4/5. b: 2 hits, 2 true, 4 said: 4/6. c: never said: 0.
    expect(macroF1(SIX)).toBeCloseTo((4 / 5 + 4 / 6 + 0) / 3, 12);
  });

  it("a label that is given but never true is not a class, but lowers the others' F1", () => {
    // a: 1 hit, 2 true, 1 said.
    expect(macroF1([choice("a", "a", 0.5), choice("a", "c", 0.5)])).toBeCloseTo(2 / 3, 12);
  });

  it("ECE is the mean gap of the bins, weighted by their answers", () => {
    // Gaps times answers: |1 - .95| + |1 - .9| + |1 - .75| + |0 - .55| + 2 |1/2 - .355|
    expect(expectedCalibrationError(SIX)).toBeCloseTo((0.05 + 0.1 + 0.25 + 0.55 + 0.29) / 6, 12);
    expect(expectedCalibrationError([choice("a", "a", 1)])).toBe(0);
    expect(expectedCalibrationError([choice("a", "b", 1)])).toBe(1);
  });

  it("bins have equal widths and include their lower ends, and the last one includes 1", () => {
    const bins = reliabilityBins([choice("a", "a", 1), choice("a", "b", 14 / 15), choice("a", "a", 0.2), choice("a", "a", 0.19)]);
    expect(bins.map(({ from, n }) => [Math.round(from * 15), n])).toEqual([
      [2, 1],
      [3, 1],
      [14, 2],
    ]);
    expect(bins[2]).toMatchObject({ accuracy: 0.5, to: 1 });
  });

  it("accuracy at a coverage is that of the most confident answers", () => {
    // Most confident first: right, right, right, wrong, right, wrong.
    expect([0.5, 0.8, 1].map((coverage) => accuracyAtCoverage(SIX, coverage))).toEqual([1, 3 / 4, 4 / 6]);
    expect(accuracyAtCoverage(SIX.slice(1, 2), 0.5)).toBe(0);
  });

  it("counts at a coverage are whole numbers, unaffected by rounding errors", () => {
    expect([countAtCoverage(100, 0.29), countAtCoverage(9, 0.8), countAtCoverage(1, 0.5)]).toEqual([29, 7, 1]);
  });

  it("risk is the share of wrong answers among the most confident", () => {
    expect(riskCoverage(SIX).map(({ risk }) => risk)).toEqual([0, 0, 0, 1 / 4, 1 / 5, 2 / 6]);
    expect(riskCoverage(Array.from({ length: 250 }, (_, i) => choice("a", "a", i / 250)))).toHaveLength(100);
    expect(riskCoverage(SIX).at(-1)?.coverage).toBe(1);
  });

  it("flips are answers that differ", () => {
    const others = SIX.map((outcome, i) => (i < 2 ? { ...outcome, said: "c" } : outcome));
    expect(flips(SIX, others)).toEqual({ n: 6, changed: 2, share: 1 / 3 });
    expect(() => flips(SIX, others.slice(1))).toThrow(RangeError);
  });

  it("confusions are wrong answers by right answer, the most frequent first", () => {
    expect(confusions([...SIX, choice("c", "b", 0.4)])).toEqual([
      { truth: "c", said: "b", n: 2 },
      { truth: "a", said: "b", n: 1 },
    ]);
    expect(confusions([choice("a", "a", 1)])).toEqual([]);
  });

  it.each([
    ["accuracy", accuracy],
    ["macro-F1", macroF1],
    ["ECE", expectedCalibrationError],
    ["accuracy at 80%", (outcomes: readonly Outcome[]) => accuracyAtCoverage(outcomes, 0.8)],
  ])("%s changes if the most confident answer changes", (_, metric) => {
    const changed = SIX.map((outcome, i) => (i === 0 ? { ...outcome, said: "c" } : outcome));
    expect(metric(changed)).not.toBeCloseTo(metric(SIX), 3);
  });
});

describe("what answers say of themselves", () => {
  const saying = (statedAccuracy: number, isRight: boolean, options = 2): Outcome => ({
    ...choice("a", isRight ? "a" : "b", 0.5),
    options: Array.from({ length: options }, (_, i) => String(i)),
    statedAccuracy,
  });

  it("is off by the mean gap of its own bins, not those of the probability", () => {
    expect(accuracyError([saying(0.9, true), saying(0.9, true), saying(0.3, false)])).toBeCloseTo((0.1 + 0.1 + 0.3) / 3, 12);
  });

  it("is that of the answers that say something, and is not measured if none does", () => {
    expect(accuracyError([saying(0.9, true), choice("a", "b", 0.9)])).toBeCloseTo(0.1, 12);
    expect(accuracyError([choice("a", "a", 0.9)])).toBeNull();
  });
});

describe("the choice of rows", () => {
  const items = Array.from({ length: 100 }, (_, i) => i);

  it("depends only on the seed, and does not change the items", () => {
    expect(sampled(items, 10, 7)).toEqual(sampled(items, 10, 7));
    expect(sampled(items, 10, 7)).not.toEqual(sampled(items, 10, 8));
    expect(items[0]).toBe(0);
  });

  it("takes each item once, and all of them if there are fewer", () => {
    expect(sampled(items, 500, 7).sort((a, b) => a - b)).toEqual(items);
    expect(new Set(sampled(items, 60, 7)).size).toBe(60);
  });
});
