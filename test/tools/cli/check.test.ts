import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { umpire } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ONE_OPTION = { type: "choice", instructions: "Which team?", criteria: { sales: null } };

test.each<[what: string, stdin: string, message: RegExp]>([
  [
    "one of several questions that is none",
    JSON.stringify({ late: { type: "noul", instructions: "Is it late?" }, team: ONE_OPTION }),
    /^umpire: standard input is not valid:\n {2}questions\.team\.criteria: must hold at least 2 options/u,
  ],
  [
    "a question of a request that is none",
    JSON.stringify({ questions: { team: ONE_OPTION } }),
    /^umpire: standard input is not valid:\n {2}questions\.team\.criteria: must hold at least 2 options/u,
  ],
  ["a list", "[]", /^umpire: standard input holds no question\. It must/u],
  ["what is no JSON", "Is it urgent?", /^umpire: standard input is not valid JSON\S* .*a question, such as/u],
])("check ends with 2 for %s, and says where it is wrong", async (_, stdin, message) => {
  const { code, stdout, stderr } = await umpire(["check", "-"], { stdin });
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, ""]);
});

test("check ends with 2 for a file that is wrong, or is not there, by its name", async () => {
  const folder = tempDir();
  await writeFile(join(folder, "alone.json"), JSON.stringify(ONE_OPTION));
  const alone = await umpire(["check", join(folder, "alone.json")]);
  expect(alone.code).toBe(2);
  expect(alone.stderr).toMatch(/alone\.json is not valid:\n {2}criteria: must hold at least 2 options/u);
  expect(await umpire(["check", join(folder, "none.json")])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("none.json cannot be read: there is no such file.") as string,
  });
});
