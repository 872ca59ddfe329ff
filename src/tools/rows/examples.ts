import type { Question, State } from "../../library/decide/types.ts";
import { isPlainObject, shapeOf } from "../../library/validation/shape.ts";
import { ANSWER_KINDS } from "./answers.ts";
import type { StatedAnswer } from "./answers.ts";
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
  readonly #readAnswer: (value: unknown) => StatedAnswer | undefined;
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
    this.#readAnswer = ANSWER_KINDS[question.type].reader(question);
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
    const words = ANSWER_KINDS[this.#question.type].words(this.#question);
    throw wrongRow(this.#file, line, `must have ${words}, as ${this.#columns.answer}, but has ${shapeOf(value)}`);
  }
}

/** By the first row. A table of texts and labels may have a column that is called state, and means a place. */
function columnsOf(row: Record<string, unknown>, { state, answer }: ExampleColumns): Names {
  const has = (name: string): boolean => Object.hasOwn(row, name);
  const isLabelled = has("text") && !(has("state") && has("answer"));
  return { state: state ?? (isLabelled ? "text" : "state"), answer: answer ?? (has("label") && !has("answer") ? "label" : "answer") };
}
