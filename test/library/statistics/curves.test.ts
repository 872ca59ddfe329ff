import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accuracyAt,
  accuracyLine,
  answersNeeded,
  countAtCoverage,
  riskPoints,
  thresholdFor,
  type RiskPoint,
} from "../../../src/library/statistics/curves.ts";

it("counts at a coverage are whole numbers, unaffected by rounding errors", () => {
  expect([countAtCoverage(100, 0.29), countAtCoverage(9, 0.8), countAtCoverage(1, 0.5)]).toEqual([29, 7, 1]);
});

describe("points of risk", () => {
  const answers = ([0.9, 0.8, 0.8, 0.8, 0.7] as const).map((probability, i) => ({ probability, isRight: i !== 1 }));

  it("count errors from the surest answer on, those of equal probability together", () => {
    expect(riskPoints(answers, (count) => count + 1)).toEqual([
      { probability: 0.9, answers: 1, errors: 0 },
      { probability: 0.8, answers: 4, errors: 1 },
      { probability: 0.7, answers: 5, errors: 1 },
    ]);
  });

  it("are as far apart as is asked, and the last one counts all", () => {
    expect(riskPoints(answers, (count) => count + 3).map((point) => point.answers)).toEqual([4, 5]);
    expect(riskPoints(answers, (count) => count + 100).map((point) => point.answers)).toEqual([5]);
    expect(riskPoints([], (count) => count + 1)).toEqual([]);
  });

  it("of answers with weights count what would tell as much without, with errors rounded up; equal weights change nothing", () => {
    const twice = answers.map((answer) => ({ ...answer, weight: 0.3 }));
    expect(riskPoints(twice, (count) => count + 1)).toEqual(riskPoints(answers, (count) => count + 1));
    const unlike = [5, 1, 1, 1, 1, 1].map((weight, i) => ({ probability: 0.9 - i / 10, isRight: i !== 5, weight }));
    // 1, (5 + 1)² / (25 + 1) = 1.4, 1.8, 2.3, 2.8, 3.3: of which a tenth is wrong.
    expect(riskPoints(unlike, (count) => count + 1)).toEqual([
      { probability: 0.9, answers: 1, errors: 0 },
      { probability: expect.closeTo(0.6) as number, answers: 2, errors: 0 },
      { probability: expect.closeTo(0.4) as number, answers: 3, errors: 1 },
    ]);
  });
});

describe("the line of accuracy", () => {
  it("takes probabilities at their word where nothing was seen, and where they hold", () => {
    expect(accuracyLine([])).toEqual({ slope: 1, bias: 0 });
    const honest = Array.from({ length: 5000 }, (_, i) => ({ probability: 0.8, isRight: i % 5 !== 0 }));
    expect(accuracyAt(accuracyLine(honest), 0.8)).toBeCloseTo(0.8, 3);
  });

  it.each([20, 1000, 8000])("says how often answers are right that are surest where they are wrong, of %d", (count) => {
    const misled = Array.from({ length: count }, (_, i) => ({ probability: i % 2 === 0 ? 0.4 : 0.99, isRight: i % 2 === 0 }));
    const line = accuracyLine(misled);
    // It never falls, so it can only say that half of all are right.
    expect(line.slope).toBe(0.05);
    expect((accuracyAt(line, 0.4) + accuracyAt(line, 0.99)) / 2).toBeCloseTo(0.5, 1);
  });
});

const at = (probability: number, answers: number, errors: number): RiskPoint => ({ probability, answers, errors });

describe("the threshold for an error rate", () => {
  // Upper bounds of Clopper and Pearson, 90%, one-sided: scipy.stats.beta.ppf(.9, errors + 1, answers - errors).
  it.each([
    [22, 0, 0.0994],
    [100, 2, 0.0523],
    [100, 5, 0.0908],
    [200, 10, 0.0761],
    [1000, 80, 0.0923],
  ])("%i answers with %i errors promise just above %f", (answers, errors, bound) => {
    expect(thresholdFor([at(0.7, answers, errors)], bound + 0.0002)).toBe(0.7);
    expect(thresholdFor([at(0.7, answers, errors)], bound - 0.0002)).toBeUndefined();
  });

  it("is the lowest one whose answers, and all surer ones, keep the rate", () => {
    const points = [at(0.95, 50, 1), at(0.9, 100, 2), at(0.8, 150, 30), at(0.7, 1000, 31)];
    expect(thresholdFor(points, 0.1)).toBe(0.9);
  });

  it("does not end at one error among the surest few", () => {
    expect(thresholdFor([at(0.99, 22, 1), at(0.9, 200, 4)], 0.1)).toBe(0.9);
  });

  it("is none without answers, or with too few", () => {
    expect(thresholdFor([], 0.1)).toBeUndefined();
    expect(thresholdFor([at(0.9, 21, 0)], 0.1)).toBeUndefined();
    expect(answersNeeded(0.1)).toBe(22);
    expect(answersNeeded(0.01)).toBe(230);
  });

  it("does not rise when a higher error rate is accepted", () => {
    const point = fc.record({
      gap: fc.double({ min: 0.001, max: 0.05, noNaN: true }),
      more: fc.integer({ min: 1, max: 60 }),
      wrong: fc.nat(60),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 15 }), fc.double({ min: 0.01, max: 0.5, noNaN: true }), (steps, rate) => {
        let last = at(1, 0, 0);
        const points = steps.map(
          ({ gap, more, wrong }) => (last = at(last.probability - gap, last.answers + more, last.errors + Math.min(more, wrong))),
        );
        // Every point is tested under both rates.
        const tested = points.filter(({ answers }) => answers >= 2 * answersNeeded(rate));
        const [strict, lax] = [thresholdFor(tested, rate), thresholdFor(tested, rate * 1.5)];
        if (strict !== undefined) expect(lax).toBeLessThanOrEqual(strict);
      }),
    );
  });
});
