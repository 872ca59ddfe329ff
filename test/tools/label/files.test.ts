import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Question } from "../../../src/public.ts";
import { checkLesson, earlierAnswers, poolOf, writeAnswers } from "../../../src/tools/label/files.ts";
import type { Asked, PoolRow } from "../../../src/tools/label/files.ts";
import { examplesOf } from "../../../src/tools/rows/examples.ts";
import { RowNotes } from "../../../src/tools/rows/row-notes.ts";
import { openInput, prepare } from "../../../src/tools/run/input.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { TEXTS } from "../../support/texts.ts";

let folder: string;
let out: string;
beforeEach(() => {
  folder = tempDir();
  out = join(folder, "labels.csv");
});

const rowsOf = (texts: readonly string[]): PoolRow[] => texts.map((text, i) => ({ line: i + 2, place: `line ${i + 2}`, text }));
const TEAM: Question = { type: "choice", instructions: "Which team?", criteria: { billing: null, 'a, "b"\r\nc': null, 7: null } };
const STARS: Question = { type: "score", instructions: "How many stars?", criteria: ["1", "2", "3"] };
const MOOD: Question = { type: "score", instructions: "Which mood?", criteria: ["calm", { level: "angry" }] };
const SPAM: Question = { type: "noul", instructions: "Is it spam?" };
const HARD = ['"', ",;|\t", "a\r\nb\rc\nd", " blanks ", "\ufeffmark", "=1+1", "ünï ✓ 🎾", "'", "\u0000", "a".repeat(10_000)];

describe.each([
  [TEAM, ["billing", 'a, "b"\r\nc', "7"]],
  [STARS, [0, 1, 2]],
  [MOOD, [0, 1]],
  [SPAM, [true, false]],
] as const)("answers to %j", (question, answers) => {
  test("are read as they were written, in their order, and umpire teach takes them for the same", async () => {
    const rows = rowsOf(HARD);
    const asked = HARD.map((_, row): Asked => {
      const note = row === 4 ? "skipped" : row === 5 ? "none of these" : undefined;
      return { row, weight: row === 1 ? 5 : row % 2, answer: note ? undefined : answers[row % answers.length], note };
    }).reverse();
    await writeAnswers(out, rows, question, asked);
    expect(await earlierAnswers(out, rows, question)).toEqual(asked);
    const examples: { readonly state: unknown; readonly answer: unknown }[] = [];
    for await (const example of examplesOf(out, question, {}, new RowNotes(out))) examples.push(example);
    expect(examples.map(({ state, answer }) => [state, answer])).toEqual(asked.map(({ row, answer }) => [rows[row]?.text, answer]));
  });
});

test.each([
  ["", 'exists and is no file of "umpire label"'],
  ["text,label\r\na,billing\r\n", 'exists and is no file of "umpire label"'],
  ["text,label,note,line,weight\r\nother,billing,,2,1\r\n", "line 2: line 2 of the rows is another text"],
  [
    "text,label,note,line,weight\r\na,billing,,2,1\r\na,billing,,2,1\r\n",
    "line 3: line 2 of the rows is another text, or is answered twice",
  ],
  ["text,label,note,line,weight\r\na,sales,,2,1\r\n", "line 2: the label is no answer to this question"],
  ["text,label,note,line,weight\r\na,,,2,1\r\n", "there is neither a label nor a note. Delete the line to be asked again"],
  ["text,label,note,line,weight\r\na,billing,,2,\r\n", "the weight was changed"],
  ["text,label,note,line,weight\r\na,billing,,2,-1\r\n", "the weight was changed"],
])("a file of answers that cannot be gone on with is refused, and says why: %j", async (content, message) => {
  await writeFile(out, content);
  await expect(earlierAnswers(out, rowsOf(["a", "b"]), TEAM)).rejects.toThrow(message);
});

test("there may be no answers yet", async () => {
  expect(await earlierAnswers(out, rowsOf(["a"]), TEAM)).toEqual([]);
  await writeAnswers(out, rowsOf(["a"]), TEAM, []);
  expect(await earlierAnswers(out, rowsOf(["a"]), TEAM)).toEqual([]);
});

test("a program that saves it with a mark and other line ends changes nothing", async () => {
  const asked: Asked[] = [{ row: 0, weight: 1, answer: "billing", note: undefined }];
  await writeAnswers(out, rowsOf([TEXTS.late]), TEAM, asked);
  await writeFile(out, `\ufeff${(await readFile(out, "utf8")).replaceAll("\r\n", "\n")}`);
  expect(await earlierAnswers(out, rowsOf([TEXTS.late]), TEAM)).toEqual(asked);
});

test("rows that have one line and even one text are told apart", async () => {
  const rows = ["a", "b", "a"].map((text) => ({ line: 1, place: "line 1", text }));
  const asked = [2, 1, 0].map((row): Asked => ({ row, weight: 1, answer: "billing" }));
  await writeAnswers(out, rows, TEAM, asked);
  expect((await earlierAnswers(out, rows, TEAM)).map(({ row }) => rows[row]?.text)).toEqual(["a", "b", "a"]);
  expect(new Set((await earlierAnswers(out, rows, TEAM)).map(({ row }) => row)).size).toBe(3);
});

test("no lesson is overwritten but that of the answers", async () => {
  const lesson = join(folder, "lesson.json");
  await checkLesson(lesson, out, TEAM, false);
  await writeFile(lesson, "{}");
  await expect(checkLesson(lesson, out, TEAM, true)).rejects.toThrow(
    "holds no lesson, so it is not overwritten. Name another file with --lesson",
  );
  await writeFile(lesson, JSON.stringify({ umpire_lesson: 1, question: { ...TEAM, criteria: { ...TEAM.criteria } } }));
  await checkLesson(lesson, out, TEAM, true);
  await expect(checkLesson(lesson, out, TEAM, false)).rejects.toThrow("is a lesson already, and not of");
  await expect(checkLesson(lesson, out, SPAM, true)).rejects.toThrow("is a lesson of another question");
});

describe("the rows that may be asked about", () => {
  const poolIn = async (name: string, content: string, max: number, seed = 7): Promise<[PoolRow[], RowNotes]> => {
    await writeFile(join(folder, name), content);
    const notes = new RowNotes(name);
    return [await poolOf(await prepare(await openInput(join(folder, name)), { state: undefined, copy: [] }), max, seed, notes), notes];
  };

  test("are all that can be used, as the model reads them", async () => {
    const [pool, notes] = await poolIn("rows.jsonl", '{"text":"a"}\n{"text":""}\nnone\n{"text":{"b":[1.0]}}\n{"text":"\\ud800"}\n', 10);
    expect(pool.map(({ line, text }) => [line, text])).toEqual([
      [1, "a"],
      [4, expect.stringContaining("b")],
      [5, "\ufffd"],
    ]);
    expect(notes.leftOut).toBe(2);
    await expect(poolIn("none.jsonl", '{"text":""}\n', 10)).rejects.toThrow("has no row that can be used");
  });

  test("are as many as may be, each as likely as any, and the same for the same seed", async () => {
    const content = `text\n${Array.from({ length: 20 }, (_, i) => `row ${i}\n`).join("")}`;
    const counts = new Map<string, number>();
    for (let seed = 1; seed <= 200; seed++)
      for (const { text } of (await poolIn("rows.csv", content, 5, seed))[0]) counts.set(text, (counts.get(text) ?? 0) + 1);
    expect(counts.size).toBe(20);
    // Of 200 draws with probability 1/4, four standard deviations.
    expect(Math.min(...counts.values())).toBeGreaterThan(25);
    expect(Math.max(...counts.values())).toBeLessThan(75);
    expect((await poolIn("rows.csv", content, 5))[0]).toEqual((await poolIn("rows.csv", content, 5))[0]);
  });
});
