import { appendFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { formatOf } from "../../../src/tools/run/formats.ts";
import { openOutput } from "../../../src/tools/run/output.ts";
import type { Output } from "../../../src/tools/run/output.ts";
import type { Plan } from "../../../src/tools/run/plan.ts";
import { NOTHING } from "../../../src/tools/run/tally.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { QUESTIONS } from "./run-folder.ts";

const PLAN: Plan = {
  umpire_run: 1,
  version: "1",
  questions: QUESTIONS,
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
  block: 2,
  shard: null,
};
const LINES = ['{"id":"ä"}\n', '{"id":2}\n', '{"id":3}\n'];
const CSV = "id,late,late_probability,late_accuracy,warnings,error\nä,,,,,\n2,,,,,\n3,,,,,\n";

let folder: string;
beforeEach(() => {
  folder = tempDir();
});

const at = (name: string): string => join(folder, name);
const opened = (name: string, plan: Plan = PLAN): Promise<Output> => openOutput(at(name), formatOf(name), plan, false);

/** Writes two blocks, and ends. */
async function written(name: string, plan: Plan = PLAN): Promise<void> {
  const output = await opened(name, plan);
  for (const [block, lines] of [LINES.slice(0, 2), LINES.slice(2)].entries()) {
    for (const line of lines) await output.add(line);
    await output.commit({ block, input: `digest ${block}`, tally: NOTHING });
  }
  await output.finish(3);
  await output.close();
}

test("a block that was not committed is not there any more", async () => {
  const output = await opened("a.jsonl");
  await output.add(LINES[0] ?? "");
  await output.commit({ block: 0, input: "digest", tally: NOTHING });
  await output.add("x".repeat(2_000_000));
  await output.close();
  expect((await stat(at("a.jsonl.part"))).size).toBeGreaterThan(2_000_000);
  const again = await opened("a.jsonl");
  expect(again.done.map(({ block, input }) => [block, input])).toEqual([[0, "digest"]]);
  await again.close();
  expect(await readFile(at("a.jsonl.part"), "utf8")).toBe(LINES[0]);
});

describe("a run that ended while it gave the file its name", () => {
  test("has nothing left to do but to remove its journal", async () => {
    await written("a.jsonl", { ...PLAN, shard: { index: 1, of: 1 } });
    const journal = (await readFile(at("a.jsonl.journal"), "utf8")).replace('"shard":{"index":1,"of":1}', '"shard":null');
    await writeFile(at("a.jsonl.journal"), journal);
    const output = await opened("a.jsonl");
    expect([output.isFinished === true, output.done.length]).toEqual([true, 2]);
    await output.close();
    expect(await readdir(folder)).toEqual(["a.jsonl"]);
    expect(await readFile(at("a.jsonl"), "utf8")).toBe(LINES.join(""));
  });

  test("writes a form again", async () => {
    const output = await opened("a.csv");
    for (const line of LINES) await output.add(line);
    await output.commit({ block: 0, input: "digest", tally: NOTHING });
    await output.close();
    await appendFile(at("a.csv.journal"), '{"rows":3}\n');
    await writeFile(at("a.csv.tmp"), "half of");
    await writeFile(at("a.csv"), CSV);
    const again = await opened("a.csv");
    expect([again.isFinished === true, again.done.length]).toEqual([false, 1]);
    await again.finish(3);
    await again.close();
    expect(await readdir(folder)).toEqual(["a.csv"]);
    expect(await readFile(at("a.csv"), "utf8")).toBe(CSV);
  });
});

test("a file that somebody else made meanwhile is not overwritten", async () => {
  await (await opened("a.jsonl")).close();
  await writeFile(at("a.jsonl"), "mine");
  await expect(opened("a.jsonl")).rejects.toThrow("a.jsonl exists, and is never overwritten.");
  expect((await readdir(folder)).sort()).toEqual(["a.jsonl", "a.jsonl.journal", "a.jsonl.part"]);
});

test("nothing is written once another run has the lock", async () => {
  const output = await opened("a.jsonl");
  await output.add(LINES[0] ?? "");
  await writeFile(at("a.jsonl.lock"), JSON.stringify({ pid: 1, host: "another-machine", id: "other" }));
  await expect(output.commit({ block: 0, input: "digest", tally: NOTHING })).rejects.toThrow("Another run has taken");
  await expect(output.finish(1)).rejects.toThrow("Another run has taken");
  await output.close();
  expect(await readFile(at("a.jsonl.part"), "utf8")).toBe("");
});

describe("a run that is not the same is refused, and what is done stays: with", () => {
  test.each<[what: string, change: Partial<Plan>]>([
    ["another version of umpire", { version: "2" }],
    ["other questions", { questions: { late: { type: "noul", instructions: "Is it very late?" } } }],
    ["another model, device or precision", { model: { ...PLAN.model, precision: "fp32" } }],
    ["other lessons", { lessons: ["lesson-1"] }],
    ["another --max-error-rate", { maxErrorRate: 0.1 }],
    ["another --text-column", { state: "body" }],
    ["another --id-column", { id: "id" }],
    ["another --copy", { copiesAll: false }],
    ["another --limit, --sample or --seed", { rows: { ...PLAN.rows, limit: 199 } }],
    ["another --on-error", { onError: "skip" }],
    ["another --block", { block: 3 }],
    ["another --shard", { shard: { index: 1, of: 2 } }],
  ])("%s", async (what, change) => {
    const output = await opened("a.jsonl");
    await output.add(LINES[0] ?? "");
    await output.commit({ block: 0, input: "digest", tally: NOTHING });
    await output.close();
    await expect(opened("a.jsonl", { ...PLAN, ...change })).rejects.toThrow(
      `${at("a.jsonl.journal")} is of a run with ${what}, so this one cannot go on where that one stopped. ` +
        "Give what was given then; or give --restart, which throws away what is done.",
    );
    const again = await opened("a.jsonl");
    expect(again.done).toHaveLength(1);
    await again.close();
  });
});
