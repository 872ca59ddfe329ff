import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { inTerminal, lacksTerminal, shell, umpire } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { LABEL_QUESTION, labelRows } from "../../support/label-rows.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ROWS = labelRows(40);
const TEAM = ["--choose", "Which team should get it? north, south, west"];

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(async () => {
  folder = tempDir();
  await writeFile(at("rows.csv"), `text\n${[...ROWS.keys()].map((text) => `"${text}"\n`).join("")}`);
  await writeFile(at("question.json"), JSON.stringify(LABEL_QUESTION));
});

const files = (): string[] => ["--out", at("labels.csv"), "--lesson", at("lesson.json")];
/** Answers by lines of standard input. */
const label = (
  lines: readonly string[],
  flags: readonly string[] = [],
  question: readonly string[] = [at("question.json")],
): Promise<Run> =>
  umpire(["label", at("rows.csv"), ...question, ...files(), "--terminal", ...flags], { stdin: lines.map((line) => `${line}\n`).join("") });

test("in the terminal, lines are answers: keys or names; the same lines ask about the same rows", async () => {
  const lines = ["1", "north", "s", "0", "u", "x", "3", "2", "e", "1"];
  const { code, stdout, stderr } = await label(lines);
  // Four answers teach nothing yet.
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    answered: 4,
    skipped: 1,
    noneOfThese: 0,
    rows: 40,
    byAnswer: { north: 2, south: 1, west: 1 },
    learned: "nothing",
    lesson: null,
    reason: "You ended it.",
    next: null,
  });
  expect(stderr).toContain("Which team should get it?\n  1 north\n  2 south\n  3 west\n  0 none of these, s skip, e end\n");
  expect(stderr).toContain("That is none of the answers.");
  const kept = await readFile(at("labels.csv"), "utf8");
  expect(existsSync(at("lesson.json"))).toBe(false);
  await writeFile(at("labels.csv"), kept.split("\r\n", 1).join(""));
  await label(lines);
  expect(await readFile(at("labels.csv"), "utf8")).toBe(kept);
});

test("the lesson is written and used, and the same command goes on", async () => {
  const answers = Array.from({ length: 12 }, (_, i) => String(1 + (i % 2)));
  expect((await label(answers)).code).toBeOneOf([0, 5]);
  expect(existsSync(at("lesson.json"))).toBe(true);
  const { stdout, stderr } = await label(["u", "2"], ["--pretty"]);
  expect(stderr).toContain("12 of 40 rows, line ");
  expect(stdout.replaceAll(/\s+/gu, " ")).toMatch(
    /^12 answers of 40 rows are in .*labels\.csv: \d+ north, \d+ south; 0 none of these, 0 skipped\. /u,
  );
  expect((await umpire(["teach", at("question.json"), at("labels.csv"), "--out", at("taught.json")])).code).toBeOneOf([0, 5]);
});

test("all rows of a short file are asked about, and then it ends or goes on where one is taken back", async () => {
  await writeFile(at("rows.csv"), "text\nMy card was charged twice.\nThe app crashes.\n");
  const { stderr, stdout } = await label(["1", "2", "u", "3"]);
  expect(stderr).toContain(
    "All rows have been asked about.\n2 answered; none is left.\n  g goes on all the same, u undoes, any other key ends\n",
  );
  expect(JSON.parse(stdout)).toMatchObject({ answered: 2, byAnswer: { north: 1, west: 1 } });
});

test("rows that cannot be used are told, and texts cannot control the terminal", async () => {
  await writeFile(at("rows.jsonl"), `{"text":"\\u001b[2Ja\\u202eb\\n\\nlast line"}\n{"text":""}\n`);
  const { code, stderr } = await umpire(["label", at("rows.jsonl"), ...TEAM, ...files(), "--terminal"], { stdin: "1\n" });
  expect(stderr).toContain("  \\u001b[2Ja\\u202eb\n  \n  last line\n");
  expect(stderr).toContain("1 row is left out of");
  expect(code).toBe(5);
});

describe("bad input is told in words, and nothing is asked", () => {
  test.each([
    ["an output that is no CSV", ["--out", "labels.jsonl"], "let labels.jsonl of --out end in .csv"],
    ["a port without a page", ["--port", "0"], "With --terminal there is no page"],
    ["no error rate", ["--max-error-rate", "1"], "It must be a number above 0 and below 1"],
    ["two questions", TEAM, "There are two questions"],
    ["a model that is not there", ["--model", "none-such"], "none-such"],
  ])("%s", async (_, flags, message) => {
    const { code, stderr, stdout } = await label(["1"], flags);
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(existsSync(at("labels.csv.lock"))).toBe(false);
  });

  test("rows from standard input, where that is for answers", async () => {
    const { code, stderr } = await umpire(["label", "-", at("question.json"), ...files(), "--terminal"]);
    expect(stderr).toContain("With --terminal, standard input is for answers");
    expect(code).toBe(2);
  });

  test("no question, and a lesson of something else", async () => {
    expect(await label([], [], [])).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no question.") as string });
    await writeFile(at("lesson.json"), JSON.stringify({ umpire_lesson: 1, question: LABEL_QUESTION }));
    expect(await label(["1"])).toMatchObject({ code: 2, stderr: expect.stringContaining("is a lesson already, and not of") as string });
  });
});

test.skipIf(lacksTerminal())("in a terminal, keys are answers as they are pressed", async () => {
  const command = shell(["label", at("rows.csv"), at("question.json"), ...files(), "--terminal"]);
  const { stdout } = await inTerminal(command, { typed: "1us2e", when: "none of these, s skip, e end" });
  expect(stdout).toContain("1 answers of 40 rows are in");
  expect(stdout.replaceAll(/\s+/gu, " ")).toContain("1 south; 0 none of these, 1 skipped.");
});
