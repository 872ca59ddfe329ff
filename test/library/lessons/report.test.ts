import { describe, expect, it } from "vitest";
import { Yielder } from "../../../src/library/async/signals.ts";
import { toOutOfFold } from "../../../src/library/lessons/fit-lesson.ts";
import type { OutOfFold } from "../../../src/library/lessons/fit-lesson.ts";
import { parseQuestion } from "../../../src/library/decide/request.ts";
import { labelIssuesOf, reportOf } from "../../../src/library/lessons/report.ts";

/** Of two options: the right one, and the probability of the first one. */
const outOfFold = (...answers: [number, number][]): OutOfFold[] =>
  answers.map(([answer, first], index) => toOutOfFold({ index, text: "", answer, features: undefined }, Float64Array.of(first, 1 - first)));

const FOUR = outOfFold([0, 0.9], [0, 0.8], [0, 0.3], [1, 0.4]);

describe("a report", () => {
  it("states what can be counted by hand", async () => {
    const { criteria } = parseQuestion({ type: "choice", instructions: "Which?", criteria: { a: null, b: null } });
    const fitted = { before: FOUR, after: FOUR, risk: [], learned: "biases" } as const;
    const { confusion, after } = await reportOf(criteria, fitted, [], new Yielder(undefined));
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

  it("finds examples suspicious whose stated answer is far less probable than another, the least probable first", () => {
    const sure = outOfFold([0, 0.95], [0, 0.95], [1, 0.05], [1, 0.1], [1, 0.97], [1, 0.99], [1, 0.92]);
    expect(labelIssuesOf(sure).map(({ index }) => index)).toEqual([5, 4, 6]);
    // An answer that is only somewhat less probable is not suspicious.
    expect(labelIssuesOf(outOfFold([0, 0.95], [0, 0.25], [1, 0.3]))).toEqual([]);
  });
});
