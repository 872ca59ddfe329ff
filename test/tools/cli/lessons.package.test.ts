import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ChoiceAnswer, DecideResponse } from "../../../src/library/decide/types.ts";
import type { Explanation } from "../../../src/library/explain/explain.ts";
import type { EvalReport } from "../../../src/tools/eval/report.ts";
import { DESK, DESK_FLAGS, deskCsv } from "./desk-examples.ts";
import { umpire } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

const STATE = "The parrot is tired.";
const OTHERS = `text,label\nThe parrot is not well today.,north\nThe lion was brought in on Monday.,north\nThe toaster is not well today.,south\nThe tractor was brought in on Monday.,south\n`;

const folder = tempDir();
const at = (name: string): string => join(folder, name);
let lessonId: string;

beforeAll(async () => {
  await mkdir(at("lessons"));
  await writeFile(at("desk.json"), JSON.stringify(DESK));
  await writeFile(at("desk.csv"), deskCsv());
  await writeFile(at("others.csv"), OTHERS);
  const { stdout } = await umpire(["teach", at("desk.json"), at("desk.csv"), "--out", at("lessons/desk.json")]);
  lessonId = (JSON.parse(stdout) as { lesson: string }).lesson;
  await writeFile(at("lessons/notes.txt"), "no lesson");
});

const choiceIn = (stdout: string): ChoiceAnswer => (JSON.parse(stdout) as DecideResponse).answers["choose"] as ChoiceAnswer;

describe("umpire decide --lessons", () => {
  it("answers by the lessons of a folder or file, whatever the order of the options", async () => {
    const args = ["decide", "--state", STATE, ...DESK_FLAGS];
    const untaught = await umpire(args);
    const byFolder = await umpire([...args, "--lessons", at("lessons"), "--max-error-rate", "0.1"]);
    const byFile = await umpire([...args, "--lessons", at("lessons/desk.json")]);
    expect(choiceIn(untaught.stdout).x_lesson).toBeUndefined();
    expect(choiceIn(byFolder.stdout)).toMatchObject({ choice: "north", x_lesson: lessonId, x_act: true });
    expect(choiceIn(byFile.stdout)).toEqual({ ...choiceIn(byFolder.stdout), x_act: undefined });
    expect(byFolder.stderr).toBe("");
  });

  it("shows people which lesson answered, what to act on, and what to ask a person", async () => {
    const asked = [...DESK_FLAGS, "--ask", "Will it rain?"];
    const { stdout } = await umpire([
      "decide",
      "--pretty",
      "--state",
      STATE,
      ...asked,
      "--lessons",
      at("lessons"),
      "--max-error-rate",
      ".1",
    ]);
    expect(stdout).toMatch(
      new RegExp(`→ north · .*\\(right in \\d+ of 100\\), act\\n {2}answered by ${lessonId}\\n\\nWill it rain\\?`, "u"),
    );
    expect(stdout).toMatch(/Will it rain\?\n.*\n {2}→ .*, ask a person: nothing promises that rate here yet\n\n/u);
    expect(stdout.match(/answered by/gu)).toHaveLength(1);
  });

  it("says if no lesson knows the question", async () => {
    const args = ["decide", "--state", STATE, "--choose", "Which desk is it for: north, south", "--lessons", at("lessons")];
    const { code, stderr } = await umpire(args);
    expect(stderr).toBe(
      "umpire: no lesson answered. A lesson answers a question that has its type, instructions and criteria, word for word.\n",
    );
    expect(code).toBe(0);
  });

  it.each<[what: string, content: (lesson: string) => string, message: RegExp]>([
    ["is no JSON", () => "private words", /The lesson .*bad\.json is not valid JSON\./u],
    ["is a question", () => JSON.stringify(DESK), /bad\.json cannot be learned\. .*must be an object with umpire_lesson: 1/u],
    [
      "was changed",
      (lesson) => lesson.replace('"answered":48', '"answered":49'),
      /bad\.json cannot be learned\. .*changed after it was taught/u,
    ],
    [
      "is damaged",
      (lesson) => lesson.replace(/"slope":[\d.]+/u, '"slope":"steep"'),
      /bad\.json cannot be learned\. .*accuracy\.slope must be a number above 0.*It is damaged/u,
    ],
    [
      "needs a newer version",
      (lesson) => lesson.replace('"umpire_lesson":1', '"umpire_lesson":2'),
      /bad\.json cannot be learned\. .*Update umpire/u,
    ],
  ])("ends with exit code 2 for a file of a folder that %s, by its name", async (_, change, message) => {
    await mkdir(at("mixed"), { recursive: true });
    await writeFile(at("mixed/bad.json"), change(await readFile(at("lessons/desk.json"), "utf8")));
    const { code, stdout, stderr } = await umpire(["decide", "--state", STATE, ...DESK_FLAGS, "--lessons", at("mixed")]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/private|^\s+at /mu);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("ends with exit code 2 for a place that is not there, a folder without lessons, and a rate that is none", async () => {
    await mkdir(at("empty"), { recursive: true });
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await umpire(["decide", "--state", STATE, ...DESK_FLAGS, ...args]);
      expect([code, stdout]).toEqual([2, ""]);
      return stderr;
    };
    expect(await refused("--lessons", at("nowhere"))).toMatch(/nowhere cannot be read: there is no such file or folder\./u);
    expect(await refused("--lessons", at("empty"))).toMatch(/empty has no lessons: no file in that folder ends in \.json\./u);
    for (const rate of ["0", "1", "5%", "-0.1", "0.0"])
      expect(await refused(`--max-error-rate=${rate}`)).toMatch(/must be a number above 0 and below 1, such as 0\.05 for 5 in 100/u);
  });
});

describe("umpire explain --lessons", () => {
  it("explains the answer of a lesson, and says if none answered", async () => {
    const args = ["explain", "--lessons", at("lessons"), "--state", STATE];
    const taught = await umpire([...args, ...DESK_FLAGS]);
    const other = await umpire([...args, "--ask", "Will it rain?"]);
    const { answer, key } = JSON.parse(taught.stdout) as Explanation;
    expect([answer.x_lesson, key, taught.stderr]).toEqual([lessonId, "north", ""]);
    expect(other).toMatchObject({ code: 0, stderr: expect.stringContaining("no lesson answered") as string });
  });
});

describe("umpire eval --lessons", () => {
  it("measures what lessons answer, and what can be acted on, beside the same rows without them", async () => {
    const args = ["eval", at("others.csv"), at("desk.json"), "--max-error-rate", "0.1"];
    const without = await umpire(args);
    const taught = await umpire([...args, "--lessons", at("lessons"), "--out", at("answers.jsonl")]);
    const shown = await umpire([...args, "--lessons", at("lessons"), "--pretty"]);
    type Report = EvalReport & { maxErrorRate: number };
    const [before, after] = [without, taught].map(({ stdout }) => JSON.parse(stdout) as Report) as [Report, Report];
    expect(before).toMatchObject({ all: { n: 4 }, maxErrorRate: 0.1, taught: 0, acted: { share: 0, errorRate: null } });
    expect(after).toMatchObject({ all: { n: 4, accuracy: 1 }, taught: 4, acted: { errorRate: 0 } });
    expect(after.all.accuracy).toBeGreaterThan(before.all.accuracy);
    expect(shown.stdout).toContain("\nLessons gave all of the 4 answers.\nTo be acted on (x_act): ");
    const lines = (await readFile(at("answers.jsonl"), "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { x_lesson: string }).x_lesson)).toEqual(Array<string>(4).fill(lessonId));
    expect(lines.map((line) => (JSON.parse(line) as { x_act: boolean }).x_act).filter(Boolean)).toHaveLength(4 * (after.acted?.share ?? 0));
  });
});

describe("umpire eval --question", () => {
  it("asks a yes/no question or a score about texts whose answers are in a column", async () => {
    await writeFile(at("noul.json"), JSON.stringify({ type: "noul", instructions: "Is it alive?" }));
    await writeFile(at("alive.csv"), "body,alive\nThe parrot is tired.,yes\nThe toaster smokes.,no\nNobody knows.,\n");
    const columns = ["--text-column", "body", "--label-column", "alive"];
    const { code, stdout } = await umpire(["eval", at("alive.csv"), at("noul.json"), ...columns]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, leftOut: 1, all: { n: 2, trulyYes: 0.5 } });
  });

  it.each<[what: string, file: string, args: string[], message: RegExp]>([
    ["criteria beside it", "others.csv", ["--options", "criteria.json"], /The question has its own criteria, so leave out --options/u],
    ["rows with questions of their own", "own.jsonl", [], /own\.jsonl has its own questions, so leave out other questions,/u],
    ["an answer that is no option", "west.csv", [], /west\.csv, line 2: must have one of the question's 2 options/u],
    ["no answer at all", "none.csv", [], /none\.csv has no row that can be used\. .*line 2: has no answer/u],
  ])("ends with exit code 2 for %s", async (_, file, args, message) => {
    await writeFile(at("own.jsonl"), JSON.stringify({ state: "a", questions: { desk: { ...DESK, answer: "north" } } }));
    await writeFile(at("west.csv"), "text,label\na,west\n");
    await writeFile(at("none.csv"), "text,label\na,\n");
    const { code, stdout, stderr } = await umpire(["eval", at(file), at("desk.json"), ...args]);
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([2, ""]);
  });
});
