import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/tools/eval/report.ts";
import { load } from "./modules.ts";

const { chanceOf, figuresOf, meansOf, reliabilityBins, riskCoverage } = await load("figures");

const outcome = (type: Outcome["type"], options: string[], truth: string, said: string, probability = 0.6): Outcome => ({
  type,
  options,
  truth,
  said,
  isRight: truth === said,
  probability,
});
const yesNo = (truth: string, said: string): Outcome => outcome("noul", ["yes", "no"], truth, said);
const choice = (truth: string, said: string, probability: number): Outcome => outcome("choice", ["a", "b", "c"], truth, said, probability);

describe("the figures of a set", () => {
  it("count flips over the first answers, the only ones asked again", () => {
    const asked = [yesNo("yes", "yes"), yesNo("no", "no"), yesNo("no", "yes")];
    expect(figuresOf(asked, { fp32: [yesNo("yes", "no"), yesNo("no", "yes")] }).flips).toEqual({ n: 2, changed: 2, share: 1 });
    expect(figuresOf(asked).flips).toBeNull();
  });

  it("have the calibration error of what answers say of themselves, in its own bins, if all of them say it", () => {
    const saying = (statedAccuracy: number, isRight: boolean): Outcome => ({ ...choice("a", isRight ? "a" : "b", 0.5), statedAccuracy });
    expect(figuresOf([saying(0.9, true), saying(0.9, true), saying(0.3, false)]).accuracyError).toBeCloseTo((0.1 + 0.1 + 0.3) / 3, 12);
    expect(figuresOf([saying(0.9, true), choice("a", "a", 0.9)]).accuracyError).toBeNull();
  });
});

describe("chance", () => {
  it("is right once per number of options, and most confident if there are few", () => {
    const mixed = [outcome("choice", ["a", "b", "c", "d"], "a", "b"), outcome("choice", ["a", "b"], "a", "b")];
    expect(chanceOf(mixed)).toMatchObject({ n: 2, accuracy: 0.375, accuracyAt50: 0.5, ece: null, macroF1: null, flips: null });
  });

  it("gets its macro-F1 from its expected counts", () => {
    const two = ["a", "a", "a", "b"].map((truth) => outcome("choice", ["a", "b"], truth, "a"));
    // a: 1.5 expected hits, 3 true, 2 said: 3/5. b: 0.5, 1 true, 2 said: 1/3.
    expect(chanceOf(two).macroF1).toBeCloseTo((3 / 5 + 1 / 3) / 2, 12);
  });

  it("answers yes half the time, whatever is true", () => {
    expect(chanceOf([yesNo("yes", "no"), yesNo("yes", "no")])).toMatchObject({ saidYes: 0.5, trulyYes: 1 });
  });
});

it("means weigh all sets equally, and are null if a set lacks the figure", () => {
  const one = figuresOf([yesNo("yes", "yes"), yesNo("no", "no"), yesNo("no", "no")]);
  const other = figuresOf([yesNo("yes", "no")]);
  expect(meansOf([one, other])).toMatchObject({ sets: 2, accuracy: 0.5, accuracyAt80: 0.5 });
  expect(meansOf([one, { ...other, macroF1: null }]).macroF1).toBeNull();
});

it("risk is the share of wrong answers among the most confident", () => {
  const six = [
    choice("a", "a", 0.95),
    choice("a", "b", 0.55),
    choice("b", "b", 0.75),
    choice("c", "b", 0.35),
    choice("b", "b", 0.9),
    choice("a", "a", 0.36),
  ];
  expect(riskCoverage(six).map(({ risk }) => risk)).toEqual([0, 0, 0, 1 / 4, 1 / 5, 2 / 6]);
  expect(riskCoverage(Array.from({ length: 250 }, (_, i) => choice("a", "a", i / 250)))).toHaveLength(100);
  expect(riskCoverage(six).at(-1)?.coverage).toBe(1);
});

it("bins have the means of their answers", () => {
  const [bin] = reliabilityBins([choice("a", "a", 0.91), choice("a", "b", 0.93)]);
  expect(bin).toMatchObject({ n: 2, accuracy: 0.5, probability: expect.closeTo(0.92, 12) as number });
});
