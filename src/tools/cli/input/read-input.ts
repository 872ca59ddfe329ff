import { stat } from "node:fs/promises";
import { parseQuestion, parseRequest } from "../../../library/decide/request.ts";
import type { Question, Questions } from "../../../library/decide/types.ts";
import type { Decider } from "../../../library/decider/decider.ts";
import { learnFolder, learnLessonAt } from "../../../service/node/lessons/lesson-files.ts";
import { nameTwiceIn, withDigits } from "../../rows/json-text.ts";
import { nameOf, readText } from "../../rows/read-text.ts";
import { badInput } from "../../tool-error.ts";
import { isPlain, isPlainObject } from "../../../library/validation/field.ts";
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

/** Reads one request as JSON from a file, or from standard input for "-". @param ids of the questions that are meant. Default: all */
export async function readRequest({ stdin }: Pick<Io, "stdin">, file: string, ids?: readonly string[]): Promise<RequestInput> {
  const value = await readJsonFile(file, "A request is a JSON object with state and questions.", stdin);
  const { title, questions } = isPlainObject(value) ? value : {};
  const request = { source: nameOf(file), title: typeof title === "string" ? title : "", value, isTyped: false };
  if (!isPlainObject(value)) return request;
  if (!("state" in value || "questions" in value))
    throw badInput(`${nameOf(file)} holds neither state nor questions. If it is a question, give the text to judge with --state.`);
  return isPlainObject(questions) ? { ...request, value: { ...value, questions: chosen(nameOf(file), questions, ids) } } : request;
}

/** Reads `--state`: the text itself, `@file`, or "-" for standard input. An empty standard input means that nothing was piped in. */
export async function readState({ stdin }: Io, state: string): Promise<string> {
  if (state !== "-") return state.startsWith("@") ? readText(state.slice(1)) : state;
  const piped = await readText(state, { stdin });
  if (piped.trim() === "") throw badInput("There is nothing to judge: standard input is empty.");
  return piped;
}

const A_QUESTION =
  'It must hold a question, such as { "type": "noul", "instructions": "Is it urgent?" }, questions by their ids, or a request.';
/** The id of a question that has none. */
export const ONLY = "answer";

export interface QuestionsRead {
  readonly questions: Questions;
  /** Whether it is one that has no id of its own. */
  readonly isOne: boolean;
  /** Whether they are those of a whole request. */
  readonly hasState: boolean;
}

/**
 * Reads the questions of a JSON file: one, or several by their ids, alone or in a request. They are checked before a model is loaded.
 * @param ids of those that are meant. Default: all. The others may be wrong
 * @throws {ToolError} and the library's own error for a question that is not valid, with the file's name
 */
export async function readQuestions(file: string, ids?: readonly string[], stdin?: Io["stdin"]): Promise<QuestionsRead> {
  const value = await readJsonFile(file, A_QUESTION, stdin);
  // An id may be called as a field of a question.
  const isOne = isPlainObject(value) && ["type", "instructions"].some((field) => field in value && !isPlainObject(value[field]));
  const hasState = !isOne && isPlainObject(value) && "questions" in value && "state" in value;
  if (isOne && ids !== undefined) throw badInput(`${nameOf(file)} holds one question, without an id: leave out --question.`);
  const all = isOne ? { [ONLY]: value } : isPlainObject(value) && "questions" in value ? value["questions"] : value;
  if (!isPlainObject(all) || Object.keys(all).length === 0) throw badInput(`${nameOf(file)} holds no question. ${A_QUESTION}`);
  const questions = chosen(nameOf(file), all, ids);
  if (!isOne) return { questions: await checkedQuestions(nameOf(file), questions), isOne, hasState };
  await withSource(`The question in ${nameOf(file)}`, Promise.resolve(value).then(parseQuestion));
  return { questions: questions as Questions, isOne, hasState };
}

/** @throws the library's own error for a question that is not valid, with the source's name */
export async function checkedQuestions(source: string, questions: Readonly<Record<string, unknown>>): Promise<Questions> {
  await withSource(source, Promise.resolve({ state: "", questions }).then(parseRequest));
  return questions as Questions;
}

/** The question of a command that takes one. @throws {ToolError} if there are several */
export function onlyQuestion(questions: Questions): Question {
  const [only, ...others] = Object.values(questions);
  if (only !== undefined && others.length === 0) return only;
  const ids = Object.keys(questions);
  throw badInput(`There are ${ids.length} questions, and one can be taken: ${ids.join(", ")}. Of those in a file, --question names it.`);
}

/** Those questions that --question names, in its order; or all of them. @throws {ToolError} if there is none of such an id */
function chosen(source: string, questions: Record<string, unknown>, ids: readonly string[] | undefined): Record<string, unknown> {
  const unknown = ids?.find((id) => !Object.hasOwn(questions, id));
  if (unknown !== undefined)
    throw badInput(`${source} has no question of an id that --question names. It has: ${Object.keys(questions).join(", ")}.`);
  return ids === undefined ? questions : Object.fromEntries(ids.map((id) => [id, questions[id]]));
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

/**
 * Reads a JSON file, with the digits of its numbers as they are there: a model reads them in texts, and elsewhere there are none.
 * @param expected a sentence that says what it holds
 * @throws {ToolError}
 */
export async function readJsonFile(file: string, expected: string, stdin?: Io["stdin"]): Promise<unknown> {
  const source = nameOf(file);
  const content = await readText(file, { stdin });
  try {
    JSON.parse(content);
  } catch (cause) {
    throw badInput(`${source} ${whyNoJson(content, cause)}. ${expected}`, { cause });
  }
  // JSON.parse would keep the last alone.
  const twice = nameTwiceIn(content);
  if (twice !== undefined)
    throw badInput(`${source} has ${isPlain(twice) ? `"${twice}"` : "a name"} twice in one object. Keep one of them.`);
  return withDigits(content);
}

/** With the place of the parser's error, if its message has one. The rest of that message quotes the input, which may be long. */
function whyNoJson(content: string, cause: unknown): string {
  if (content.trim() === "") return "is empty";
  const [, position] = /position (\d+)/u.exec(String(cause)) ?? [];
  if (position === undefined) return "is not valid JSON";
  const before = content.slice(0, Number(position)).split("\n");
  return `is not valid JSON: the error is at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
