import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { umpire } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

const GOOD = { type: "noul", instructions: "Is it urgent?" };
const BAD = { type: "noul", instructions: "Isn't it urgent?" };

const folder = tempDir();
async function file(name: string, value: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(value));
  return path;
}

test("check prints the warnings of a question as JSON, and ends with 3", async () => {
  const { code, stdout, stderr } = await umpire(["check", await file("bad.json", BAD)]);
  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
  const { warnings } = JSON.parse(stdout) as { warnings: { code: string; message: string }[] };
  expect(warnings).toEqual([{ code: "negated", message: expect.stringContaining("Ask for what is the case") as string }]);
});

test("check ends with 0 if nothing was found", async () => {
  const { code, stdout } = await umpire(["check", await file("good.json", GOOD)]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ warnings: [] });
});

test("check reads all questions of a request from standard input, with or without a state", async () => {
  const { code, stdout } = await umpire(["check", "-"], { stdin: JSON.stringify({ questions: { good: GOOD, bad: BAD } }) });
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ questions: { good: { warnings: [] }, bad: { warnings: [{ code: "negated" }] } } });
});

test("check --pretty shows each question with its warnings below", async () => {
  const both = await file("both.json", { state: "x", questions: { good: GOOD, bad: BAD } });
  const { code, stdout } = await umpire(["check", "--pretty", both]);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^good\n✓ nothing found\n\nbad\n! negated\n {2}The question is negated/u);
});
