import { describe, expect, it } from "vitest";
import { logisticRegression } from "../../../src/library/statistics/logistic-regression.ts";
import { randomFrom } from "../../../src/library/statistics/random.ts";

describe("logistic regression", () => {
  const random = randomFrom(1);
  const rows = Array.from({ length: 20_000 }, () => {
    const x = 4 * (random() - 0.5);
    return { columns: Float64Array.of(x, 1), isTrue: random() < 1 / (1 + Math.exp(-1.5 * x - 0.5)) };
  });

  it("finds the line that made the answers", () => {
    const [slope = 0, bias = 0] = logisticRegression(rows, Float64Array.of(1e-9, 1e-9));
    expect(slope).toBeCloseTo(1.5, 1);
    expect(bias).toBeCloseTo(0.5, 1);
  });

  it("stays as near to what is expected as its penalties ask", () => {
    expect(logisticRegression(rows, Float64Array.of(1e9, 1e-9))[0]).toBeLessThan(0.01);
    expect(logisticRegression(rows, Float64Array.of(1e9, 1e-9), Float64Array.of(3, 0))[0]).toBeCloseTo(3, 2);
    expect([...logisticRegression([], Float64Array.of(1, 1), Float64Array.of(3, -2))]).toEqual([3, -2]);
  });

  it("finds its way back from where whole steps lead further up", () => {
    // Whole steps of Newton's method jump to and fro between weights near the expected ones and such as make every row certain.
    const wrong = Array.from({ length: 8000 }, () => ({ columns: Float64Array.of(4.6, 1), isTrue: false }));
    const [slope = 0, bias = 0] = logisticRegression(wrong, Float64Array.of(4, 4), Float64Array.of(1, 0));
    // Of one direction, its minimum: each weight's penalty is what the rows pull it by.
    const pull = 8000 / (1 + Math.exp(-4.6 * slope - bias));
    expect(4 * (1 - slope)).toBeCloseTo(4.6 * pull, 6);
    expect(-4 * bias).toBeCloseTo(pull, 6);
  });
});
