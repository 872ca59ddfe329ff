import type { Question, Text } from "../../library/decide/types.ts";
import { isPlainObject, shapeOf } from "../../library/validation/shape.ts";
import { badInput } from "../tool-error.ts";
import { ExampleReader } from "../rows/examples.ts";
import type { ExampleColumns } from "../rows/examples.ts";
import { checkColumns, wrongRow } from "../rows/read-rows.ts";
import type { Row } from "../rows/read-rows.ts";
import type { Case } from "./case.ts";
import { toClassification } from "./classification.ts";
import type { Classification } from "./classification.ts";
import { toDecisions } from "./decisions.ts";

/** The id of the question that is asked about every row. */
const ID = "answer";

/**
 * The cases of rows that state the answers to one question, as examples of `umpire teach` do. Rows without an answer are left out.
 * @param file named in error messages
 * @throws {ToolError}
 */
function toStatedAnswers(file: string, rows: readonly Row[], question: Question, columns: ExampleColumns): Case[] {
  const reader = new ExampleReader(file, question, columns, "--text-column and --label-column");
  const examples = rows.map((row) => reader.read(row));
  reader.end();
  const cases = examples.flatMap(({ line, state, answer }) =>
    answer === undefined ? [] : [{ line, state: state as Text, questions: { [ID]: question }, truths: { [ID]: truthOf(answer) } }],
  );
  if (cases.length === 0) throw badInput(`${file} has no row with an answer.`);
  return cases;
}

function truthOf(answer: string | number | boolean): string {
  return typeof answer === "boolean" ? (answer ? "yes" : "no") : String(answer);
}

/**
 * The cases of rows of either form: a text with its label, or a request with its right answers.
 * @param file named in error messages
 * @param rows one or more
 * @throws {ToolError} names the line and the shape of the wrong value
 */
export function toCases(file: string, rows: readonly Row[], classification: Classification): Case[] {
  const [first] = rows;
  if (first === undefined) throw badInput(`${file} has no rows.`);
  if (isDecision(first)) {
    const { question, instructions, descriptions, textColumn, labelColumn } = classification;
    if ([question, instructions, descriptions, textColumn, labelColumn].some((flag) => flag !== undefined))
      throw badInput(
        `${file} has its own questions, so leave out --question, --instructions, --criteria, --text-column and --label-column.`,
      );
    return toDecisions(file, rows);
  }
  const { question, textColumn = "text", labelColumn = "label" } = classification;
  if (question !== undefined)
    return toStatedAnswers(file, rows, question, { state: classification.textColumn, answer: classification.labelColumn });
  const { value } = first;
  // A row with a state and no text was to be a request. CSV may have both as columns.
  if (isPlainObject(value) && (Object.hasOwn(value, textColumn) || !Object.hasOwn(value, "state"))) {
    checkColumns(file, value, [textColumn, labelColumn], "--text-column and --label-column");
    return toClassification(file, rows, classification);
  }
  const what = `must be a row with ${textColumn} and ${labelColumn}, or with state and questions, but is ${shapeOf(value)} without them`;
  throw wrongRow(file, first.line, what);
}

/** Whether a row has its own questions. */
export function isDecision({ value }: Row): boolean {
  return isPlainObject(value) && "questions" in value;
}
