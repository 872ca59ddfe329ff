import { describe, expect, it } from "vitest";
import { chanceOf, figuresOf, meansOf } from "../../../src/tools/eval/figures.ts";
import type { Outcome } from "../../../src/tools/eval/outcome.ts";

const outcome = (type: Outcome["type"], options: string[], truth: string, said: string, probability = 0.6): Outcome => ({
  type,
  options,
  truth,
  said,
  probability,
});
const yesNo = (truth: string, said: string): Outcome => outcome("noul", ["yes", "no"], truth, said);

describe("the figures of a set", () => {
  it("say how often yes is answered and true, if all questions are yes/no", () => {
    const nouls = [yesNo("yes", "yes"), yesNo("no", "yes"), yesNo("no", "yes"), yesNo("no", "no")];
    expect(figuresOf(nouls)).toMatchObject({ n: 4, accuracy: 0.5, saidYes: 0.75, trulyYes: 0.25 });
    expect(figuresOf([...nouls, outcome("choice", ["yes", "no"], "yes", "yes")])).toMatchObject({ saidYes: null, trulyYes: null });
  });

  it("have a macro-F1 only if all questions have the same labels", () => {
    const differing = [outcome("choice", ["a", "b"], "a", "a"), outcome("choice", ["a", "c"], "c", "c")];
    expect(figuresOf(differing).macroF1).toBeNull();
    expect(figuresOf(differing, { labelsShared: true }).macroF1).toBe(1);
    // The same options in a different order.
    expect(figuresOf([outcome("choice", ["a", "b"], "a", "a"), outcome("choice", ["b", "a"], "b", "b")]).macroF1).toBe(1);
  });

  it("count flips over the first answers, the only ones asked again", () => {
    const asked = [yesNo("yes", "yes"), yesNo("no", "no"), yesNo("no", "yes")];
    expect(figuresOf(asked, { fp32: [yesNo("yes", "no"), yesNo("no", "yes")] }).flips).toEqual({ n: 2, changed: 2, share: 1 });
    expect(figuresOf(asked).flips).toBeNull();
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
