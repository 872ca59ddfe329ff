import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onlyQuestion, readQuestions } from "../../../../src/tools/cli/input/read-input.ts";
import type { Question } from "../../../../src/library/decide/types.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { DESK } from "../desk-examples.ts";

const folder = tempDir();

async function read(content: unknown, id?: string): Promise<Question> {
  const file = join(folder, "q.json");
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return onlyQuestion((await readQuestions(file, id === undefined ? undefined : [id])).questions);
}

describe("a question file", () => {
  it("holds a question, or a request with one question, or with the one that is named", async () => {
    const other = { ...DESK, instructions: "Which?" };
    expect(await read(`\ufeff${JSON.stringify(DESK)}`)).toEqual(DESK);
    expect(await read({ state: "x", questions: { desk: DESK } })).toEqual(DESK);
    expect(await read({ questions: { other, desk: DESK } }, "desk")).toEqual(DESK);
  });

  it.each<[what: string, content: unknown, id: string | undefined, message: RegExp]>([
    [
      "no JSON",
      '{"type": "noul", }',
      undefined,
      /q\.json is not valid JSON: the error is at line 1, column 18\. It must hold a question, such as/u,
    ],
    ["nothing", " ", undefined, /q\.json is empty\. It must hold a question/u],
    ["a list", [DESK], undefined, /q\.json holds no question\. It must hold/u],
    ["no criteria", { type: "choice", instructions: "Which?" }, undefined, /The question is not valid: .*criteria/u],
    ["several questions", { questions: { a: DESK, b: DESK } }, undefined, /There are 2 questions, and one can be taken: a, b\./u],
    ["no questions", { questions: {} }, undefined, /q\.json holds no question/u],
    ["no question of that id", { questions: { a: DESK } }, "constructor", /has no question of an id that --question names\. It has: a\./u],
    ["a question without an id", DESK, "a", /holds one question, without an id: leave out --question/u],
  ])("is refused with %s", async (_, content, id, message) => {
    await expect(read(content, id)).rejects.toThrow(message);
  });
});
