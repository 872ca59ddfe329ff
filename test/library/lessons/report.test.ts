import { describe, expect, it } from "vitest";
import { Pauses } from "../../../src/library/lessons/fit/pauses.ts";
import { toHeldOut } from "../../../src/library/lessons/held-out.ts";
import type { HeldOut } from "../../../src/library/lessons/held-out.ts";
import { parseQuestion } from "../../../src/library/decide/request.ts";
import { reportOf } from "../../../src/library/lessons/report.ts";
import { riskPoints } from "../../../src/library/lessons/risk-points.ts";
import { suspiciousOf } from "../../../src/library/lessons/suspicious.ts";

/** Of two options: the right one, and the probability of the first one. */
const heldOut = (...answers: [number, number][]): HeldOut[] =>
  answers.map(([right, first], index) => toHeldOut(index, right, Float64Array.of(first, 1 - first)));

const FOUR = heldOut([0, 0.9], [0, 0.8], [0, 0.3], [1, 0.4]);

describe("a report", () => {
  it("states what can be counted by hand", async () => {
    const { criteria } = parseQuestion({ type: "choice", instructions: "Which?", criteria: { a: null, b: null } });
    const all = { criteria, before: FOUR, after: FOUR, risk: [], learned: "biases", notes: [] } as const;
    const { confusion, after } = await reportOf(all, new Pauses(undefined));
    expect(confusion).toEqual([
      [2, 1],
      [0, 1],
    ]);
    // Wilson's interval of 3 in 4.
    expect(after.accuracy.value).toBe(0.75);
    expect(after.accuracy.low).toBeCloseTo(0.3562, 3);
    expect(after.accuracy.high).toBeCloseTo(0.9421, 3);
    expect(after.macroF1.value).toBeCloseTo((4 / 5 + 2 / 3) / 2, 12);
    expect(after.logLoss.value).toBeCloseTo(-Math.log(0.9 * 0.8 * 0.3 * 0.6) / 4, 12);
    expect(after.calibrationError.value).toBeCloseTo((0.1 + 0.2 + 0.7 + 0.4) / 4, 12);
  });

  it("finds examples suspicious that are as sure of another answer as its own examples are, the surest first", () => {
    const sure = heldOut([0, 0.95], [0, 0.95], [1, 0.05], [1, 0.1], [1, 0.97], [1, 0.99], [1, 0.92]);
    expect(suspiciousOf(sure, 2).map(({ index }) => index)).toEqual([5, 4]);
    // An answer that is not improbable is not suspicious.
    expect(suspiciousOf(heldOut([0, 0.95], [0, 0.2], [1, 0.3]), 2)).toEqual([]);
  });

  it("counts errors from the surest answer on, those of equal probability together", () => {
    const answers = heldOut([0, 0.9], [1, 0.8], [0, 0.8], [1, 0.2], [0, 0.7]);
    expect(riskPoints(answers)).toEqual([
      { probability: 0.9, answers: 1, errors: 0 },
      { probability: 0.8, answers: 4, errors: 1 },
      { probability: 0.7, answers: 5, errors: 1 },
    ]);
  });
});
