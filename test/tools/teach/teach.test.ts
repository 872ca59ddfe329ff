import { describe, expect, it } from "vitest";
import { plain } from "../../../src/tools/cli/output/screen.ts";
import { widthOf } from "../../../src/tools/cli/output/terminal-text.ts";
import { showTaught } from "../../../src/tools/teach/teach.ts";
import type { TaughtReport } from "../../../src/tools/teach/teach.ts";
import type { Question } from "../../../src/library/decide/types.ts";
import type { LessonMetrics } from "../../../src/library/lessons/lesson.ts";

const figure = (value: number): LessonMetrics["accuracy"] => ({ value, low: value / 2, high: value });
const figures = (share: number, logLoss: number): LessonMetrics => ({
  accuracy: figure(share),
  macroF1: figure(share),
  logLoss: figure(logLoss),
  calibrationError: figure(share / 4),
});

const DESK: Question = { type: "choice", instructions: "Which desk?", criteria: { north: null, "south\u001b[31m": null } };
const REPORT: TaughtReport = {
  leftOut: 0,
  file: "desk.csv",
  out: "desk.json",
  lesson: "lesson-3f9a0c52b1d84e67",
  model: "umpire-2",
  device: "cpu",
  precision: "int8",
  examples: { answered: 40, unanswered: 2, byAnswer: { north: 30, "south\u001b[31m": 10 } },
  before: figures(0.5, 2),
  after: figures(0.75, 1),
  learned: "features",
  confusion: [
    [28, 2],
    [8, 2],
  ],
  suspicious: Array.from({ length: 7 }, (_, index) => ({
    index,
    line: index + 2,
    stated: "south\u001b[31m",
    answer: "north",
    probability: 0.93,
  })),
  automated: [
    { maxErrorRate: 0.01, share: 0, reason: "Too few examples." },
    { maxErrorRate: 0.05, share: 0, reason: "Too few examples: this rate takes 45 or more, and there are 40." },
    { maxErrorRate: 0.1, share: 0.6 },
  ],
  notes: ["Fewer than 5 examples have west as their answer."],
};

const shown = (report: Partial<TaughtReport> = {}, question: Question = DESK, width = 80): string =>
  showTaught({ ...REPORT, ...report }, question, { width, paint: plain });

describe("the report of a lesson", () => {
  it("says that a calibration is kept where nothing was learned, and of umpire calibrate that alone", () => {
    const calibration = { learned: "nothing", kind: "calibration" } as const;
    expect(shown({ learned: "nothing" })).not.toContain("How sure the answers are");
    expect(shown(calibration)).toMatch(/\nNothing was learned: [^]+How\s+sure\s+the\s+answers\s+are\s+comes\s+from\s+the\s+examples/u);
    expect(shown(calibration)).toMatch(/\nThe calibration is in desk\.json \(lesson-/u);
    const screen = { width: 80, paint: plain };
    expect(showTaught({ ...REPORT, ...calibration }, DESK, screen, "calibrate")).toMatch(/\n\nHow sure the answers are comes/u);
  });

  it("has a bar for each figure before and after, with its interval; a log-loss above 1 fills the bar", () => {
    expect(shown()).toContain(
      "accuracy\n  before  ████████████              50%  25% to 50%\n  after   ██████████████████        75%  38% to 75%\n",
    );
    expect(shown()).toContain(
      "log-loss (less is better)\n  before  ████████████████████████ 2.00  1.00 to 2.00\n  after   ████████████             1.00",
    );
  });

  it("says what can be automated at 5 and 10 errors in 100, or why nothing can", () => {
    const [, part = ""] = shown().split("can be automated\n");
    expect(
      part
        .split("\n\n")[0]
        ?.split("\n")
        .map((line) => line.trimEnd()),
    ).toEqual([
      "  at 5% errors                              0%",
      "                 Too few examples: this rate takes 45 or more, and there are 40.",
      "  at 10% errors  ██████████████▍           60%",
    ]);
  });

  it("counts the answers and lists suspicious examples by line, safe for a terminal", () => {
    expect(shown()).toContain("desk.csv: 40 examples and 2 without an answer, umpire-2 (int8, cpu)\n");
    expect(shown()).toMatch(/ {2}north +█{24} 30\n {2}south\\u001b\[31m +█{8} +10\n/u);
    expect(shown()).toMatch(/ {2}line 6 +north rather than south\\u001b\[31m +93%\n {2}… 2 more \(--json\)\n/u);
    expect(shown()).not.toContain("\u001b");
    expect(shown()).toContain("\nFewer than 5 examples have west as their answer.\n");
  });

  it("has a table of right and given answers, or the most frequent mistakes where there are too many options", () => {
    expect(shown()).toMatch(/\n +1 +2\n {2}1 {2}north +28 +2\n {2}2 {2}south\\u001b\[31m +8 +2\n/u);
    const keys = Array.from({ length: 11 }, (_, i) => `option ${i}`);
    const many: Question = { type: "choice", instructions: "Which?", criteria: Object.fromEntries(keys.map((key) => [key, null])) };
    const confusion = keys.map((_, i) => keys.map((_key, j) => (i === 3 && j === 7 ? 9 : 0)));
    expect(shown({ confusion }, many)).toMatch(/most frequent mistakes\n {2}option 3 {2}read as option 7 {2}9\n/u);
  });

  it("names yes, no and levels as people do", () => {
    const noul = shown(
      { examples: { answered: 9, unanswered: 0, byAnswer: { true: 4, false: 5 } } },
      { type: "noul", instructions: "Is it?" },
    );
    expect(noul).toMatch(/ {2}yes {2}█+.? +4\n {2}no {3}█+ 5\n/u);
    const score = shown(
      { suspicious: [{ index: 0, line: 2, stated: "0", answer: "1", probability: 0.9 }] },
      { type: "score", instructions: "How?", criteria: ["bad", "good"] },
    );
    expect(score).toContain("line 2  1 good rather than 0 bad");
  });

  it("says it plainly if nothing was learned", () => {
    expect(shown({ learned: "nothing" })).toContain("Nothing was learned: ");
  });

  it.each([60, 80, 100])("keeps to %i cells", (width) => {
    for (const line of shown({}, DESK, width).split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });
});
