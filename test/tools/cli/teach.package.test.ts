import { readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { Lesson } from "../../../src/library/lessons/lesson.ts";
import type { TaughtReport } from "../../../src/tools/teach/teach.ts";
import { DESK, DESK_EXAMPLES, DESK_FLAGS, deskCsv } from "./desk-examples.ts";
import { umpire } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

const folder = tempDir();
const at = (name: string): string => join(folder, name);
const write = async (name: string, content: string | Uint8Array): Promise<string> => {
  await writeFile(at(name), content);
  return at(name);
};
const jsonLines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const lessonIn = async (name: string): Promise<Lesson> => JSON.parse(await readFile(at(name), "utf8")) as Lesson;

/** The lesson of all examples, from CSV. */
let taught: Run;

beforeAll(async () => {
  await write("desk.json", JSON.stringify(DESK));
  await write("desk.csv", deskCsv());
  taught = await umpire(["teach", at("desk.json"), at("desk.csv"), "--out", at("desk.lesson.json")]);
});

describe("umpire teach", () => {
  it("learns from a file of examples, writes the lesson, and prints its report as JSON into a pipe", async () => {
    expect({ code: taught.code, stderr: taught.stderr }).toEqual({ code: 0, stderr: "" });
    const report = JSON.parse(taught.stdout) as TaughtReport;
    const lesson = await lessonIn("desk.lesson.json");
    expect(report).toMatchObject({ file: at("desk.csv"), out: at("desk.lesson.json"), lesson: lesson.id, model: "umpire-2" });
    expect(report.examples).toEqual({ answered: 48, unanswered: 0, byAnswer: { north: 24, south: 24 } });
    expect(report.after.accuracy.value).toBeGreaterThan(report.before.accuracy.value + 0.2);
    expect(report.after).toEqual(lesson.report.after);
    // The lesson's own numbers are in its file.
    expect(report).not.toHaveProperty("head");
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    // A service that runs as another user can read it, as it could any new file.
    expect((await stat(at("desk.lesson.json"))).mode).toBe((await stat(at("desk.csv"))).mode);
  });

  it("learns the same from other columns, a compressed file, several questions, flags, and standard input", async () => {
    const rows = DESK_EXAMPLES.map(({ text, label }) => ({ state: text, answer: label }));
    await write("desk.jsonl.gz", gzipSync(jsonLines(rows)));
    await write("two.json", JSON.stringify({ other: { ...DESK, instructions: "Which?" }, desk: DESK }));
    const flags = ["--choose", "Which desk is it for? north, south"];
    const runs = await Promise.all([
      umpire(["teach", at("two.json"), at("desk.jsonl.gz"), "--question", "desk", "--out", at("new/folder/a.json")]),
      umpire(["teach", "-", ...flags, "--text-column", "body", "--label-column", "team", "--out", at("b.json")], {
        stdin: deskCsv("body,team"),
      }),
    ]);
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, ""]));
    const { id } = await lessonIn("desk.lesson.json");
    expect([(await lessonIn("new/folder/a.json")).id, (await lessonIn("b.json")).id]).toEqual([id, id]);
  });

  it("shows a terminal how far it is, and then bars before and after, what can be automated, the answers, and suspicious examples by line", async () => {
    const wrong = deskCsv().replace("The cat is not well today.,north", "The cat is not well today.,south");
    const file = await write("wrong.csv", wrong);
    const args = ["teach", at("desk.json"), file, "--out", at("wrong.json"), "--no-color"];
    const { code, stdout, stderr } = await umpire(args, { terminal: 80 });
    expect(code).toBe(0);
    // How far it is, until it is done.
    expect(stderr).toContain(" 0 of 48");
    expect(stderr.endsWith("\r\u001b[K")).toBe(true);
    expect(stdout).toMatch(
      /wrong\.csv: 48 examples, umpire-2 \(int8, cpu\)\n\naccuracy\n {2}before +█+.? +\d+% +\d+% to \d+%\n {2}after +█/u,
    );
    expect(stdout).toMatch(/\ncan be automated\n {2}at 5% errors .*\n(?: {17}.*\n)*? {2}at 10% errors /u);
    expect(stdout).toMatch(/\nexamples by answer\n {2}north +█+.? +23\n {2}south +█+.? +25\n/u);
    expect(stdout).toMatch(/\n +1 +2\n {2}1 {2}north +\d+ +\d+\n {2}2 {2}south +\d+ +\d+\n/u);
    expect(stdout).toMatch(/\n {2}line 2 +north rather than south +\d+%\n/u);
    expect(stdout).toMatch(/\nThe lesson is in .*wrong\.json \(lesson-[0-9a-f]{16}\)\.\n$/u);
    expect(stdout).not.toMatch(/cat|\u001b/u);
  });

  it("replaces a lesson, also behind a link, and nothing else", async () => {
    await write("kept.json", await readFile(at("desk.lesson.json")));
    await symlink(at("kept.json"), at("link.json"));
    const few = await write("few.csv", deskCsv().split("\n").slice(0, 17).join("\n"));
    expect(await umpire(["teach", ...DESK_FLAGS, few, "--out", at("link.json")])).toMatchObject({ code: 0 });
    expect((await lessonIn("kept.json")).examples.answered).toBe(16);
    expect((await stat(at("link.json"))).ino).toBe((await stat(at("kept.json"))).ino);

    const { code, stdout, stderr } = await umpire(["teach", at("desk.json"), few, "--out", at("desk.csv")]);
    expect(stderr).toMatch(
      /desk\.csv exists and holds no lesson, so it is not overwritten\. Name another file with --out, or delete it\./u,
    );
    expect([code, stdout, await readFile(at("desk.csv"), "utf8")]).toEqual([2, "", deskCsv()]);
  });

  it("ends with 5 where nothing was learned, with what more examples would bring, and a calibration as of umpire calibrate", async () => {
    const about = ["billing", "a bug"].map((what) => ({ text: what === "billing" ? "I was charged twice" : "The app crashes", what }));
    const rows = DESK_EXAMPLES.map((_, i) => ({ ...(about[i % 2] ?? { text: "", what: "" }), i }));
    const lines = rows.map(({ text, what, i }) => `${text} (${i}),${i % 9 === 0 ? (what === "a bug" ? "billing" : "a bug") : what}\n`);
    const file = await write("hard.csv", `text,label\n${lines.join("")}`);
    const question = ["--choose", "What is it about? billing, a bug"];
    const teaching = await umpire(["teach", file, ...question, "--out", at("hard.json"), "--pretty"]);
    const calibrating = await umpire(["calibrate", file, ...question, "--out", at("calibration.json")]);
    expect([teaching.code, calibrating.code]).toEqual([5, 0]);
    expect(teaching.stdout).toMatch(
      /\nNothing was learned from 48 examples, too few to tell whether more would help:\s64 or\smore tell it\.\n/u,
    );
    const [kept, calibration] = [await lessonIn("hard.json"), await lessonIn("calibration.json")];
    expect(calibration.kind).toBe("calibration");
    expect(kept.head).toEqual(calibration.head);
    expect(JSON.parse(calibrating.stdout)).toMatchObject({ kind: "calibration", learned: "nothing", lesson: calibration.id });
    const asked = ["decide", "--state", "I was charged twice", ...question, "--lessons", at("calibration.json"), "--max-error-rate", "0.2"];
    const { answers } = JSON.parse((await umpire(asked)).stdout) as { answers: Record<string, object> };
    expect(Object.values(answers)[0]).toMatchObject({ choice: "billing", x_lesson: calibration.id, x_act: expect.any(Boolean) as boolean });
  });

  it("learns yes/no questions and scores from the strings of CSV", async () => {
    const [yes, no] = ["Yes", "0"];
    const urgent = DESK_EXAMPLES.slice(0, 16).map(({ text, label }) => `${text},${label === "north" ? yes : no}`);
    const stars = DESK_EXAMPLES.slice(0, 16).map(({ text, label }, i) => `${text},${label === "north" ? "good" : i % 4 === 1 ? "0" : ""}`);
    await write("noul.csv", `state,answer\n${urgent.join("\n")}\n`);
    await write("score.csv", `state,answer\n${stars.join("\n")}\n`);
    const [noul, score] = await Promise.all([
      umpire(["teach", at("noul.csv"), "--ask", "Is it alive?", "--out", at("noul.json")]),
      umpire(["teach", at("score.csv"), "--rate", "How good is it? bad, fair, good", "--out", at("score.json"), "--pretty"]),
    ]);
    expect([noul.code, score.code]).toEqual([0, 0]);
    expect((await lessonIn("noul.json")).examples.byAnswer).toEqual({ true: 8, false: 8 });
    expect((await lessonIn("score.json")).examples).toEqual({ answered: 12, unanswered: 4, byAnswer: { 0: 4, 1: 0, 2: 8 } });
    expect(score.stdout).toContain("12 examples and 4 without an answer");
    expect(score.stdout).toMatch(/\n {2}0 bad +█+.? +4\n {2}1 fair +0\n {2}2 good +█+ 8\n/u);
  });
});

describe("what only the model can tell", () => {
  it("names the line of a state that is too long, and says if examples are too few", async () => {
    const long = await write("long.csv", `text,label\na,north\n\n${"word ".repeat(20_000)},south\n`);
    const few = await write("three.csv", "text,label\na,north\nb,south\nc,south\n");
    const [tooLong, tooFew] = await Promise.all([long, few].map((file) => umpire(["teach", at("desk.json"), file, "--out", at("x.json")])));
    const fewToCalibrate = await umpire(["calibrate", at("desk.json"), few, "--out", at("x.json")]);
    expect(fewToCalibrate).toMatchObject({ code: 2, stderr: expect.stringMatching(/at least 30 with an answer, but hold 3/u) as string });
    expect(tooLong?.stderr).toMatch(/left out of .*long\.csv: line 4: .*16,?384/u);
    expect(tooFew?.stderr).toMatch(/at least 8 with an answer, but hold 3/u);
    expect([tooLong?.code, tooFew?.code]).toEqual([2, 2]);
  });

  it("names the line of standard input that is wrong, though it can be read only once", async () => {
    const { code, stderr } = await umpire(["teach", at("desk.json"), "-", "--out", at("x.json")], {
      stdin: "text,label\na,north\nb,west\n",
    });
    expect(stderr).toMatch(/^umpire: 1 row is left out of standard input: line 3: must have one of the question's 2 options/u);
    expect(code).toBe(2);
  });
});
