import { describe, expect, it } from "vitest";
import { metricsOf, outcomeOf, reportOf, showReport } from "../../../src/tools/eval/report.ts";
import type { Asked, Metrics, Outcome } from "../../../src/tools/eval/report.ts";
import { plain } from "../../../src/tools/cli/output/screen.ts";

describe("the answer given", () => {
  it("is yes from a probability of 0.5, and has its own probability", () => {
    const said = [0.3, 0.5, 0.8].map((noul) => outcomeOf({ type: "noul", noul }, "no"));
    expect(said.map(({ said, probability }) => [said, probability])).toEqual([
      ["no", 0.7],
      ["yes", 0.5],
      ["yes", 0.8],
    ]);
    expect(said[0]).toMatchObject({ type: "noul", options: ["yes", "no"], truth: "no" });
  });

  it("is the most likely option, or the first in a tie", () => {
    const probabilities = { a: 0.2, b: 0.4, c: 0.4 };
    expect(outcomeOf({ type: "choice", choice: "b", confidence: 0.1, probabilities }, "c")).toEqual({
      type: "choice",
      options: ["a", "b", "c"],
      truth: "c",
      said: "b",
      isRight: false,
      probability: 0.4,
    });
  });

  it("is the most likely level of a score, not the expected one", () => {
    const probabilities = { "0": 0.45, "1": 0.15, "2": 0.4 };
    const legend = { "0": "a", "1": "b", "2": "c" };
    expect(outcomeOf({ type: "score", score: 0.95, legend, probabilities, confidence: 0 }, "0").said).toBe("0");
  });

  it("keeps how often the answer says that such answers are right", () => {
    expect(outcomeOf({ type: "noul", noul: 0.8, x_accuracy: 0.7 }, "no").statedAccuracy).toBe(0.7);
    expect(outcomeOf({ type: "noul", noul: 0.8 }, "no")).not.toHaveProperty("statedAccuracy");
  });
});

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

const asked = (line: number, truth: string, said: string, probability: number, more: Partial<Asked> = {}): Asked => ({
  line,
  question: "label",
  type: "choice",
  options: ["a", "b"],
  truth,
  said,
  isRight: truth === said,
  probability,
  truthProbability: truth === said ? probability : 1 - probability,
  confidence: 2 * probability - 1,
  ...more,
});

const FOUR = [asked(1, "a", "a", 0.9), asked(2, "a", "b", 0.8), asked(3, "b", "b", 0.6), asked(4, "b", "a", 0.55)];

describe("a report", () => {
  it("counts answers below the threshold as left to a person", () => {
    expect(reportOf(FOUR, 0.58).toPerson).toEqual({ threshold: 0.58, share: 0.25, accuracyOfOthers: 2 / 3 });
    expect(reportOf(FOUR, 0).toPerson).toEqual({ threshold: 0, share: 0, accuracyOfOthers: 0.5 });
    expect(reportOf(FOUR, 1).toPerson).toEqual({ threshold: 1, share: 1, accuracyOfOthers: null });
  });

  it("goes by the accuracy that an answer states rather than by its probability", () => {
    const stating = FOUR.map((one) => ({ ...one, statedAccuracy: one.line === 1 ? 0.5 : 0.7 }));
    expect(reportOf(stating, 0.6).toPerson).toMatchObject({ share: 0.25, accuracyOfOthers: 1 / 3 });
  });

  it("leaves answers with a warning to a person, however sure they are", () => {
    const warned = FOUR.map((one) => (one.line === 2 ? { ...one, warnings: ["unread_text"] as const } : one));
    expect(reportOf(warned, 0).toPerson).toMatchObject({ share: 0.25, accuracyOfOthers: 2 / 3 });
  });

  it("lists the surest wrong answers by their lines, and the confusions", () => {
    const { surestWrong, confusions } = reportOf(FOUR, 0);
    expect(surestWrong.map(({ line, probability }) => [line, probability])).toEqual([
      [2, 0.8],
      [4, 0.55],
    ]);
    expect(confusions).toEqual([
      { truth: "a", said: "b", n: 1 },
      { truth: "b", said: "a", n: 1 },
    ]);
  });

  it("compares the accuracy that answers state with the true one", () => {
    expect(reportOf(FOUR, 0).stated).toBeNull();
    const stating = FOUR.map((one, i) => (i < 2 ? { ...one, statedAccuracy: 0.7 + 0.2 * i } : one));
    expect(reportOf(stating, 0).stated).toEqual({ accuracy: expect.closeTo(0.8, 12) as number, trueAccuracy: 0.5 });
    expect(showReport(reportOf(stating, 0), { width: 80, paint: plain })).toContain(
      "state that 80.0% of them are right (x_accuracy); 50.0% are.",
    );
  });

  it("counts what lessons answered, and what can be acted on, with the share that is wrong", () => {
    expect(reportOf(FOUR, 0)).toMatchObject({ taught: 0, acted: null });
    const saying = FOUR.map((one) => ({ ...one, act: one.line < 3, ...(one.line === 4 && { lesson: "lesson-1" }) }));
    expect(reportOf(saying, 0)).toMatchObject({ taught: 1, acted: { share: 0.5, errorRate: 0.5 } });
    expect(
      reportOf(
        saying.map((one) => ({ ...one, act: false })),
        0,
      ).acted,
    ).toEqual({ share: 0, errorRate: null });
    const shown = showReport(reportOf(saying, 0), { width: 80, paint: plain });
    expect(shown).toContain("\nLessons gave 1 of the 4 answers.\nTo be acted on (x_act): 50.0%. Of these, 50.0% are wrong.\n");
  });

  it("has figures by type if there are several, and no confusions among different options", () => {
    const yesNo = asked(5, "yes", "no", 0.7, { type: "noul", options: ["yes", "no"], question: "urgent" });
    const report = reportOf([...FOUR, yesNo], 0);
    expect(report.types).toMatchObject({ choice: { n: 4, chance: 0.5 }, noul: { n: 1, saidYes: 0, trulyYes: 1 } });
    expect(report.confusions).toBeNull();
    expect(reportOf(FOUR, 0).types).toEqual({});
    const shown = showReport(report, { width: 80, paint: plain });
    expect(shown).toMatch(/^yes\/no +1 /mu);
    expect(shown).toMatch(/line 5 +urgent +no, not yes +0\.700/u);
  });
});
