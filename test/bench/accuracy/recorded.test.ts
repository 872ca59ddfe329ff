import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { load } from "./modules.ts";
import type { AskedSet } from "./modules.ts";

const { readRecorded, isComparable } = await load("recorded");
const { summaryTable } = await load("table");

const recorded = await readRecorded();
const settings = { ...recorded.settings, bins: 15 };
/** The sets of a run over the same questions. */
const sets: AskedSet[] = [
  ...recorded.sets,
  { kind: "decisions", name: "authored", type: "noul", n: 1000 },
  ...["mnli.dev_matched", "snli.dev"].flatMap((name) => ["nli", "nli as choice"].map((kind) => ({ kind, name, n: 1000 }))),
];

describe("the recorded figures of umpire-pilot", () => {
  it("are those of umpire-2's model card", async () => {
    const card = await readFile(new URL("models/umpire-2/MODEL_CARD.md", PACKAGE_ROOT), "utf8");
    const rows = card.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const named = (start: string): string[] => rows.find((cells) => cells[1]?.startsWith(start)) ?? [];
    const second = (start: string): number => Number(named(start)[3]);
    expect(recorded.summary).toEqual({
      decisionsAccuracy: second("hand-written decisions, 1927 questions: accuracy"),
      yesNoAccuracy: second("- yes/no"),
      yesBias: second("- yes/no: share said yes less share truly yes, points") / 100,
      choiceAccuracy: second("- choice"),
      scoreAccuracy: second("- score"),
      classification: {
        sets: 19,
        accuracy: second("19 classification sets, mean: accuracy"),
        macroF1: second("- macro-F1"),
        ece: second("- ECE"),
        accuracyAt80: second("- accuracy on the surest 80%"),
        accuracyAt50: second("- accuracy on the surest 50%"),
      },
      nliAccuracy: { "mnli.dev_matched": second("mnli.dev_matched"), "snli.dev": second("snli.dev") },
      flips: { n: 7813, share: Number(named("int8 answers that differ from fp32, of 7813")[3]?.replace("%", "")) / 100 },
    });
    const [, , ...windows] = named("umpire-pilot").map(Number);
    expect([recorded.longStates.alone, ...recorded.longStates.byWindow]).toEqual(windows.slice(0, 5));
    for (const { kind, name, n, accuracy } of recorded.sets.filter(({ kind }) => kind === "cls")) {
      const [, , size, figures] = named(name);
      expect([kind, Number(size), Number(/\((.*)\)/.exec(figures ?? "")?.[1])]).toEqual(["cls", n, accuracy]);
    }
  });

  it("stand beside a run over the same questions, and beside no other", () => {
    expect(isComparable(recorded, settings, sets)).toBe(true);
    expect(isComparable(recorded, settings, sets.toReversed())).toBe(true);
    expect(isComparable(recorded, { ...settings, seed: 8 }, sets)).toBe(false);
    expect(isComparable(recorded, { ...settings, longRows: 0 }, sets)).toBe(false);
    expect(isComparable(recorded, settings, sets.slice(1))).toBe(false);
    expect(
      isComparable(
        recorded,
        settings,
        sets.filter(({ name }) => name !== "snli.dev"),
      ),
    ).toBe(false);
    expect(
      isComparable(
        recorded,
        settings,
        sets.map((set) => (set.name === "trec6" ? { ...set, n: 499 } : set)),
      ),
    ).toBe(false);
  });

  it("are a column of the table, empty where nothing was recorded", () => {
    const report = {
      ...recorded,
      model: { id: "umpire-x" },
      summary: { ...recorded.summary, nliAsChoiceAccuracy: { "mnli.dev_matched": 0.9, "snli.dev": 0.8 } },
    };
    const chance = { summary: report.summary, longStates: report.longStates };
    const lines = summaryTable([report], chance, recorded).split("\n");
    expect(lines[0]).toMatch(/^ +umpire-x +umpire-pilot \(recorded\) +chance$/);
    expect(lines[1]).toMatch(/^decisions, all types: accuracy +0\.527 +0\.527 +0\.527$/);
    expect(lines.find((line) => line.startsWith("snli.dev as a choice"))).toMatch(/accuracy +0\.800 +0\.800$/);
    expect(summaryTable([report], chance)).not.toContain("recorded");
  });
});
