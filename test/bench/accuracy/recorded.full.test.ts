import { describe, expect, it } from "vitest";
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
