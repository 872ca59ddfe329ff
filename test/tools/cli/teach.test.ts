import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { umpire } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { DESK, DESK_FLAGS, deskCsv } from "./desk-examples.ts";

const folder = tempDir();
const at = (name: string): string => join(folder, name);
const write = async (name: string, content: string): Promise<string> => {
  await writeFile(at(name), content);
  return at(name);
};

beforeAll(async () => {
  await write("desk.json", JSON.stringify(DESK));
  await write("desk.csv", deskCsv());
});

describe("umpire teach ends with exit code 2, before a model is loaded, for", () => {
  it.each<[what: string, args: string[], message: RegExp]>([
    ["no --out", ["desk.json", "desk.csv"], /required option '--out <file>' not specified/u],
    ["one file and no question", ["desk.csv", "--out", "x.json"], /There is no question\. Give a file with it, or --choose/u],
    ["three files", ["desk.json", "desk.csv", "desk.csv", "--out", "x.json"], /There are more than two files/u],
    ["a file and a flag with questions", ["desk.json", "desk.csv", ...DESK_FLAGS, "--out", "x.json"], /There are two questions/u],
    [
      "two flags with questions",
      ["desk.csv", ...DESK_FLAGS, "--ask", "Is it?", "--out", "x.json"],
      /There are 2 questions, and one can be taken: choose, ask\./u,
    ],
    [
      "an old name and the new",
      ["desk.json", "desk.csv", "--out", "x.json", "--state", "a", "--text-column", "a"],
      /'--state <name>' cannot be/u,
    ],
    ["a folder as --out", ["desk.json", "desk.csv", "--out", "."], /is a folder: name a file in it/u],
    [
      "a folder that is a file",
      ["desk.json", "desk.csv", "--out", "desk.csv/x.json"],
      /x\.json cannot be written: .*desk\.csv is a file, and no folder/u,
    ],
    ["a question file that is missing", ["none.json", "desk.csv", "--out", "x.json"], /none\.json cannot be read: there is no such file/u],
    ["examples that are missing", ["desk.json", "none.csv", "--out", "x.json"], /none\.csv cannot be read: there is no such file/u],
    [
      "examples of another kind",
      ["desk.json", "a.txt", "--out", "x.json"],
      /a\.txt must end in \.jsonl, \.ndjson, \.json, \.csv or \.tsv/u,
    ],
  ])("%s", async (_, args, message) => {
    const isFile = (arg: string): boolean => /^(?!-).*\.(?:json|csv|txt)$/u.test(arg) || arg === ".";
    await expectRefused(
      args.map((arg) => (isFile(arg) ? at(arg) : arg)),
      message,
    );
  });

  it("a question that is not valid, and examples that are not: each with its file and place, never with their text", async () => {
    const question = await write("q.json", JSON.stringify({ ...DESK, criteria: { "private words": null } }));
    const examples = await write("c.csv", "text,label\nprivate words,west\n");
    await expectRefused(
      [question, at("desk.csv"), "--out", at("x.json")],
      /The question in .*q\.json is not valid:\n {2}criteria: must hold at least 2 options/u,
    );
    await expectRefused([at("desk.json"), examples, "--out", at("x.json")], /c\.csv, line 2: must have one of the question's 2 options/u);
  });

  async function expectRefused(args: readonly string[], message: RegExp): Promise<void> {
    const { code, stdout, stderr } = await umpire(["teach", ...args]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/private words(?! argument)|^\s+at /mu);
    expect([code, stdout]).toEqual([2, ""]);
    expect(await readdir(folder)).not.toContain("x.json");
  }
});
