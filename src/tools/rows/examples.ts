import type { Question, State } from "../../library/decide/types.ts";
import { isPlainObject, shapeOf } from "../../library/validation/field.ts";
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

/** The examples in a file or in standard input, as they are read. @throws {ToolError} names the line and the column */
export async function* examplesOf(
  file: string,
  question: Question,
  given: ExampleColumns,
  stdin?: ReadingOptions["stdin"],
): AsyncGenerator<StatedExample, void, void> {
  const reader = exampleReader(nameOf(file), question, given, "--state and --answer");
  for await (const row of rowsOf(file, { stdin })) yield reader.read(row);
  reader.end();
}

interface ExampleReader {
  /** An answer that is missing, null or empty is none. @throws {ToolError} names the line and the column */
  read(row: Row): StatedExample;
  /** To be called after the last row. @throws {ToolError} if there was no answer: in JSON, that may be true of some rows, but not of all. */
  end(): void;
}

/** A reader of a file's rows as examples of a question. @param flags what names other columns */
export function exampleReader(file: string, question: Question, given: ExampleColumns, flags: string): ExampleReader {
  const { reader, words } = ANSWER_KINDS[question.type];
  const answerIn = reader(question);
  let first: Record<string, unknown> | undefined;
  let columns: Names = { state: "", answer: "" };
  let hasAnswers = false;
  const stateAt = (line: number, value: unknown): State => {
    if (typeof value === "string" || Array.isArray(value) || isPlainObject(value)) return value;
    throw wrongRow(file, line, `must have a text, an object or an array as ${columns.state}, but has ${shapeOf(value)}`);
  };
  const answerAt = (line: number, value: unknown): StatedAnswer | undefined => {
    if (value === undefined || value === null || value === "") return undefined;
    const answer = answerIn(value);
    if (answer !== undefined) return answer;
    throw wrongRow(file, line, `must have ${words(question)}, as ${columns.answer}, but has ${shapeOf(value)}`);
  };
  return {
    read({ line, value }) {
      if (!isPlainObject(value)) throw wrongRow(file, line, `must be an object with a state and an answer, but is ${shapeOf(value)}`);
      if (first === undefined) {
        first = value;
        columns = columnsOf(value, given);
        if (!Object.hasOwn(value, columns.state)) checkColumns(file, value, [columns.state, columns.answer], flags);
      }
      hasAnswers ||= Object.hasOwn(value, columns.answer);
      return { line, state: stateAt(line, ownValue(value, columns.state)), answer: answerAt(line, ownValue(value, columns.answer)) };
    },
    end() {
      if (first !== undefined && !hasAnswers) checkColumns(file, first, [columns.answer], flags);
    },
  };
}

/** By the first row. A table of texts and labels may have a column that is called state, and means a place. */
function columnsOf(row: Record<string, unknown>, { state, answer }: ExampleColumns): Names {
  const has = (name: string): boolean => Object.hasOwn(row, name);
  const isLabelled = has("text") && !(has("state") && has("answer"));
  return { state: state ?? (isLabelled ? "text" : "state"), answer: answer ?? (has("label") && !has("answer") ? "label" : "answer") };
}
