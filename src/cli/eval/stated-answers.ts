import type { Question, Text } from "../../decide/types.ts";
import { BadInput } from "../bad-input.ts";
import { ExampleReader } from "../rows/examples.ts";
import type { ExampleColumns } from "../rows/examples.ts";
import type { Row } from "../rows/row.ts";
import type { Case } from "./case.ts";

/** The id of the question that is asked about every row. */
const ID = "answer";

/**
 * The cases of rows that state the answers to one question, as examples of `umpire teach` do. Rows without an answer are left out.
 * @param file named in error messages
 * @throws {BadInput}
 */
export function toStatedAnswers(file: string, rows: readonly Row[], question: Question, columns: ExampleColumns): Case[] {
  const reader = new ExampleReader(file, question, columns, "--text-column and --label-column");
  const examples = rows.map((row) => reader.read(row));
  reader.end();
  const cases = examples.flatMap(({ line, state, answer }) =>
    answer === undefined ? [] : [{ line, state: state as Text, questions: { [ID]: question }, truths: { [ID]: truthOf(answer) } }],
  );
  if (cases.length === 0) throw new BadInput(`${file} has no row with an answer.`);
  return cases;
}

function truthOf(answer: string | number | boolean): string {
  return typeof answer === "boolean" ? (answer ? "yes" : "no") : String(answer);
}
