import type { Question, State } from "../../decide/types.ts";
import { isPlainObject, shapeOf } from "../../validation/shape.ts";
import { answerReader, answerWords } from "../input/read-answer.ts";
import type { StatedAnswer } from "../input/read-answer.ts";
import { rowsOf } from "../input/read-rows.ts";
import { nameOf } from "../input/read-text.ts";
import { checkColumns, wrongRow } from "../input/row.ts";

/** What names other columns. */
const FLAGS = "--state and --answer";

/** The names of the fields or columns that hold states and answers. Default: `state` and `answer`, or `text` and `label`. */
export interface ExampleColumns {
  readonly state?: string | undefined;
  readonly answer?: string | undefined;
}

export interface StatedExample {
  /** Number of the line where it starts, from 1. */
  readonly line: number;
  readonly state: State;
  /** undefined: an example without an answer. */
  readonly answer: StatedAnswer | undefined;
}

/**
 * The examples in a file or in standard input, as they are read. An answer that is missing, null or empty is none.
 * @throws {BadInput} names the line and the column
 */
export async function* examplesOf(file: string, question: Question, given: ExampleColumns): AsyncGenerator<StatedExample, void, void> {
  const name = nameOf(file);
  const readAnswer = answerReader(question);
  let first: Record<string, unknown> | undefined;
  let columns = { state: "", answer: "" };
  let hasAnswers = false;
  for await (const { line, value } of rowsOf(file)) {
    if (!isPlainObject(value)) throw wrongRow(name, line, `must be an object with a state and an answer, but is ${shapeOf(value)}`);
    if (first === undefined) {
      first = value;
      columns = columnsOf(value, given);
      if (!Object.hasOwn(value, columns.state)) checkColumns(name, value, [columns.state, columns.answer], FLAGS);
    }
    hasAnswers ||= Object.hasOwn(value, columns.answer);
    yield { line, state: stateAt(line, value), answer: answerAt(line, value) };
  }
  // In JSON, some examples may have no answer. If none has, the name is wrong.
  if (first !== undefined && !hasAnswers) checkColumns(name, first, [columns.answer], FLAGS);

  function stateAt(line: number, row: Record<string, unknown>): State {
    const value = own(row, columns.state);
    if (typeof value === "string" || Array.isArray(value) || isPlainObject(value)) return value;
    throw wrongRow(name, line, `must have a text, an object or an array as ${columns.state}, but has ${shapeOf(value)}`);
  }

  function answerAt(line: number, row: Record<string, unknown>): StatedAnswer | undefined {
    const value = own(row, columns.answer);
    if (value === undefined || value === null || value === "") return undefined;
    const answer = readAnswer(value);
    if (answer !== undefined) return answer;
    throw wrongRow(name, line, `must have ${answerWords(question)}, as ${columns.answer}, but has ${shapeOf(value)}`);
  }
}

/** By the first row. A table of texts and labels may have a column that is called state, and means a place. */
function columnsOf(row: Record<string, unknown>, { state, answer }: ExampleColumns): { state: string; answer: string } {
  const has = (name: string): boolean => Object.hasOwn(row, name);
  const isLabelled = has("text") && !(has("state") && has("answer"));
  return { state: state ?? (isLabelled ? "text" : "state"), answer: answer ?? (has("label") && !has("answer") ? "label" : "answer") };
}

function own(row: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}
