import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answersNeeded, thresholdFor } from "../../../src/library/decide/decide.ts";
import type { RiskPoint } from "../../../src/library/engine/engine.ts";

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
