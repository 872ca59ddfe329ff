import { stat } from "node:fs/promises";
import { parseQuestion } from "../../../library/decide/request.ts";
import type { Question } from "../../../library/decide/types.ts";
import type { Decider } from "../../../library/decider/decider.ts";
import { learnFolder, learnLessonAt } from "../../../service/node/lessons/lesson-files.ts";
import { withDigits } from "../../rows/json-text.ts";
import { nameOf, readText } from "../../rows/read-text.ts";
import { badInput } from "../../tool-error.ts";
import { isPlainObject } from "../../../library/validation/field.ts";
import { withSource } from "../failure.ts";
import type { Io } from "../io.ts";

export interface RequestInput {
  readonly source: string;
  /** The request's `title`, which is for people and which the library ignores; "" if there is none. */
  readonly title: string;
  /** Any JSON value; the library checks it. */
  readonly value: unknown;
  /** Whether the person has just typed it, and need not see it again. */
  readonly isTyped: boolean;
}

/** Reads one request as JSON from a file, or from standard input for "-". @param expected a sentence that says what it holds */
export async function readRequest(
  { stdin }: Pick<Io, "stdin">,
  file: string,
  expected = "A request is a JSON object with state and questions.",
): Promise<RequestInput> {
  const content = await readText(file, { stdin });
  const value = jsonIn(nameOf(file), content, expected);
  return { source: nameOf(file), title: titleOf(value), value, isTyped: false };
}

/** Reads `--state`: the text itself, `@file`, or "-" for standard input. An empty standard input means that nothing was piped in. */
export async function readState({ stdin }: Io, state: string): Promise<string> {
  if (state !== "-") return state.startsWith("@") ? readText(state.slice(1)) : state;
  const piped = await readText(state, { stdin });
  if (piped.trim() === "") throw badInput("There is nothing to judge: standard input is empty.");
  return piped;
}

function titleOf(value: unknown): string {
  const title = typeof value === "object" && value !== null && "title" in value ? value.title : undefined;
  return typeof title === "string" ? title : "";
}

export const A_QUESTION = 'It must hold a question, such as { "type": "noul", "instructions": "Is it urgent?" }, or a request.';

/**
 * Reads a question from a JSON file, which holds one, or a request with questions.
 * @param id which question of a request is meant. Default: its only one
 * @throws {ToolError} and the library's own error for a question that is not valid, with the file's name
 */
export async function readQuestion(file: string, id: string | undefined): Promise<Question> {
  const value = await readJsonFile(file, A_QUESTION);
  if (!isPlainObject(value)) throw badInput(`${file} holds no question. ${A_QUESTION}`);
  const question = isPlainObject(value["questions"]) ? chosen(file, value["questions"], id) : value;
  if (question === value && id !== undefined) throw badInput(`${file} holds one question, without an id: leave out --question.`);
  // By the library's rules, before a model is loaded.
  await withSource(`The question in ${file}`, Promise.resolve(question).then(parseQuestion));
  return question as Question;
}

function chosen(file: string, questions: Record<string, unknown>, id: string | undefined): unknown {
  const ids = Object.keys(questions);
  if (id !== undefined) {
    if (Object.hasOwn(questions, id)) return questions[id];
    throw badInput(`${file} has no question of the id that --question names. It has: ${ids.join(", ")}.`);
  }
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return questions[only];
  throw badInput(
    only === undefined
      ? `${file} holds no question. ${A_QUESTION}`
      : `${file} holds ${ids.length} questions. Name one with --question: ${ids.join(", ")}.`,
  );
}

/**
 * Lets a decider learn lessons: files, and the files `*.json` of folders, by name. Of two for the same question, the last one answers.
 * @throws {ToolError} and the library's own error with the file's name and what is wrong with it
 */
export async function learnLessons(decider: Pick<Decider, "learn">, places: readonly string[] = []): Promise<void> {
  for (const place of places) {
    const found = await stat(place).catch(() => undefined);
    if (found?.isDirectory() !== true) {
      if (!(await learnLessonAt(decider, place))) throw badInput(`${place} cannot be read: there is no such file or folder.`);
    } else if ((await learnFolder(decider, place)) === 0) {
      throw badInput(`${place} has no lessons: no file in that folder ends in .json.`);
    }
  }
}

/** Reads a JSON file. @param expected a sentence that says what it holds @throws {ToolError} */
export async function readJsonFile(file: string, expected: string, stdin?: Io["stdin"]): Promise<unknown> {
  return jsonIn(nameOf(file), await readText(file, { stdin }), expected);
}

/** With the digits of its numbers as they are in the file: a model reads them in texts, and elsewhere there are none. */
function jsonIn(source: string, content: string, expected: string): unknown {
  try {
    JSON.parse(content);
    return withDigits(content);
  } catch (cause) {
    throw badInput(`${source} ${whyNoJson(content, cause)}. ${expected}`, { cause });
  }
}

/** With the place of the parser's error, if its message has one. The rest of that message quotes the input, which may be long. */
function whyNoJson(content: string, cause: unknown): string {
  if (content.trim() === "") return "is empty";
  const [, position] = /position (\d+)/u.exec(String(cause)) ?? [];
  if (position === undefined) return "is not valid JSON";
  const before = content.slice(0, Number(position)).split("\n");
  return `is not valid JSON: the error is at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
