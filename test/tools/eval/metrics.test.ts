import { describe, expect, it } from "vitest";
import { metricsOf } from "../../../src/tools/eval/metrics.ts";
import type { Metrics } from "../../../src/tools/eval/metrics.ts";
import type { Outcome } from "../../../src/tools/eval/outcome.ts";

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

/** Four of six are right. In bins of 1/15: .95 in bin 14, .9 in 13, .75 in 11, .55 in 8, .36 and .35 in 5. */
const SIX = [
  choice("a", "a", 0.95),
  choice("a", "b", 0.55),
  choice("b", "b", 0.75),
  choice("c", "b", 0.35),
  choice("b", "b", 0.9),
  choice("a", "a", 0.36),
];

describe("the metrics of a set", () => {
  it("are what can be counted by hand", () => {
    const { n, accuracy, macroF1, ece, accuracyAt80, accuracyAt50 } = metricsOf(SIX);
    expect(n).toBe(6);
    expect(accuracy).toBeCloseTo(4 / 6, 12);
    // a: 2 hits, 3 true, 2 said: 4/5. b: 2 hits, 2 true, 4 said: 4/6. c: never said: 0.
    expect(macroF1).toBeCloseTo((4 / 5 + 4 / 6 + 0) / 3, 12);
    // Gaps times answers: |1 - .95| + |1 - .9| + |1 - .75| + |0 - .55| + 2 |1/2 - .355|
    expect(ece).toBeCloseTo((0.05 + 0.1 + 0.25 + 0.55 + 0.29) / 6, 12);
    // Most confident first: right, right, right, wrong, right, wrong.
    expect([accuracyAt50, accuracyAt80]).toEqual([1, 3 / 4]);
  });

  it.each<keyof Metrics>(["accuracy", "macroF1", "ece", "accuracyAt80"])("%s changes if the most confident answer changes", (name) => {
    const changed = SIX.map((one, i) => (i === 0 ? choice("a", "c", one.probability) : one));
    expect(metricsOf(changed)[name]).not.toBeCloseTo(metricsOf(SIX)[name] ?? NaN, 3);
  });

  it("say how often yes is answered and true, if all questions are yes/no", () => {
    const nouls = [yesNo("yes", "yes"), yesNo("no", "yes"), yesNo("no", "yes"), yesNo("no", "no")];
    expect(metricsOf(nouls)).toMatchObject({ n: 4, accuracy: 0.5, saidYes: 0.75, trulyYes: 0.25 });
    expect(metricsOf([...nouls, outcome("choice", ["yes", "no"], "yes", "yes")])).toMatchObject({ saidYes: null, trulyYes: null });
  });

  it("have a macro-F1 only if all questions have the same labels", () => {
    const differing = [outcome("choice", ["a", "b"], "a", "a"), outcome("choice", ["a", "c"], "c", "c")];
    expect(metricsOf(differing).macroF1).toBeNull();
    expect(metricsOf(differing, true).macroF1).toBe(1);
    // The same options in a different order.
    expect(metricsOf([outcome("choice", ["a", "b"], "a", "a"), outcome("choice", ["b", "a"], "b", "b")]).macroF1).toBe(1);
  });
});
