import { describe, expect, it } from "vitest";
import { BIASES, FEATURES, leaveHope, NOTHING, weighed } from "../../../../src/library/lessons/fit/candidates.ts";
import type { Fitted } from "../../../../src/library/lessons/fit/candidates.ts";

const CANDIDATES = [NOTHING, BIASES, ...FEATURES];

function fitted(...logLikelihoods: number[]): Fitted[] {
  const nothing = new Float64Array();
  return logLikelihoods.map((logLikelihood, i) => ({
    candidate: CANDIDATES[i] ?? NOTHING,
    parameters: nothing,
    heldOut: nothing,
    logLikelihood,
  }));
}

describe("what a lesson may be", () => {
  it("counts by the likelihood of held-out answers; nothing learned counts fifty times before any is seen", () => {
    const weights = (...logLikelihoods: number[]): number[] => weighed(fitted(...logLikelihoods)).map(({ weight }) => weight);
    expect(weights(-10, -10)).toEqual([50 / 51, 1 / 51]);
    expect(weights(-10, -10 + Math.log(50))[0]).toBeCloseTo(1 / 2, 10);
    expect(weights(-30, -30, -10, -10 - Math.log(3))).toEqual([expect.closeTo(3 / 4, 6), expect.closeTo(1 / 4, 6)]);
  });

  it("ends with the penalty after which weaker ones can count for nothing", () => {
    expect(leaveHope(fitted(-100, -50, -40, -38))).toBe(true);
    expect(leaveHope(fitted(-100, -50, -40, -43))).toBe(true);
    expect(leaveHope(fitted(-100, -50, -40, -44))).toBe(false);
    // Biases may lose what features gain, so the model alone is no measure of them.
    expect(leaveHope(fitted(-40, -60))).toBe(true);
    expect(leaveHope(fitted(-100, -50, -54))).toBe(false);
  });
});
