import { InvalidArgumentError } from "commander";
import { expect, it } from "vitest";
import { reportOf } from "../../../src/tools/eval/report.ts";
import type { Asked } from "../../../src/tools/eval/report.ts";
import { judge, requirementFrom } from "../../../src/tools/eval/compare.ts";

/** Twenty answers, all of which are acted on; 17 are right, with a probability of .9. */
const ASKED = Array.from({ length: 20 }, (_, row): Asked => {
  const isRight = row < 17;
  const fields = { line: row, question: "q", type: "noul" as const, options: ["yes", "no"], truth: "yes", said: isRight ? "yes" : "no" };
  return { ...fields, isRight, probability: 0.9, truthProbability: isRight ? 0.9 : 0.1, confidence: 0.8, act: row < 19 && row !== 17 };
});
const judged = (text: string): unknown =>
  judge(requirementFrom(text), () => reportOf(ASKED, 0.6)).map(({ value, isMet }) => [value, isMet]);

it.each<[text: string, value: number, isMet: boolean]>([
  ["accuracy>=.85", 0.85, true],
  ["accuracy >= 0.86", 0.85, false],
  ["macro-f1>=.5", (2 * 17) / 37 / 1, true],
  ["calibration-error<=.05", 0.05, true],
  ["calibration-error<=.04", 0.05, false],
  ["log-loss<=1.2", -(17 * Math.log(0.9) + 3 * Math.log(0.1)) / 20, true],
  ["log-loss<=.4", -(17 * Math.log(0.9) + 3 * Math.log(0.1)) / 20, false],
  ["act@.05>=.9", 0.9, true],
  ["act@.1>=1", 0.9, false],
  ["act-errors@.05<=.05", 1 / 18, false],
])("%s is judged by %f: %s", (text, value, isMet) => {
  expect(judged(text)).toEqual([[expect.closeTo(value, 9), isMet]]);
});

it("a share of errors that is exactly the limit keeps it", () => {
  const asked = ASKED.map((one, i) => ({ ...one, isRight: i > 0, act: true }));
  expect(judge(requirementFrom("act-errors@.05<=.05"), () => reportOf(asked, 0.6))[0]).toMatchObject({ value: 0.05, isMet: true });
});

it("where nothing is acted on, nothing is wrong", () => {
  const report = reportOf(
    ASKED.map((one) => ({ ...one, act: false })),
    0.6,
  );
  expect(judge([...requirementFrom("act@.05>=.1"), ...requirementFrom("act-errors@.05<=.01")], () => report)).toEqual([
    { require: "act@.05>=.1", value: 0, isMet: false },
    { require: "act-errors@.05<=.01", value: 0, isMet: true },
  ]);
});

it("several are judged in their order, each at its rate of errors", () => {
  const rates: (number | undefined)[] = [];
  const all = ["accuracy>=.5", "act@.05>=.4", "act@.2>=.4"].reduce<ReturnType<typeof requirementFrom>>(
    (before, text) => requirementFrom(text, before),
    [],
  );
  const verdicts = judge(all, (rate) => {
    rates.push(rate);
    return reportOf(ASKED, 0.6);
  });
  expect(verdicts.map(({ require }) => require)).toEqual(["accuracy>=.5", "act@.05>=.4", "act@.2>=.4"]);
  expect(rates).toEqual([undefined, 0.05, 0.2]);
});

it.each([
  "precision>=.8",
  "accuracy",
  "accuracy=.85",
  "accuracy<=.85",
  "accuracy>.85",
  "accuracy>=85%",
  "accuracy>=85",
  "accuracy@.05>=.85",
  "act>=.4",
  "act@5>=.4",
  "act@0.0>=.4",
  "log-loss>=.5",
  "toString>=.5",
  ">=.5",
  "",
])("%j is no requirement, and the message lists all of them", (text) => {
  expect(() => requirementFrom(text)).toThrow(InvalidArgumentError);
  expect(() => requirementFrom(text)).toThrow(
    "accuracy>=.85, macro-f1>=.8, calibration-error<=.1, log-loss<=.5, act@.05>=.4, act-errors@.05<=.05",
  );
});
