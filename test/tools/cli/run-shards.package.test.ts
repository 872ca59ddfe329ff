import { copyFile, rm } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { umpire } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { RunFolder, texts } from "../run/run-folder.ts";

const ROWS = 101;
const OF = 7;
/** A mark of the byte order, line ends of Windows, quoted line breaks of both kinds, and a last line without an end. */
const CSV =
  "\ufeffid,text,note\r\n" +
  texts(ROWS)
    .map((text, id) => `${id},"${text}\r\nIt is ""urgent"".\nThanks, Kim",note ${id}`)
    .join("\r\n");
const FLAGS = ["--block", "9"];
const PARTS = Array.from({ length: OF }, (_, i) => `part-${i + 1}.jsonl`);

const folder = new RunFolder();
beforeAll(async () => {
  await folder.write("rows.csv", CSV);
  expect((await folder.run("rows.csv", "whole.jsonl", FLAGS)).code).toBe(0);
  for (const [i, part] of PARTS.entries())
    expect((await folder.run("rows.csv", part, [...FLAGS, "--shard", `${i + 1}/${OF}`])).code).toBe(0);
});

const merge = (parts: readonly string[], out: string): Promise<Run> =>
  umpire(["run", "--merge", ...parts.map((part) => folder.at(part)), "--out", folder.at(out)]);

test("shards 1 to 7 of 7 have every row once, and merge to the bytes of one run", async () => {
  const ids = (await Promise.all(PARTS.map((part) => folder.read(part)))).map((text) =>
    text
      .trim()
      .split("\n")
      .map((line) => Number((JSON.parse(line) as { id: string }).id)),
  );
  expect(Math.max(...ids.map((part) => part.length)) - Math.min(...ids.map((part) => part.length))).toBeLessThanOrEqual(9);
  expect(ids.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: ROWS }, (_, id) => id));
  const { code, stdout } = await merge([...PARTS].reverse(), "merged.jsonl");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ rows: ROWS, failed: 0 });
  expect(await folder.read("merged.jsonl")).toBe(await folder.read("whole.jsonl"));
});

test("the rows are those of the file", async () => {
  const { note, ...others } = JSON.parse((await folder.read("whole.jsonl")).split("\n").at(-2) ?? "") as { note: string };
  expect(note).toBe(`note ${ROWS - 1}`);
  expect(Object.keys(others)).toEqual(["id", "answers"]);
});

test("a merge writes the other forms, too, as one run does", async () => {
  expect((await merge(PARTS, "merged.csv")).code).toBe(0);
  expect((await folder.run("rows.csv", "whole.csv", FLAGS)).code).toBe(0);
  expect(await folder.read("merged.csv")).toBe(await folder.read("whole.csv"));
});

test("a shard that is run again is done already", async () => {
  const before = await folder.read("part-2.jsonl");
  const { code, stdout } = await folder.run("rows.csv", "part-2.jsonl", [...FLAGS, "--shard", "2/7"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).not.toHaveProperty("answeredNow");
  expect(await folder.read("part-2.jsonl")).toBe(before);
});

test("there may be more shards than blocks", async () => {
  await folder.write("few.jsonl", '{"text": "It is late."}\n');
  for (const i of [1, 2]) expect((await folder.run("few.jsonl", `few-${i}.jsonl`, ["--shard", `${i}/2`])).code).toBe(0);
  expect(await folder.read("few-2.jsonl")).toBe("");
  expect((await merge(["few-1.jsonl", "few-2.jsonl"], "few-merged.jsonl")).code).toBe(0);
  expect(await folder.read("few-merged.jsonl")).toBe(await folder.read("few-1.jsonl"));
});

describe("what cannot be merged is refused", () => {
  beforeAll(async () => {
    await folder.run("rows.csv", "other-3.jsonl", ["--block", "10", "--shard", "3/7"]);
    await folder.write("longer.csv", `${CSV}\r\n999,It is late.,note`);
    await folder.run("longer.csv", "longer-3.jsonl", [...FLAGS, "--shard", "3/7"]);
    for (const name of ["unfinished", "damaged", "lost"])
      for (const end of ["", ".journal"]) await copyFile(folder.at(`part-3.jsonl${end}`), folder.at(`${name}-3.jsonl${end}`));
    const journal = await folder.read("unfinished-3.jsonl.journal");
    await folder.write("unfinished-3.jsonl.journal", journal.slice(0, journal.lastIndexOf("{")));
    await folder.write("damaged-3.jsonl", (await folder.read("damaged-3.jsonl")).replace('"id":"20"', '"id":"21"'));
    await rm(folder.at("lost-3.jsonl.journal"));
  });

  const others = PARTS.filter((part) => part !== "part-3.jsonl");
  test.each([
    ["a shard is missing", [], 2, "Of 7 shards, 3 is missing."],
    ["a shard is there twice", ["part-3.jsonl", "part-1.jsonl"], 2, "There are 8 files for 7 shards: one is given twice."],
    ["a shard is of another run", ["other-3.jsonl"], 2, "are of different runs: one has another --block."],
    ["a shard is of another input", ["longer-3.jsonl"], 2, "are of different inputs: one has 101 rows, the other 102."],
    ["a shard is not finished", ["unfinished-3.jsonl"], 2, "unfinished-3.jsonl is not finished."],
    ["a shard has no journal", ["lost-3.jsonl"], 2, "lost-3.jsonl has no journal beside it"],
    ["a file is no shard", ["whole.jsonl"], 2, "whole.jsonl has no journal beside it"],
    ["a shard was changed", ["damaged-3.jsonl"], 1, "damaged-3.jsonl is damaged: it is not what its shard wrote."],
  ] as const)("%s", async (_, third, exitCode, words) => {
    const { code, stderr } = await merge([...others, ...third], "refused.jsonl");
    expect(stderr).toContain(words);
    expect(code).toBe(exitCode);
    await expect(folder.read("refused.jsonl")).rejects.toThrow("ENOENT");
  });

  test("a file that is there", async () => {
    const { code, stderr } = await merge(PARTS, "whole.jsonl");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `umpire: ${folder.at("whole.jsonl")} exists, and is never overwritten. Name another file with --out, or delete it.\n`,
    });
  });
});
