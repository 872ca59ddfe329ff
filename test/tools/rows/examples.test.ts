import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/tools/tool-error.ts";
import { examplesOf } from "../../../src/tools/rows/examples.ts";
import type { Columns } from "../../../src/tools/rows/read-rows.ts";
import { RowNotes } from "../../../src/tools/rows/row-notes.ts";
import type { Question } from "../../../src/library/decide/types.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { DESK, deskCsv } from "../cli/desk-examples.ts";

const folder = tempDir();

type Plain = [line: number, state: unknown, answer: unknown];

async function examplesIn(name: string, content: string | Uint8Array, question: Question = DESK, columns: Columns = {}): Promise<Plain[]> {
  await writeFile(join(folder, name), content);
  const examples: Plain[] = [];
  const notes = new RowNotes(join(folder, name));
  for await (const { line, state, answer } of examplesOf(join(folder, name), question, columns, notes))
    examples.push([line, state, answer]);
  return examples;
}

const answersTo = async (question: Question, ...answers: unknown[]): Promise<unknown[]> => {
  const rows = answers.map((answer) => `${JSON.stringify({ state: "a", answer })}\n`).join("");
  return (await examplesIn("answers.jsonl", rows, question)).map(([, , answer]) => answer);
};

describe("examples of a file", () => {
  it("have the line where they start, a state of any shape, and an answer or none", async () => {
    expect(await examplesIn("a.csv", `state,answer\n"two\nlines",north\n\nb,\n`)).toEqual([
      [2, "two\nlines", "north"],
      [5, "b", undefined],
    ]);
    const rows = [{ state: { a: 1 } }, { state: ["b"], answer: null }, { state: "c", answer: "south" }];
    expect(await examplesIn("a.jsonl", rows.map((row) => JSON.stringify(row)).join("\r\n"))).toEqual([
      [1, { a: 1 }, undefined],
      [2, ["b"], undefined],
      [3, "c", "south"],
    ]);
  });

  it("are read by the names of the columns, which must be named where two could be the text", async () => {
    await expect(examplesIn("b.csv", "state,text,label\nOhio,a,north\n")).rejects.toThrow(
      "b.csv has the columns state and text: either may be the text. Name it with --text-column.",
    );
    expect(await examplesIn("b.csv", "state,text,label\nOhio,a,north\n", DESK, { textColumn: "text" })).toEqual([[2, "a", "north"]]);
    expect(await examplesIn("c.csv", "Body,Answer\na,north\n")).toEqual([[2, "a", "north"]]);
    expect(await examplesIn("d.csv", "text,team\na,north\n", DESK, { labelColumn: "team" })).toEqual([[2, "a", "north"]]);
    expect(await examplesIn("e.tsv", "my text\tteam\na, b\tnorth\n", DESK, { textColumn: "my text", labelColumn: "team" })).toEqual([
      [2, "a, b", "north"],
    ]);
  });

  it("have a text of several columns, by a template, as `umpire run` reads it", async () => {
    const textColumn = "{subject}\\n{body}";
    expect(await examplesIn("f.csv", "subject,body,label\nLate,It is late.,north\nLost,,south\n", DESK, { textColumn })).toEqual([
      [2, "Late\nIt is late.", "north"],
      [3, "Lost\n", "south"],
    ]);
    const rows = [
      { subject: "Late", label: "north" },
      { subject: "Lost", body: 7, label: "south" },
    ];
    expect(await examplesIn("f.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"), DESK, { textColumn })).toEqual([
      [1, "Late\n", "north"],
      [2, "Lost\n7", "south"],
    ]);
    await expect(examplesIn("g.csv", "subject,text,label\na,b,north\n", DESK, { textColumn })).rejects.toThrow("g.csv has no column body");
  });

  it("are whole however the file is cut into pieces", async () => {
    // Longer than a piece of a file, with characters of several bytes, quotes and line ends at all places.
    const rows = Array.from({ length: 3000 }, (_, i) => ({
      text: `${"é€😀".repeat(i % 23)}"${i},\n`,
      label: i % 2 === 0 ? "north" : "south",
    }));
    const csv = `\ufefftext;label\r\n${rows.map(({ text, label }) => `"${text.replaceAll('"', '""')}";${label}\r\n`).join("")}`;
    const lines = rows.map(({ text, label }) => `${JSON.stringify({ text, label })}\n`).join("");
    const expected = rows.map(({ text, label }) => [text, label]);
    const contents = async (name: string, content: string | Uint8Array): Promise<unknown[]> =>
      (await examplesIn(name, content)).map(([, state, answer]) => [state, answer]);
    expect(await contents("f.csv.gz", gzipSync(csv))).toEqual(expected);
    expect(await contents("f.jsonl", lines)).toEqual(expected);
    expect((await examplesIn("g.csv", csv)).at(-1)?.[0]).toBe(2 * 3000);
  });
});

describe("an answer", () => {
  it("to a choice is an option's key, also in other case or with blanks, unless options differ by these", async () => {
    expect(await answersTo({ ...DESK, criteria: { north: null, "1": null } }, "north", "1", 1)).toEqual(["north", "1", "1"]);
    expect(await answersTo(DESK, "North", " NORTH\u00a0")).toEqual(["north", "north"]);
    await expect(answersTo({ ...DESK, criteria: { us: null, US: null } }, "Us")).rejects.toThrow("one of the question's 2 options");
  });

  it("to a yes/no question is true or false, or a word for them", async () => {
    const question: Question = { type: "noul", instructions: "Is it?" };
    expect(await answersTo(question, true, "TRUE", "yes", " Yes", 1, "1")).toEqual(Array<boolean>(6).fill(true));
    expect(await answersTo(question, false, "False", "no", 0, "0")).toEqual(Array<boolean>(5).fill(false));
    for (const wrong of ["y", 2, "constructor", ["yes"]])
      await expect(answersTo(question, wrong)).rejects.toThrow("true or false, yes or no, or 1 or 0, as answer");
  });

  it("to a score is the number or the text of a level", async () => {
    const question: Question = { type: "score", instructions: "How good?", criteria: ["bad", "fair", "good"] };
    expect(await answersTo(question, 0, "2", "fair")).toEqual([0, 2, 1]);
    for (const wrong of [3, -1, 0.5, "3", "length", true])
      await expect(answersTo(question, wrong)).rejects.toThrow("a level: its text, or its number from 0 to 2, as answer");
  });

  it("that is a string is a text where the levels' texts are numbers, so that nobody is taken at another word", async () => {
    const stars: Question = { type: "score", instructions: "How many stars?", criteria: ["1", "2", "3"] };
    expect(await answersTo(stars, "1", "3", 1)).toEqual([0, 2, 1]);
    await expect(answersTo(stars, "0")).rejects.toThrow("a level: its text");
  });
});

describe("examples are refused, with their line and never their text, for", () => {
  const private_ = "private words";
  const csv = (...rows: string[]): string => `text,label\n${rows.join("\n")}\n`;

  it.each<[what: string, name: string, content: string | Uint8Array, message: RegExp]>([
    [
      "other columns",
      "a.csv",
      `body,${private_}\na,north\n`,
      /a\.csv has no column label: the columns are body, column 2 \(names with blanks or signs are not shown\)\. Name them with --text-column and --label-column/u,
    ],
    ["no column of answers", "b.csv", "state,team\na,north\n", /b\.csv has no column label: the columns are state, team\./u],
    ["an unknown option", "c.csv", csv(`${private_},west`), /c\.csv, line 2: .* as label, but has a string of 4 characters\./u],
    ["an option of an object's own", "d.jsonl", `{"text":"a","label":"constructor"}`, /line 1: must have one of the question's 2 options/u],
    ["a state that is nothing", "e.jsonl", `{"state":null,"answer":"north"}`, /line 1: has no text in state/u],
    ["a row that is a list", "f.jsonl", `["${private_}"]`, /line 1: must be an object with columns, but is a string of 13 characters/u],
    [
      "an open quote",
      "h.csv",
      csv("a,north", `"${private_},south`),
      /h\.csv, line 3, column 1: a quote is not closed; if this file's quotes are text, give --quotes off\./u,
    ],
    [
      "nothing but rows that are wrong",
      "g.jsonl",
      `{"text":"b", ${private_}\n`,
      /g\.jsonl has no row that can be used\. .*line 1: must be one JSON/u,
    ],
    ["no rows", "i.csv", "text,label\n", /i\.csv has no rows under its line of column names/u],
    ["an empty file", "j.jsonl", "\n", /j\.jsonl has no rows/u],
    [
      "half a compressed file",
      "k.csv.gz",
      gzipSync(deskCsv()).subarray(0, 60),
      /k\.csv\.gz ends in \.gz, but is not gzip data, or is incomplete/u,
    ],
    ["bytes that are no text", "l.csv", Uint8Array.of(0x61, 0xff, 0x0a), /l\.csv, line 1: is not UTF-8 text/u],
    [
      "half a character at the end",
      "m.csv",
      Buffer.concat([Buffer.from(deskCsv()), Uint8Array.of(0xe2)]),
      /m\.csv, line \d+: ends within a character/u,
    ],
  ])("%s", async (_, name, content, message) => {
    const error: unknown = await examplesIn(name, content).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolError);
    expect((error as ToolError).message).toMatch(message);
    expect((error as ToolError).message).not.toContain(private_);
  });
});
