import { BadInput } from "../cli/bad-input.ts";
import { rowsOfCsv } from "./read-csv.ts";
import { linesOf, nameOf, peek, STANDARD_INPUT, textOf } from "./read-text.ts";
import type { ReadingOptions } from "./read-text.ts";
import { wrongRow } from "./row.ts";
import type { Row, RowOrWrong } from "./row.ts";

const ENDING = /\.(jsonl|csv|tsv)(?:\.gz)?$/u;

/**
 * The rows of a .jsonl, .csv or .tsv file, plain or .gz, as they are read; or of standard input, which is JSONL if it starts with a brace, or else CSV.
 * One or more.
 * @throws {BadInput} names the line and the column
 */
export async function* rowsOf(file: string, options: ReadingOptions = {}): AsyncGenerator<Row, void, void> {
  for await (const row of rowsAndWrongOnes(file, options)) {
    if ("wrong" in row) throw wrongRow(nameOf(file), row.line, row.wrong, row.column);
    yield row;
  }
}

/**
 * As `rowsOf`, but a row that cannot be read does not end it, if the rows after it can be.
 * @throws {BadInput} if the rest of the text cannot be read
 */
export async function* rowsAndWrongOnes(file: string, options: ReadingOptions = {}): AsyncGenerator<RowOrWrong, void, void> {
  if (file === STANDARD_INPUT) {
    const { start, all } = await peek(textOf(file, options), (read) => read.trim() !== "");
    yield* start.trimStart().startsWith("{") ? rowsOfJsonl(file, all) : rowsOfCsv(nameOf(file), all);
    return;
  }
  const ending = endingOf(file);
  const pieces = textOf(file, options);
  yield* ending === "jsonl" ? rowsOfJsonl(file, pieces) : rowsOfCsv(file, pieces, ending === "tsv" ? "\t" : undefined);
}

/**
 * Reads the rows of a .jsonl, .csv or .tsv file, plain or .gz, at once.
 * @returns one or more
 * @throws {BadInput} names the line and the column
 */
export async function readRows(file: string): Promise<Row[]> {
  endingOf(file);
  const rows: Row[] = [];
  for await (const row of rowsOf(file)) rows.push(row);
  return rows;
}

/** Whether a file's name says that it is a table of text. */
export function isTextTable(file: string): boolean {
  return ENDING.test(file);
}

function endingOf(file: string): string {
  const [, ending] = ENDING.exec(file) ?? [];
  if (ending === undefined) throw new BadInput(`${file} must end in .jsonl, .csv or .tsv, or in one of these and .gz.`);
  return ending;
}

async function* rowsOfJsonl(file: string, pieces: AsyncIterable<string>): AsyncGenerator<RowOrWrong, void, void> {
  const name = nameOf(file);
  let isEmpty = true;
  for await (const { number, text } of linesOf(name, pieces)) {
    isEmpty = false;
    yield jsonOf(number, text);
  }
  if (isEmpty) throw new BadInput(`${name} has no rows.`);
}

function jsonOf(line: number, text: string): RowOrWrong {
  try {
    return { line, value: JSON.parse(text) as unknown };
  } catch (error) {
    const wrong = `must be one JSON object, but is not valid JSON (${text.length} characters)`;
    // The rest of the parser's message quotes the text. Not every version of Node says where it is.
    const [, position] = /position (\d+)/u.exec(String(error)) ?? [];
    return position === undefined ? { line, wrong } : { line, wrong, column: Number(position) + 1 };
  }
}
