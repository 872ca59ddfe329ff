import { describe, expect, test } from "vitest";
import { runBar } from "../../../../src/tools/cli/run/summary.ts";
import type { RowCount } from "../../../../src/tools/run/input.ts";
import type { Plan } from "../../../../src/tools/run/plan.ts";
import { NOTHING } from "../../../../src/tools/run/tally.ts";
import type { Tally } from "../../../../src/tools/run/tally.ts";

const PLAN: Plan = {
  umpire_run: 1,
  version: "1",
  questions: { late: { type: "noul", instructions: "Is it late?" } },
  model: { id: "m", seal: "s", device: "cpu", precision: "int8" },
  lessons: [],
  maxErrorRate: null,
  state: "text",
  id: null,
  columns: ["id"],
  taken: ["answers", "error"],
  reading: { delimiter: null, quotes: null },
  copiesAll: true,
  rows: { limit: null, sample: null, seed: 7 },
  onError: "report",
  block: 10,
  shard: null,
};

/** So many rows are answered, half of them by yes, and one in ten is for a person. */
const answered = (rows: number): Tally => ({ ...NOTHING, rows, toPerson: rows / 10, answers: [[rows / 2, rows / 2]] });

/** What is written of a run that answers ten rows a second, for 65 seconds, after 20 rows that were there before. */
function written(count: RowCount | undefined, isTTY: boolean, plan: Plan = PLAN): string[] {
  let nowMs = 5000;
  const lines: string[] = [];
  const bar = runBar({ isTTY, columns: 120, write: (text) => lines.push(text) }, plan, count, () => nowMs);
  bar.start(answered(20));
  for (let seconds = 1; seconds <= 65; seconds++) {
    nowMs += 1000;
    bar.update(answered(20 + 10 * seconds));
  }
  bar.clear();
  return lines;
}

describe("where no terminal is, a line every 30 seconds says how far a run is", () => {
  test("and how much time is left", () => {
    expect(written({ rows: 1000, isExact: true }, false)).toEqual([
      "32% · 320 rows · 10 rows/s · 68 s left · yes 50%, no 50% · to a person 10%\n",
      "62% · 620 rows · 10 rows/s · 38 s left · yes 50%, no 50% · to a person 10%\n",
    ]);
  });

  test("of a pipe nobody knows how much is left", () => {
    expect(written(undefined, false)[0]).toBe("320 rows · 10 rows/s · yes 50%, no 50% · to a person 10%\n");
  });

  test("of a shard, its own rows count", () => {
    expect(written({ rows: 1995, isExact: true }, false, { ...PLAN, shard: { index: 2, of: 2 } })[0]).toMatch(/^32% · .* · 68 s left/u);
  });
});

test("in a terminal, a line is drawn in place, and removed at the end", () => {
  const lines = written({ rows: 1000, isExact: true }, true);
  expect(lines[30]).toMatch(/^\r\u001b\[K█+.* 32% · 320 rows · 10 rows\/s · 68 s left · /u);
  expect(lines.at(-1)).toBe("\r\u001b[K");
});
