import type { Question, State } from "../../library/decide/types.ts";
import { isPlainObject, shapeOf } from "../../library/validation/field.ts";
import { checkColumns, ownValue, rowsOf, wrongRow } from "./read-rows.ts";
import type { Row } from "./read-rows.ts";
import { nameOf } from "./read-text.ts";
import type { ReadingOptions } from "./read-text.ts";

/** The names of the fields or columns that hold states and answers. Default: `state` and `answer`, or `text` and `label`. */
export interface ExampleColumns {
  readonly state?: string | undefined;
  readonly answer?: string | undefined;
}

interface Names {
  readonly state: string;
  readonly answer: string;
}

interface StatedExample {
  /** Number of the line where it starts, from 1. */
  readonly line: number;
  readonly state: State;
  /** undefined: an example without an answer. */
  readonly answer: StatedAnswer | undefined;
}

/**
 * The examples in a file or in standard input, as they are read.
 * @throws {ToolError} names the line and the column
 */
export async function* examplesOf(
  file: string,
  question: Question,
  given: ExampleColumns,
  stdin?: ReadingOptions["stdin"],
): AsyncGenerator<StatedExample, void, void> {
  const reader = new ExampleReader(nameOf(file), question, given, "--state and --answer");
  for await (const row of rowsOf(file, { stdin })) yield reader.read(row);
  reader.end();
}

/** Reads rows of a file as examples of a question. */
export class ExampleReader {
  readonly #file: string;
  readonly #question: Question;
  readonly #readAnswer: ReturnType<typeof answerReader>;
  readonly #given: ExampleColumns;
  readonly #flags: string;
  #first: Record<string, unknown> | undefined;
  #columns: Names = { state: "", answer: "" };
  #hasAnswers = false;

  /**
   * @param file named in error messages
   * @param flags what names other columns
   */
  constructor(file: string, question: Question, given: ExampleColumns, flags: string) {
    this.#file = file;
    this.#question = question;
    this.#readAnswer = answerReader(question);
    this.#given = given;
    this.#flags = flags;
  }

  /** An answer that is missing, null or empty is none. @throws {ToolError} names the line and the column */
  read({ line, value }: Row): StatedExample {
    if (!isPlainObject(value)) throw wrongRow(this.#file, line, `must be an object with a state and an answer, but is ${shapeOf(value)}`);
    this.#first ??= this.#asFirst(value);
    const { state, answer } = this.#columns;
    this.#hasAnswers ||= Object.hasOwn(value, answer);
    return { line, state: this.#stateAt(line, ownValue(value, state)), answer: this.#answerAt(line, ownValue(value, answer)) };
  }

  /** To be called after the last row. @throws {ToolError} if there was no answer: in JSON, that may be true of some rows, but not of all. */
  end(): void {
    if (this.#first !== undefined && !this.#hasAnswers) checkColumns(this.#file, this.#first, [this.#columns.answer], this.#flags);
  }

  #asFirst(row: Record<string, unknown>): Record<string, unknown> {
    this.#columns = columnsOf(row, this.#given);
    const { state, answer } = this.#columns;
    if (!Object.hasOwn(row, state)) checkColumns(this.#file, row, [state, answer], this.#flags);
    return row;
  }

  #stateAt(line: number, value: unknown): State {
    if (typeof value === "string" || Array.isArray(value) || isPlainObject(value)) return value;
    const what = `must have a text, an object or an array as ${this.#columns.state}, but has ${shapeOf(value)}`;
    throw wrongRow(this.#file, line, what);
  }

  #answerAt(line: number, value: unknown): StatedAnswer | undefined {
    if (value === undefined || value === null || value === "") return undefined;
    const answer = this.#readAnswer(value);
    if (answer !== undefined) return answer;
    throw wrongRow(this.#file, line, `must have ${answerWords(this.#question)}, as ${this.#columns.answer}, but has ${shapeOf(value)}`);
  }
}

/** By the first row. A table of texts and labels may have a column that is called state, and means a place. */
function columnsOf(row: Record<string, unknown>, { state, answer }: ExampleColumns): Names {
  const has = (name: string): boolean => Object.hasOwn(row, name);
  const isLabelled = has("text") && !(has("state") && has("answer"));
  return { state: state ?? (isLabelled ? "text" : "state"), answer: answer ?? (has("label") && !has("answer") ? "label" : "answer") };
}

type StatedAnswer = string | number | boolean;

const YES_AND_NO: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "1"].map((word) => [word, true] as const),
  ...["false", "no", "0"].map((word) => [word, false] as const),
]);
const WHOLE_NUMBER = /^\d+$/u;

/**
 * Reader of stated answers to a question: of a choice an option's key, of a noul (yes/no question) true or false, of a score the index of a level. A
 * file of CSV has only strings: then yes and no, 1 and 0 are answers of a noul, and a level's text is one of a score.
 * @returns undefined for what is no answer to that question
 */
function answerReader(question: Question): (value: unknown) => StatedAnswer | undefined {
  switch (question.type) {
    case "choice":
      return (value) => (isScalar(value) && Object.hasOwn(question.criteria, String(value)) ? String(value) : undefined);
    case "noul":
      return (value) => (isScalar(value) ? YES_AND_NO.get(String(value).trim().toLowerCase()) : undefined);
    case "score":
      return levelReader(question.criteria);
  }
}

/** The form of a stated answer, for messages. */
function answerWords(question: Question): string {
  switch (question.type) {
    case "choice":
      return `one of the question's ${Object.keys(question.criteria).length} options, exactly as it is written there`;
    case "noul":
      return "true or false, yes or no, or 1 or 0";
    case "score":
      return `a level: its text, or its number from 0 to ${question.criteria.length - 1}`;
  }
}

/** Where the levels' texts are numbers themselves, as of stars, a string is always taken as a text. */
function levelReader(levels: readonly unknown[]): (value: unknown) => number | undefined {
  const indexes = new Map(levels.map((level, i) => [level, i]));
  const areNumbers = levels.some((level) => typeof level === "string" && WHOLE_NUMBER.test(level.trim()));
  return (value) => {
    const isNumber = typeof value === "number" || (typeof value === "string" && !areNumbers && WHOLE_NUMBER.test(value.trim()));
    if (isNumber && Number(value) in levels) return Number(value);
    return typeof value === "string" ? indexes.get(value) : undefined;
  };
}

function isScalar(value: unknown): value is StatedAnswer {
  return ["string", "number", "boolean"].includes(typeof value);
}
