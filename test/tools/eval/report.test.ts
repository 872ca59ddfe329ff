import { describe, expect, it } from "vitest";
import type { Asked } from "../../../src/tools/eval/outcome.ts";
import { reportOf } from "../../../src/tools/eval/report.ts";
import { showReport } from "../../../src/tools/eval/report-view.ts";
import { plain } from "../../../src/tools/cli/output/screen.ts";

const asked = (line: number, truth: string, said: string, probability: number, more: Partial<Asked> = {}): Asked => ({
  line,
  question: "label",
  type: "choice",
  options: ["a", "b"],
  truth,
  said,
  isRight: truth === said,
  probability,
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
    expect(shown).toMatch(/^noul +1 /mu);
    expect(shown).toMatch(/line 5 +urgent +no, not yes +0\.700/u);
  });
});
