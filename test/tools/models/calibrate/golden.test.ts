import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { calibrate, withFits, UNCALIBRATED } from "../../../../src/tools/models/calibrate/fit.ts";
import type { Calibration } from "../../../../src/library/engine/engine.ts";
import { goldenQuestions } from "./golden-questions.ts";

const golden = JSON.parse(await readFile(new URL("golden.json", import.meta.url), "utf8")) as {
  readonly sumOfScores: number;
  readonly sumOfAnswers: number;
  readonly calibration: Calibration;
};

describe("a calibration from the scores that the recipe was given", () => {
  const every = goldenQuestions();

  it("starts from the same scores and answers", () => {
    expect(every.reduce((sum, { scores }) => sum + scores.reduce((a, b) => a + b, 0), 0)).toBeCloseTo(golden.sumOfScores, 9);
    expect(every.reduce((sum, { answer }) => sum + answer, 0)).toBe(golden.sumOfAnswers);
  });

  it("is the recipe's, to the last digit of temperatures and accuracy curves", () => {
    expect(withFits(UNCALIBRATED, calibrate(every))).toEqual(golden.calibration);
  });
});
