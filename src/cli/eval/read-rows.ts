import { BadInput } from "../bad-input.ts";
import { rowsOfCsv } from "./read-csv.ts";
import { readLines, readText } from "./read-lines.ts";
import type { Row } from "./row.ts";

/**
 * Reads the rows of a .jsonl, .csv or .tsv file, plain or .gz.
 * @returns one or more
 * @throws {BadInput} names the line and the column
 */
export async function readRows(file: string): Promise<Row[]> {
  const [, ending] = /\.(jsonl|csv|tsv)(?:\.gz)?$/u.exec(file) ?? [];
  if (ending === undefined) throw new BadInput(`${file} must end in .jsonl, .csv or .tsv, or in one of these and .gz.`);
  if (ending !== "jsonl") return rowsOfCsv(file, await readText(file), ending === "tsv" ? "\t" : undefined);
  return (await readLines(file)).map(({ number, text }) => ({ line: number, value: jsonOf(file, number, text) }));
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
