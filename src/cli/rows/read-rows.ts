import { BadInput } from "../bad-input.ts";
import { rowsOfCsv } from "./read-csv.ts";
import { linesOf, nameOf, peek, STANDARD_INPUT, textOf } from "./read-text.ts";
import type { Row } from "./row.ts";

/**
 * The rows of a .jsonl, .csv or .tsv file, plain or .gz, as they are read; or of standard input, which is JSONL if it starts with a brace, or else CSV.
 * One or more.
 * @throws {BadInput} names the line and the column
 */
export async function* rowsOf(file: string): AsyncGenerator<Row, void, void> {
  const pieces = textOf(file);
  if (file === STANDARD_INPUT) {
    const { start, all } = await peek(pieces, (read) => read.trim() !== "");
    yield* start.trimStart().startsWith("{") ? rowsOfJsonl(file, all) : rowsOfCsv(nameOf(file), all);
    return;
  }
  const ending = endingOf(file);
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

function endingOf(file: string): string {
  const [, ending] = /\.(jsonl|csv|tsv)(?:\.gz)?$/u.exec(file) ?? [];
  if (ending === undefined) throw new BadInput(`${file} must end in .jsonl, .csv or .tsv, or in one of these and .gz.`);
  return ending;
}

async function* rowsOfJsonl(file: string, pieces: AsyncIterable<string>): AsyncGenerator<Row, void, void> {
  const name = nameOf(file);
  let isEmpty = true;
  for await (const { number, text } of linesOf(pieces)) {
    isEmpty = false;
    yield { line: number, value: jsonOf(name, number, text) };
  }
  if (isEmpty) throw new BadInput(`${name} has no rows.`);
}

function jsonOf(file: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The rest of the parser's message quotes the text.
    const [, position] = /position (\d+)/u.exec(String(error)) ?? [];
    const where = position === undefined ? `line ${line}` : `line ${line}, column ${Number(position) + 1}`;
    throw new BadInput(`${file}, ${where}: must be one JSON object, but is not valid JSON (${text.length} characters).`);
  }
}
