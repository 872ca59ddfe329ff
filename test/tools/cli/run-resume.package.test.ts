import { appendFile, copyFile, stat, truncate } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { jsonl, RunFolder } from "../run/run-folder.ts";
import { umpire } from "../../support/command-line.ts";

const ROWS = 60;
const SMALL_BLOCKS = ["--block", "10"];

const folder = new RunFolder();
/** What one run without any trouble writes. */
let undisturbed: string;

beforeAll(async () => {
  await folder.write("rows.jsonl", jsonl(ROWS));
  expect((await folder.run("rows.jsonl", "undisturbed.jsonl", SMALL_BLOCKS)).code).toBe(0);
  undisturbed = await folder.read("undisturbed.jsonl");
  // The third row of the fifth block is wrong, so a run stops after four blocks.
  const lines = jsonl(ROWS).split("\n");
  lines[42] = "{";
  await folder.write("wrong.jsonl", lines.join("\n"));
  const { code, stderr } = await folder.run("wrong.jsonl", "stopped.jsonl", [...SMALL_BLOCKS, "--on-error", "stop"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `umpire: ${folder.at("wrong.jsonl")}, line 43: must be one JSON object, but goes on in the next lines: put each object on one line, or all of them into one array (1 characters).\n`,
  });
  expect((await folder.read("stopped.jsonl.journal")).trim().split("\n")).toHaveLength(1 + 4);
});

/** The run that stopped, under another name. */
async function stoppedRun(out: string): Promise<void> {
  for (const end of ["part", "journal"]) await copyFile(folder.at(`stopped.jsonl.${end}`), folder.at(`${out}.${end}`));
}

test("a run that a wrong row stopped goes on once the row is right", async () => {
  await stoppedRun("mended.jsonl");
  const { code, stdout } = await folder.run("rows.jsonl", "mended.jsonl", [...SMALL_BLOCKS, "--on-error", "stop"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ rows: ROWS, answeredNow: ROWS - 40 });
  expect(await folder.read("mended.jsonl")).toBe(undisturbed);
});

describe("what a disk has lost is answered again", () => {
  test.each([
    ["the end of the results", (out: string) => truncate(folder.at(`${out}.part`), 500)],
    [
      "a line of the journal",
      async (out: string) => truncate(folder.at(`${out}.journal`), (await stat(folder.at(`${out}.journal`))).size - 5),
    ],
    ["the journal", (out: string) => truncate(folder.at(`${out}.journal`), 20)],
    ["what was written last", (out: string) => appendFile(folder.at(`${out}.journal`), "\0\0\0\0\n")],
  ] as const)("%s", async (what, lose) => {
    const out = `lost-${what.replaceAll(" ", "-")}.jsonl`;
    await stoppedRun(out);
    await lose(out);
    expect((await folder.run("rows.jsonl", out, [...SMALL_BLOCKS, "--on-error", "stop"])).code).toBe(0);
    expect(await folder.read(out)).toBe(undisturbed);
  });
});

describe("a run that is not the same is refused", () => {
  const OUT = "other.jsonl";
  const AS_BEFORE = [...SMALL_BLOCKS, "--on-error", "stop"];

  beforeAll(async () => {
    await stoppedRun(OUT);
    await folder.write("other-questions.json", JSON.stringify({ late: { type: "noul", instructions: "Is it very late?" } }));
    await folder.write("changed.jsonl", jsonl(ROWS).replace("order 25.", "order 26."));
    await folder.write("short.jsonl", jsonl(35));
    await folder.write("shorter.jsonl", jsonl(30));
    await folder.write("moved.jsonl", `\n${jsonl(ROWS)}`);
  });

  test("with another model, device or precision", async () => {
    const { code, stderr } = await folder.run("rows.jsonl", OUT, [...AS_BEFORE, "--precision", "fp32"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        `umpire: ${folder.at(`${OUT}.journal`)} is of a run with another model, device or precision, so this one cannot go on where that one stopped. ` +
        "Give what was given then; or give --restart, which throws away what is done.\n",
    });
  });

  test("with other questions", async () => {
    const args = ["run", folder.at("other-questions.json"), folder.at("rows.jsonl"), "--out", folder.at(OUT), ...AS_BEFORE];
    const { code, stderr } = await umpire(args);
    expect(code).toBe(2);
    expect(stderr).toContain("is of a run with other questions, so");
  });

  test.each([
    ["another row", "changed.jsonl", "has changed: lines 21 to 30 are not those that were answered before."],
    ["a line more before it", "moved.jsonl", "has changed: lines 2 to 11 are not those that were answered before."],
    ["fewer blocks", "shorter.jsonl", "has fewer rows than were answered before."],
    ["fewer rows", "short.jsonl", "has changed: lines 31 to 35 are not those that were answered before."],
  ])("with an input that has %s", async (_, rows, words) => {
    const { code, stderr } = await folder.run(rows, OUT, AS_BEFORE);
    expect(code).toBe(2);
    expect(stderr).toContain(`${folder.at(rows)} ${words}`);
  });

  test("and goes on as if nothing had been asked", async () => {
    expect((await folder.run("rows.jsonl", OUT, AS_BEFORE)).code).toBe(0);
    expect(await folder.read(OUT)).toBe(undisturbed);
  });
});

test("--restart throws away what is done", async () => {
  await stoppedRun("anew.jsonl");
  const { code, stdout } = await folder.run("rows.jsonl", "anew.jsonl", ["--restart", "--limit", "20"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 20, answeredNow: 20 });
  expect(await folder.read("anew.jsonl")).toBe(undisturbed.split("\n").slice(0, 20).join("\n") + "\n");
});
