import { stat } from "node:fs/promises";
import { parseQuestion, parseRequest } from "../../../library/decide/request.ts";
import type { Question, Questions } from "../../../library/decide/types.ts";
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

/** Reads one request as JSON from a file, or from standard input for "-". */
export async function readRequest({ stdin }: Pick<Io, "stdin">, file: string): Promise<RequestInput> {
  const value = await readJsonFile(file, "A request is a JSON object with state and questions.", stdin);
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

const A_QUESTION =
  'It must hold a question, such as { "type": "noul", "instructions": "Is it urgent?" }, questions by their ids, or a request.';
/** The id of a question that has none. */
const ONLY = "answer";

/**
 * Reads the questions of a JSON file: one, or several by their ids, alone or in a request. They are checked before a model is loaded.
 * @returns with `isOne`, one question that has no id of its own
 * @throws {ToolError} and the library's own error for a question that is not valid, with the file's name
 */
export async function readQuestions(file: string, stdin?: Io["stdin"]): Promise<{ questions: Questions; isOne: boolean }> {
  const { questions, isOne } = await questionsIn(file, stdin);
  if (isOne) await checkQuestion(file, questions[ONLY]);
  else await withSource(`The questions in ${nameOf(file)}`, Promise.resolve({ state: "", questions }).then(parseRequest));
  return { questions: questions as Questions, isOne };
}

/**
 * Reads one question of such a file. The others may be wrong.
 * @param id which of several is meant. Default: the only one
 * @throws as `readQuestions`
 */
export async function readQuestion(file: string, id: string | undefined): Promise<Question> {
  const { questions, isOne } = await questionsIn(file);
  if (isOne && id !== undefined) throw badInput(`${file} holds one question, without an id: leave out --question.`);
  const question = chosen(file, questions, id);
  await checkQuestion(file, question);
  return question as Question;
}

async function questionsIn(file: string, stdin?: Io["stdin"]): Promise<{ questions: Record<string, unknown>; isOne: boolean }> {
  const value = await readJsonFile(file, A_QUESTION, stdin);
  // An id may be called as a field of a question.
  const isOne = isPlainObject(value) && ["type", "instructions"].some((field) => field in value && !isPlainObject(value[field]));
  const questions = isOne ? { [ONLY]: value } : isPlainObject(value) && "questions" in value ? value["questions"] : value;
  if (!isPlainObject(questions)) throw badInput(`${nameOf(file)} holds no question. ${A_QUESTION}`);
  return { questions, isOne };
}

async function checkQuestion(file: string, question: unknown): Promise<void> {
  await withSource(`The question in ${nameOf(file)}`, Promise.resolve(question).then(parseQuestion));
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
