import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { umpire } from "../support/command-line.ts";

const GOOD = { type: "noul", instructions: "Is it urgent?" };
const BAD = { type: "noul", instructions: "Isn't it urgent?" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-check-"));
});
afterAll(() => rm(folder, { recursive: true }));

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
  const { code, stdout } = await umpire([
    "check",
    "--pretty",
    await file("both.json", { state: "x", questions: { good: GOOD, bad: BAD } }),
  ]);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^good\n✓ nothing found\n\nbad\n! negated\n {2}The question is negated/u);
});

test("check ends with 2 for what is no question, and says where it is wrong", async () => {
  const request = { questions: { team: { type: "choice", instructions: "Which team?", criteria: { sales: null } } } };
  const { code, stdout, stderr } = await umpire(["check", await file("wrong.json", request)]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/wrong\.json is not valid:\n {2}questions\.team\.criteria: must hold at least 2 options/u);
  const alone = await umpire(["check", await file("alone.json", request.questions.team)]);
  expect(alone.code).toBe(2);
  expect(alone.stderr).toMatch(/alone\.json is not valid:\n {2}criteria: must hold at least 2 options/u);
  expect(await umpire(["check", "-"], { stdin: "[]" })).toMatchObject({ code: 2 });
  const noJson = await umpire(["check", "-"], { stdin: "Is it urgent?" });
  expect(noJson).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^umpire: standard input is not valid JSON\S* .*a question, such as/u) as string,
  });
  expect(await umpire(["check", join(folder, "none.json")])).toMatchObject({ code: 2 });
});
