import { readdir, readFile, realpath, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { plainQuestion } from "../../library/decide/questions/question-kinds.ts";
import { parseQuestion, parseState } from "../../library/decide/request.ts";
import type { Question } from "../../library/decide/types.ts";
import { randomFrom } from "../../library/statistics/random.ts";
import { AS_USUAL, replaceFile } from "../../files/replace.ts";
import { unlessMissing, whyUnreadable } from "../../files/system-errors.ts";
import { ANSWER_KINDS, type StatedAnswer } from "../rows/answers.ts";
import { csvLine, readRows } from "../rows/read-rows.ts";
import type { RowNotes } from "../rows/row-notes.ts";
import type { PreparedInput } from "../run/input.ts";
import { checkKeepable } from "../teach/teach.ts";
import { badInput, inWords } from "../tool-error.ts";

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
  /** How many rows it stands for, see `drawRow`. */
  readonly weight: number;
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
    if (at < max) pool[at] = { line, place, text: parseState(state).toWellFormed() };
  }
  notes.checkSome(pool.length);
  return pool.toSorted((a, b) => a.line - b.line);
}

const HEAD = ["text", "label", "note", "line", "weight"];
export const NOTES: readonly NoAnswer[] = ["none of these", "skipped"];

/**
 * Writes a file of answers, all of it or nothing. `umpire teach` reads it.
 * @throws {ToolError} if the system cannot write it
 */
export async function writeAnswers(out: string, rows: readonly PoolRow[], question: Question, asked: readonly Asked[]): Promise<void> {
  const label = labelWriter(question);
  const lines = asked.map(({ row, weight, answer, note = "" }) => {
    const { text = "", line } = rows[row] ?? {};
    return [text, answer === undefined ? "" : label(answer), note, String(line), String(weight)];
  });
  const sayUnsaved = inWords((why) => `${out} cannot be written: ${why}. The answers before are safe: once that is mended, answer again.`);
  // A link stays a link: its target is replaced.
  const target = await realpath(out).catch(() => out);
  await replaceFile(target, [HEAD, ...lines].map((fields) => csvLine(fields)).join(""), AS_USUAL).catch(sayUnsaved);
}

/** A label that is read as the same answer again. Of levels whose texts are numbers, as of stars, the text is one and the index is another. */
function labelWriter(question: Question): (answer: StatedAnswer) => string {
  const read = ANSWER_KINDS[question.type].reader(question);
  return (answer) => {
    const level = question.type === "score" ? question.criteria[Number(answer)] : undefined;
    return [String(answer), ...(typeof level === "string" ? [level] : [])].find((label) => read(label) === answer) ?? String(answer);
  };
}

/** Removes what a process left over that was killed while it wrote: it holds texts. The file is locked. */
export async function removeDrafts(out: string): Promise<void> {
  const names = await readdir(dirname(resolve(out)));
  const left = names.filter((name) => name.startsWith(`${basename(out)}.`) && /\.[\da-f-]{36}\.tmp$/u.test(name));
  for (const name of left) await rm(join(dirname(out), name), { force: true });
}

/** The answers that a file has already, in their order. @throws {ToolError} if it is another file, or of other rows or another question */
export async function earlierAnswers(out: string, rows: readonly PoolRow[], question: Question): Promise<Asked[]> {
  const content = await unlessMissing(readFile(out, "utf8")).catch((error: unknown) => {
    throw badInput(`${out} cannot be read: ${whyUnreadable(error)}.`, { cause: error });
  });
  if (content === undefined) return [];
  const [head, more] = content.replace(/^\ufeff/u, "").split(/\r?\n/u, 2);
  if (head !== HEAD.join(","))
    throw badInput(`${out} exists and is no file of "umpire label", so it is not overwritten. Name another one with --out, or delete it.`);
  if (more === undefined || more === "") return [];
  const read = ANSWER_KINDS[question.type].reader(question);
  const rowsOfText = new Map<string, number[]>();
  for (const [row, { line, text }] of rows.entries())
    rowsOfText.set(`${line} ${text}`, [...(rowsOfText.get(`${line} ${text}`) ?? []), row]);
  return (await readRows(out, { delimiter: "," })).map(({ line: at, value }) => {
    const wrong = (what: string): Error => badInput(`${out}, line ${at}: ${what}, or another --out.`);
    const { text = "", label = "", note = "", line = "", weight } = value as Record<string, string>;
    const row = rowsOfText.get(`${line} ${text}`)?.shift();
    if (row === undefined)
      throw wrong(`line ${line} of the rows is another text, or is answered twice. Give the rows, --rows and --seed that it was made with`);
    const answer = label === "" ? undefined : read(label);
    if (label !== "" && answer === undefined)
      throw wrong("the label is no answer to this question. Give the question that it was made with");
    const known = answer === undefined ? NOTES.find((one) => one === note) : undefined;
    if (answer === undefined && known === undefined) throw wrong("there is neither a label nor a note. Delete the line to be asked again");
    if (!/^\d+(?:\.\d+)?$/u.test(weight ?? "")) throw wrong("the weight was changed, and the promise rests on it. Give the file as it was");
    return { row, weight: Number(weight), answer, note: known };
  });
}

/**
 * Sees to it that no lesson but this file's own is overwritten.
 * @param hasAnswers whether the file of answers has some already
 * @throws {ToolError}
 */
export async function checkLesson(lesson: string, out: string, question: Question, hasAnswers: boolean): Promise<void> {
  await checkKeepable(lesson, "--lesson");
  const content = await unlessMissing(readFile(lesson, "utf8"));
  if (content === undefined) return;
  if (!hasAnswers) throw badInput(`${lesson} is a lesson already, and not of ${out}. Name another file with --lesson, or delete it.`);
  const { question: taught } = JSON.parse(content) as { question: unknown };
  if (JSON.stringify(taught) !== JSON.stringify(plainQuestion(parseQuestion(question))))
    throw badInput(`${lesson} is a lesson of another question. Name another file with --lesson, or delete it.`);
}
