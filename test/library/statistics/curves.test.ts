import { describe, expect, it } from "vitest";
import { accuracyAt, accuracyLine, countAtCoverage, riskPoints } from "../../../src/library/statistics/curves.ts";

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
