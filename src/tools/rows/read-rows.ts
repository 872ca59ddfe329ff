import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import type { Options } from "csv-parse";
import { badInput } from "../tool-error.ts";
import type { ToolError } from "../tool-error.ts";
import { isPlain } from "../../library/validation/field.ts";
import { linesOf, MAX_LINE_CHARACTERS, nameOf, peek, STANDARD_INPUT, textOf } from "./read-text.ts";
import type { ReadingOptions } from "./read-text.ts";

const ENDING = /\.(jsonl|csv|tsv)(?:\.gz)?$/u;

/**
 * The rows of a .jsonl, .csv or .tsv file, plain or .gz, as they are read; or of standard input, which is JSONL if it starts with a brace, or else CSV.
 * One or more.
 * @throws {ToolError} names the line and the column
 */
export async function* rowsOf(file: string, options: ReadingOptions = {}): AsyncGenerator<Row, void, void> {
  for await (const row of rowsAndWrongOnes(file, options)) {
    if ("wrong" in row) throw wrongRow(nameOf(file), row.line, row.wrong, row.column);
    yield row;
  }
}

/** As `rowsOf`, but a row that cannot be read does not end it, if the rows after it can be. @throws {ToolError} if the rest of the text cannot be read */
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
 * @throws {ToolError} names the line and the column
 */
export async function readRows(file: string): Promise<Row[]> {
  endingOf(file);
  const rows: Row[] = [];
  for await (const row of rowsOf(file)) rows.push(row);
  return rows;
}

export function isTextTable(file: string): boolean {
  return ENDING.test(file);
}

function endingOf(file: string): string {
  const [, ending] = ENDING.exec(file) ?? [];
  if (ending === undefined) throw badInput(`${file} must end in .jsonl, .csv or .tsv, or in one of these and .gz.`);
  return ending;
}

async function* rowsOfJsonl(file: string, pieces: AsyncIterable<string>): AsyncGenerator<RowOrWrong, void, void> {
  const name = nameOf(file);
  let isEmpty = true;
  for await (const { number, text } of linesOf(name, pieces)) {
    isEmpty = false;
    yield jsonOf(number, text);
  }
  if (isEmpty) throw badInput(`${name} has no rows.`);
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

/** Words for csv-parse's errors; its own messages quote the text. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is not closed",
  CSV_INVALID_CLOSING_QUOTE: "a quote ends before the field does; a quote inside a quoted field is written twice",
  CSV_MAX_RECORD_SIZE: `a row has more than ${MAX_LINE_CHARACTERS} characters, perhaps because a quote before it is not closed`,
  INVALID_OPENING_QUOTE: "a quote is inside a field that does not begin with one; put the whole field in quotes",
};

/** Found long after the line that is wrong. */
const AT_THE_START: readonly string[] = ["CSV_QUOTE_NOT_CLOSED", "CSV_MAX_RECORD_SIZE"];

interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * The rows of CSV (RFC 4180) under a line with the columns' names, as they are read. One or more. A row with too many or too few
 * columns is a wrong one.
 * @param delimiter what separates the fields. Default: a comma or, if the first line has none, a semicolon or a tab
 * @throws {ToolError} names the line and the column
 */
async function* rowsOfCsv(
  file: string,
  pieces: AsyncGenerator<string, void, void>,
  delimiter?: string,
): AsyncGenerator<RowOrWrong, void, void> {
  const { start, all } = await peek(pieces, (read) => read.includes("\n"));
  let names: readonly string[] | undefined;
  let isEmpty = true;
  for await (const { line, fields } of recordsOf(file, all, delimiter ?? delimiterOf(start))) {
    if (names === undefined) {
      names = columnsOf(file, line, fields);
      continue;
    }
    const known = names;
    isEmpty = false;
    if (fields.length !== known.length) yield { line, wrong: `has ${fields.length} columns, but the first line names ${known.length}` };
    else yield { line, value: Object.fromEntries(known.map((name, i) => [name, fields[i]])) };
  }
  if (isEmpty) throw badInput(`${file} has no rows under its line of column names.`);
}

function columnsOf(file: string, line: number, fields: readonly string[]): readonly string[] {
  const names = fields.map((name) => name.trim());
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw wrongRow(file, line, `has the same column name twice, in columns ${numbersOf(names, twice)}`);
  return names;
}

/** For example `1 and 3`. */
const numbersOf = (names: readonly string[], wanted: string): string =>
  names.flatMap((name, i) => (name === wanted ? [i + 1] : [])).join(" and ");

async function* recordsOf(file: string, pieces: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord, void, void> {
  /** Where the record before ended: records are parsed ahead of the loop. */
  let lastLine = 0;
  const options: Options = {
    delimiter,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_LINE_CHARACTERS,
    on_record: (record, { lines }) => {
      lastLine = lines;
      return record;
    },
  };
  // The loop hears of a failure, too.
  const records = pipeline(Readable.from(pieces), parse(options), () => undefined) as AsyncIterable<unknown>;
  try {
    for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      // `lines` counts to the record's end.
      const breaks = record.reduce((sum, field) => sum + field.split(/\r\n|\r|\n/u).length - 1, 0);
      yield { line: info.lines - breaks, fields: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, column } = error as CsvError & { readonly lines: number; readonly column: number | string };
    // A quote that is not closed takes everything after it along: what helps is where that begins.
    const line = AT_THE_START.includes(error.code) ? lastLine + 1 : lines;
    throw wrongRow(file, line, PROBLEMS[error.code] ?? "is not valid CSV", typeof column === "number" ? column + 1 : undefined);
  }
}

function delimiterOf(start: string): string {
  const [header = ""] = start.split("\n", 1);
  return [",", ";", "\t"].find((delimiter) => header.includes(delimiter)) ?? ",";
}

const MAX_COLUMNS = 12;

/** A row of a file: any JSON value, or the fields of a line of CSV by column. */
export interface Row {
  /** Number of the line where it starts, from 1. */
  readonly line: number;
  readonly value: unknown;
}

/** A row that cannot be read. Those after it may be. */
interface WrongRow {
  readonly line: number;
  /** Its mistake, after "line 3: "; never its text, and the same wherever it is read. */
  readonly wrong: string;
  /** Where in the line it is, from 1, if that is known. */
  readonly column?: number;
}

export type RowOrWrong = Row | WrongRow;

/** A field of a row; undefined for one that it only inherits, as `constructor`. */
export function ownValue(row: { readonly [name: string]: unknown }, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** @param what is wrong with the row; never its text */
export function wrongRow(file: string, line: number, what: string, column?: number): ToolError {
  return badInput(`${file}, line ${line}${column === undefined ? "" : `, column ${column}`}: ${what}.`);
}

/**
 * The names of columns are shown if they are plain: in a file without a line of names, they are its first text.
 * @param flags what names other columns
 * @throws {ToolError} unless the row has all wanted columns
 */
export function checkColumns(file: string, row: object, wanted: readonly string[], flags: string): void {
  const missing = wanted.filter((name) => !Object.hasOwn(row, name));
  if (missing.length === 0) return;
  const columns = Object.keys(row).map((name, i) => (isPlain(name) ? name : `column ${i + 1}`));
  const more = columns.length > MAX_COLUMNS ? ` and ${columns.length - MAX_COLUMNS} more` : "";
  const shown = `${columns.slice(0, MAX_COLUMNS).join(", ")}${more}`;
  throw badInput(`${file} has no column ${missing.join(" and ")}: the columns are ${shown}. Name them with ${flags}.`);
}

/** One line in the format of RFC 4180. @param end default: that of the RFC */
export function csvLine(fields: readonly string[], end: "\r\n" | "\n" = "\r\n"): string {
  return `${fields.map(quoted).join(",")}${end}`;
}

function quoted(field: string): string {
  return /[",\r\n]/u.test(field) || field.trim() !== field ? `"${field.replaceAll('"', '""')}"` : field;
}
