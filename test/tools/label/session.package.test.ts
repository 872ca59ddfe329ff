import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDecider } from "umpire";
import { beforeEach, describe, expect, test } from "vitest";
import type { LabelSession } from "../../../src/tools/label/session.ts";
import { LABEL_QUESTION, labelRows } from "../../support/label-rows.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { TEXTS } from "../../support/texts.ts";
import { asked, opened } from "./opened.ts";

const decider = sharedDecider;
const ROWS = labelRows(60);
const texts = [...ROWS.keys()];

let folder: string;
beforeEach(() => {
  folder = tempDir();
});

/** Answers so many rows as they are. @returns their texts, in order */
async function answerRight(session: LabelSession, count: number): Promise<string[]> {
  const done: string[] = [];
  while (done.length < count) {
    const now = await asked(session);
    if (now === undefined) break;
    expect(await session.answer(now.row, { key: ROWS.get(now.text) ?? "" })).toBe(true);
    done.push(now.text);
  }
  return done;
}

const kept = async (): Promise<string[]> => (await readFile(join(folder, "labels.csv"), "utf8")).trim().split("\r\n").slice(1);

test("another process goes on where one has ended: same answers, same count, no row twice, and undo goes back beyond", async () => {
  const first = await opened({ folder, decider, texts });
  const before = await answerRight(first, 10);
  expect(first.view).toMatchObject({ learned: expect.any(String) as string, counts: { answered: 10 } });
  await first.close();
  const second = await opened({ folder, decider, texts });
  const now = await asked(second);
  expect(second.view.counts.answered).toBe(10);
  expect(second.view.rounds.map(({ answered }) => answered)).toEqual([10]);
  expect(before).not.toContain(now?.text);
  for (const text of before.toReversed()) {
    expect(await second.undo(second.view.last?.row ?? -1)).toBe(true);
    expect(second.view.current?.text).toBe(text);
  }
  expect(second.view.last).toBeUndefined();
  expect(second.view.rounds).toEqual([]);
  expect(await kept()).toEqual([]);
  const all = await answerRight(second, 60);
  expect(new Set(all).size).toBe(all.length);
  await second.close();
});

test("a row is answered once: an answer to another row, an unknown one, and the undo of an earlier row are not taken", async () => {
  const session = await opened({ folder, decider, texts });
  const { row = -1 } = (await asked(session)) ?? {};
  expect(await session.answer(row + 1, { key: "north" })).toBe(false);
  for (const key of ["east", "", "constructor", "0"]) expect(await session.answer(row, { key })).toBe(false);
  const both = await Promise.all([
    session.answer(row, { key: "north" }),
    session.answer(row, { key: "south" }),
    session.answer(row, "skipped"),
  ]);
  expect(both).toEqual([true, false, false]);
  const next = (await asked(session))?.row ?? -1;
  await session.answer(next, "none of these");
  expect(await session.undo(row)).toBe(false);
  expect((await kept()).map((line) => line.split(",").slice(1, 3))).toEqual([
    ["north", ""],
    ["", "none of these"],
  ]);
  expect(session.view.counts).toMatchObject({ answered: 1, noneOfThese: 1, skipped: 0 });
  await session.close();
  await expect(session.answer(next, "skipped")).rejects.toThrow("umpire label is ending.");
});

test("it ends when all rows are answered, and goes on where one is taken back", async () => {
  const session = await opened({ folder, decider, texts: texts.slice(0, 9), readsAllFirst: true });
  expect(await answerRight(session, 20)).toHaveLength(9);
  expect(session.view).toMatchObject({ state: "done", reason: "All rows have been asked about.", worth: "9 answered; none is left." });
  await session.goOn();
  expect(session.view.state).toBe("done");
  await session.undo(session.view.last?.row ?? -1);
  expect(session.view.state).toBe("asking");
  await session.finish();
  expect(session.view).toMatchObject({ state: "done", reason: "You ended it.", counts: { answered: 8 } });
  await session.close();
});

test.each([
  ["one row", [TEXTS.late]],
  ["rows that are all the same", Array.from({ length: 20 }, () => TEXTS.late)],
])("%s can be answered, all the same way", async (_, same) => {
  const session = await opened({ folder, decider, texts: same, question: { type: "noul", instructions: "Is it late?" } });
  for (let now = await asked(session); now !== undefined; now = await asked(session)) await session.answer(now.row, { key: "true" });
  await session.finish();
  expect(session.view).toMatchObject({ reason: "All rows have been asked about.", counts: { answered: same.length } });
  expect(session.view.problem).toBeUndefined();
  await session.close();
});

test("rows that are too long are left out; where all are, that is said", async () => {
  const long = "long ".repeat(40_000);
  const session = await opened({ folder, decider, texts: [long, ...texts.slice(0, 3)], readsAllFirst: true });
  await answerRight(session, 9);
  expect(session.view).toMatchObject({ reason: "All rows have been asked about.", counts: { answered: 3, rows: 3, leftOut: 1 } });
  await session.close();
  const none = await opened({ folder: tempDir(), decider, texts: [long, `${long}.`] });
  expect(await asked(none)).toBeUndefined();
  expect(none.view.state).toBe("failed");
  expect(none.view.problem).toContain("tokens");
  await none.close();
});

describe("of a question", () => {
  test("with 255 options, each can be answered", async () => {
    const criteria = Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`option ${i}`, null]));
    const session = await opened({ folder, decider, texts: texts.slice(0, 2), question: { ...LABEL_QUESTION, criteria } });
    const { options } = session.view.question;
    expect(options.map(({ press }) => press).filter((press) => press !== undefined)).toHaveLength(32);
    await session.answer((await asked(session))?.row ?? -1, { key: options.at(-1)?.key ?? "" });
    expect((await kept())[0]).toContain(",option 254,");
    await session.close();
  });

  test("the answers of another one are refused, and nothing is left locked", async () => {
    const session = await opened({ folder, decider, texts });
    await answerRight(session, 1);
    await session.close();
    const question = { type: "noul", instructions: "Is it late?" } as const;
    await expect(opened({ folder, decider, texts, question })).rejects.toThrow("the label is no answer to this question");
    await expect(opened({ folder, decider, texts: texts.slice(30) })).rejects.toThrow("of the rows is another text");
    expect(existsSync(join(folder, "labels.csv.lock"))).toBe(false);
  });
});

test("an answer that cannot be written is not taken, and can be given again; a lesson that cannot is told, and its answers are safe", async () => {
  const at = join(folder, "at");
  await writeFile(at, "");
  await rm(at);
  const session = await opened({ folder, decider, texts });
  await answerRight(session, 7);
  const { row = -1, text = "" } = (await asked(session)) ?? {};
  await rename(folder, `${folder}-away`);
  await expect(session.answer(row, { key: "north" })).rejects.toThrow("labels.csv.lock is gone, and perhaps its whole folder.");
  expect(session.view).toMatchObject({ current: { row }, counts: { answered: 7 } });
  await rename(`${folder}-away`, folder);
  await writeFile(join(folder, "lesson.json"), "mine");
  expect(await session.answer(row, { key: ROWS.get(text) ?? "" })).toBe(true);
  expect(session.view.problem).toContain("There is no lesson of the last answers, which are safe.");
  expect(await readFile(join(folder, "lesson.json"), "utf8")).toBe("mine");
  expect(await kept()).toHaveLength(8);
  await rm(join(folder, "lesson.json"));
  await session.finish();
  expect(session.view.problem).toBeUndefined();
  expect(existsSync(join(folder, "lesson.json"))).toBe(true);
  await session.close();
});

test("while the model loads it can be closed, and then it is as if it had not begun", async () => {
  const own = createDecider({ threads: 1 });
  const session = await opened({ folder, decider: own, texts });
  expect(session.view.state).toBe("reading");
  await session.close();
  await own.close();
  expect(session.error).toBeUndefined();
  expect(existsSync(join(folder, "labels.csv.lock"))).toBe(false);
});

test("with a model that is not there it fails, and says so", async () => {
  const own = createDecider({ model: "none-such" });
  const session = await opened({ folder, decider: own, texts });
  expect(await asked(session)).toBeUndefined();
  expect(session.view).toMatchObject({ state: "failed", problem: expect.stringContaining("none-such") as string });
  await session.finish();
  await session.close();
  await own.close();
});
