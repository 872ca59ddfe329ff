import { readFile } from "node:fs/promises";
import { parseState } from "../../library/decide/request.ts";
import type { Question } from "../../library/decide/types.ts";
import { randomFrom } from "../../library/statistics/random.ts";
import { AS_USUAL, replaceFile } from "../../files/replace.ts";
import { ANSWER_KINDS } from "../rows/answers.ts";
import type { StatedAnswer } from "../rows/answers.ts";
import { csvLine, readRows } from "../rows/read-rows.ts";
import type { RowNotes } from "../rows/row-notes.ts";
import type { PreparedInput } from "../run/input.ts";
import { badInput } from "../tool-error.ts";
import type { Draw } from "./choose.ts";

/** A row that may be asked about. */
export interface PoolRow {
  /** Number of its line or row in the input, from 1. */
  readonly line: number;
  /** Where it is in words, such as `line 3 (t-101)`. */
  readonly place: string;
  /** As the model reads it. */
  readonly text: string;
}

/** Why a row has no answer. */
export type NoAnswer = "none of these" | "skipped";

/** A row that was asked about, as the file of answers has it. */
export interface Asked {
  readonly row: number;
  readonly draw: Draw;
  /** undefined: there is none, see `note`. */
  readonly answer: StatedAnswer | undefined;
  readonly note?: NoAnswer | undefined;
}

/**
 * The rows of a file that may be asked about: all, or of more than `max` so many, chosen by chance (reservoir sampling, Vitter 1985).
 * @param notes is told of rows that cannot be used
 * @throws {ToolError} if none can
 */
export async function poolOf(input: PreparedInput, max: number, seed: number, notes: RowNotes): Promise<PoolRow[]> {
  const pool: PoolRow[] = [];
  const random = randomFrom(seed);
  let seen = 0;
  for await (const row of input.rows) {
    const { line, place, state, wrong } = input.prepared(row);
    if (state === undefined) {
      notes.leaveOut({ line }, wrong.replace(`${place}: `, "").replace(/\.$/u, ""));
      continue;
    }
    const at = seen++ < max ? pool.length : Math.floor(random() * seen);
    if (at < max) pool[at] = { line, place, text: parseState(state) };
  }
  notes.checkSome(pool.length);
  return pool.toSorted((a, b) => a.line - b.line);
}

const HEAD = ["text", "label", "note", "line", "chance", "from"];

/** Writes a file of answers, all of it or nothing. `umpire teach` reads it. @throws the system's error */
export async function writeAnswers(out: string, rows: readonly PoolRow[], asked: readonly Asked[]): Promise<void> {
  const lines = asked.map(({ row, draw, answer, note = "" }) => {
    const { text = "", line } = rows[row] ?? {};
    return [text, answer === undefined ? "" : String(answer), note, String(line), String(draw.probability), String(draw.from)];
  });
  await replaceFile(out, [HEAD, ...lines].map((fields) => csvLine(fields)).join(""), AS_USUAL);
}

/** The answers that a file has already. @throws {ToolError} if it is another file, or of other rows or another question */
export async function earlierAnswers(out: string, rows: readonly PoolRow[], question: Question): Promise<Asked[]> {
  const content = await readFile(out, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw badInput(`${out} cannot be read: the system reports ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  });
  if (content === undefined || content.trim() === HEAD.join(",")) return [];
  if (!content.startsWith(`${HEAD.join(",")}\r\n`))
    throw badInput(`${out} exists and is no file of "umpire label", so it is not overwritten. Name another one with --out, or delete it.`);
  const reader = ANSWER_KINDS[question.type].reader(question);
  const byLine = new Map(rows.map(({ line }, row) => [String(line), row]));
  return (await readRows(out)).map(({ line, value }) => {
    const fields = value as Record<string, string>;
    const row = byLine.get(fields["line"] ?? "");
    if (row === undefined || rows[row]?.text !== fields["text"])
      throw badInput(
        `${out}, line ${line}: the text is not that of line ${fields["line"]} of the rows. Give the rows that it was made from, or another --out.`,
      );
    const { label = "", note = "" } = fields;
    const answer = label === "" ? undefined : reader(label);
    if (label !== "" && answer === undefined)
      throw badInput(
        `${out}, line ${line}: the label is no answer to this question. Give the question that it was made with, or another --out.`,
      );
    const draw = { probability: Number(fields["chance"]), from: Number(fields["from"]) };
    return { row, draw, answer, note: note === "" ? undefined : (note as NoAnswer) };
  });
}
