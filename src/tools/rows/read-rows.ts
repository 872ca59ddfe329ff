import { pipeline, Readable } from "node:stream";
import { CsvError, parse, type Options } from "csv-parse";
import { badInput } from "../tool-error.ts";
import { isPlain, isPlainObject } from "../../library/validation/field.ts";
import { elementsOf, jsonRow, withDigits, type Member } from "./json-text.ts";
import { LINE_END, linesOf, MAX_LINE_CHARACTERS, nameOf, peek, STANDARD_INPUT, textOf, type ReadingOptions } from "./read-text.ts";
import { UnusableRow, type RowNotes } from "./row-notes.ts";

export const ENDING = /\.(jsonl|ndjson|json|csv|tsv)(?:\.gz)?$/iu;
export const ENDINGS = ".jsonl, .ndjson, .json, .csv or .tsv, or in one of these and .gz";

export interface TableOptions extends ReadingOptions {
  /** One character. Default: a tab of .tsv, or else the one that separates the names in the first line. */
  readonly delimiter?: string | undefined;
  /** Whether quotes enclose fields, or are text as all else. Default: `on`, but a field of a table with tabs that holds tabs and line breaks makes its row a wrong one. */
  readonly quotes?: Quotes | undefined;
}

export type Quotes = "on" | "off";

/** The names of columns, or of fields of JSON. Default: the usual ones, and no ids. */
export interface Columns {
  readonly textColumn?: string | undefined;
  readonly labelColumn?: string | undefined;
  readonly idColumn?: string | undefined;
}

/**
 * The rows of a text table, plain or .gz, as they are read; or of standard input, which is JSON if it starts with a brace or bracket, or else CSV.
 * One or more.
 * @param notes is told of rows that cannot be read, which are left out; without it, they are errors
 * @throws {ToolError} names the line and the column; if no row has the column of ids
 */
export async function* rowsOf(file: string, options: TableOptions & Columns = {}, notes?: RowNotes): AsyncGenerator<Row, void, void> {
  const { idColumn } = options;
  const names = new Set<string>();
  for await (const row of rowsAndWrongOnes(file, options)) {
    if (!("wrong" in row)) {
      if (idColumn !== undefined) for (const [name] of columnsIn(row)) names.add(name);
      yield idColumn === undefined ? row : { ...row, id: ownValue(rowWithDigits(row), idColumn) };
    } else if (notes === undefined) throw wrongRow(nameOf(file), row.line, row.wrong, row.column);
    else notes.leaveOut(row, row.wrong);
  }
  if (idColumn !== undefined && names.size > 0) checkColumns(nameOf(file), [...names], [idColumn], "--id-column");
}

/** As `rowsOf`, but a row that cannot be read does not end it, if the rows after it can be. @throws {ToolError} if the rest of the text cannot be read */
export async function* rowsAndWrongOnes(file: string, options: TableOptions = {}): AsyncGenerator<RowOrWrong, void, void> {
  const ending = file === STANDARD_INPUT ? undefined : endingOf(file);
  const { start, all } = await peek(textOf(file, options), (read) => read.trim() !== "");
  const [first = ""] = start.trimStart();
  const isTable = ending === undefined ? !"{[".includes(first) : ["csv", "tsv"].includes(ending);
  if (isTable || first === "") yield* rowsOfCsv(nameOf(file), all, options, ending === "tsv" ? "\t" : undefined);
  else
    for await (const { number, text } of (first === "[" ? elementsOf : linesOf)(nameOf(file), all))
      yield { line: number, ...jsonRow(text) };
}

/**
 * Reads the rows of a text table at once.
 * @returns one or more
 * @throws {ToolError} names the line and the column
 */
export async function readRows(file: string, options?: TableOptions & Columns, notes?: RowNotes): Promise<Row[]> {
  endingOf(file);
  const rows: Row[] = [];
  for await (const row of rowsOf(file, options, notes)) rows.push(row);
  return rows;
}

function endingOf(file: string): string {
  const [, ending] = ENDING.exec(file) ?? [];
  if (ending === undefined) throw badInput(`${file} must end in ${ENDINGS}.`);
  return ending.toLowerCase();
}

/** Words for csv-parse's errors; its own messages quote the text. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is not closed",
  CSV_INVALID_CLOSING_QUOTE: "a quote ends before the field does; a quote inside a quoted field is written twice",
  CSV_MAX_RECORD_SIZE: `a row has more than ${MAX_LINE_CHARACTERS} characters, perhaps because a quote before it is not closed`,
  INVALID_OPENING_QUOTE: "a quote is inside a field that does not begin with one; put the whole field in quotes",
};
const IF_TEXT = "if this file's quotes are text, give --quotes off";

interface CsvRecord {
  /** Number of the line where it starts, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * The rows of CSV (RFC 4180) under a line with the columns' names, as they are read. One or more. A row with too many or too few columns is a wrong one.
 * @throws {ToolError} names the line and the column
 */
async function* rowsOfCsv(
  file: string,
  pieces: AsyncGenerator<string, void, void>,
  { delimiter: given, quotes }: Pick<TableOptions, "delimiter" | "quotes">,
  usual: string | undefined,
): AsyncGenerator<RowOrWrong, void, void> {
  const { start, all } = await peek(pieces, (read) => headOf(read, false, quotes) !== undefined);
  const head = headOf(start, true, quotes) ?? NO_HEAD;
  const delimiter = given ?? (head.isSaid ? head.delimiter : (usual ?? head.delimiter));
  let names: readonly string[] | undefined;
  let [isEmpty, isSaid, width] = [true, head.isSaid, 0];
  for await (const { line, fields } of recordsOf(file, all, delimiter, quotes)) {
    const swallowed = delimiter === "\t" && quotes === undefined && fields.some((field) => field.includes("\t") && LINE_END.test(field));
    const wrong = `has a quoted field with tabs and line breaks, which may be several rows: ${IF_TEXT}; if they enclose it, --quotes on`;
    if (names === undefined) {
      if (fields.every((field) => field.trim() === "")) continue;
      if (isSaid) {
        isSaid = false;
        continue;
      }
      if (swallowed) throw wrongRow(file, line, wrong);
      [names, width] = [namesIn(file, line, fields), fields.length];
      continue;
    }
    isEmpty = false;
    yield swallowed ? { line, wrong } : csvRow(line, fields, names, width);
  }
  if (isEmpty) throw badInput(`${file} has no rows${names === undefined ? "" : " under its line of column names"}.`);
}

/** @param width how many fields the line of names has, those without a name included: a row may have nothing there */
function csvRow(line: number, fields: readonly string[], names: readonly string[], width: number): RowOrWrong {
  if (fields.length < names.length || fields.length > width)
    return { line, wrong: `has ${fields.length} columns, but the first line names ${names.length}` };
  const unnamed = fields.findIndex((field, i) => i >= names.length && field.trim() !== "");
  if (unnamed >= 0) return { line, wrong: `has a value in column ${unnamed + 1}, which has no name in the first line` };
  const cells = names.map((name, i) => [name, fields[i] ?? ""] as const);
  return { line, value: Object.fromEntries(cells), cells };
}

function namesIn(file: string, line: number, fields: readonly string[]): readonly string[] {
  const all = fields.map((name) => name.trim());
  const names = all.slice(0, all.findLastIndex((name) => name !== "") + 1);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return names;
  const numbers = names.flatMap((name, i) => (name === twice ? [i + 1] : [])).join(" and ");
  throw wrongRow(file, line, `has ${twice === "" ? "no name" : "the same column name twice"}, in columns ${numbers}`);
}

async function* recordsOf(
  file: string,
  pieces: AsyncIterable<string>,
  delimiter: string,
  quotes: Quotes | undefined,
): AsyncGenerator<CsvRecord, void, void> {
  /** The line after the last record, or after those that are empty: records are parsed ahead of the loop. */
  let line = 1;
  let empty = 0;
  const passed = (emptyLines: number): void => {
    line += emptyLines - empty;
    empty = emptyLines;
  };
  const options: Options = {
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    ...(quotes === "off" && { quote: null }),
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_LINE_CHARACTERS,
    // The parser's own count of lines takes a line end of two characters inside quotes for two.
    on_record: (fields: string[], { empty_lines }) => {
      passed(empty_lines);
      const record: CsvRecord = { line, fields };
      line += 1 + fields.reduce((sum, field) => sum + (/[\r\n]/u.test(field) ? field.split(LINE_END).length - 1 : 0), 0);
      // The parser hands it on as it is.
      return record as unknown as string[];
    },
  };
  // The loop hears of a failure, too.
  const records = pipeline(Readable.from(pieces), parse(options), () => undefined) as AsyncIterable<unknown>;
  try {
    yield* records as AsyncIterable<CsvRecord>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { empty_lines, column } = error as CsvError & { readonly empty_lines: number; readonly column: number | string };
    passed(empty_lines);
    const known = PROBLEMS[error.code];
    const what = known === undefined ? "is not valid CSV" : `${known}; ${IF_TEXT}`;
    throw wrongRow(file, line, what, typeof column === "number" ? column + 1 : undefined);
  }
}

/** In this order where nothing else decides. */
const DELIMITERS = [",", ";", "\t", "|"] as const;
/** Records that are looked at where more than one of them may be meant. */
const HEAD_RECORDS = 10;
const MAX_HEAD_CHARACTERS = 1_000_000;
/** The line in which Excel says what separates. */
const SEPARATOR_LINE = /^"?sep=(.)"?$/iu;

interface Head {
  readonly delimiter: string;
  /** Whether the first line only says so, and holds no names. */
  readonly isSaid: boolean;
}
const NO_HEAD: Head = { delimiter: ",", isSaid: false };

/**
 * The separator of the fields: the character that divides the first record that is not empty. Of several, the one by which the next records have as many fields; of
 * these, the one by which they have most.
 * @param isAll whether there is no more of the text
 * @returns undefined if it takes more of the text to know
 */
function headOf(start: string, isAll: boolean, quotes: Quotes | undefined): Head | undefined {
  const isEnough = isAll || start.length > MAX_HEAD_CHARACTERS;
  const records = countsIn(start, isEnough, quotes);
  const [first, ...others] = records;
  if (first === undefined) return isEnough ? NO_HEAD : undefined;
  const [, said] = SEPARATOR_LINE.exec(first.text) ?? [];
  if (said !== undefined) return { delimiter: said, isSaid: true };
  const found = DELIMITERS.filter((delimiter) => first.counts[delimiter] !== undefined);
  if (found.length > 1 && records.length < HEAD_RECORDS && !isEnough) return undefined;
  const [best = ","] = found.toSorted((a, b) => scoreOf(b) - scoreOf(a));
  return { delimiter: best, isSaid: false };

  function scoreOf(delimiter: string): number {
    const count = first?.counts[delimiter] ?? 0;
    return count + (others.every(({ counts }) => counts[delimiter] === count) ? MAX_HEAD_CHARACTERS : 0);
  }
}

interface HeadRecord {
  readonly text: string;
  /** How often a delimiter is outside of quotes. */
  readonly counts: { readonly [delimiter: string]: number };
}

/** The first records of a text that are not empty, the last one only if it is whole. */
function countsIn(start: string, isAll: boolean, quotes: Quotes | undefined): HeadRecord[] {
  const records: HeadRecord[] = [];
  let [from, isQuoted] = [0, false];
  let counts: Record<string, number> = {};
  const end = (at: number): void => {
    const text = start.slice(from, at);
    if (/[^,;|"\s]/u.test(text)) records.push({ text, counts });
    [from, counts] = [at + 1, {}];
  };
  for (let at = 0; at < start.length && records.length < HEAD_RECORDS; at++) {
    const character = start[at] ?? "";
    if (character === '"' && quotes !== "off") isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "\n" || character === "\r") end(at);
    else if ((DELIMITERS as readonly string[]).includes(character)) counts[character] = (counts[character] ?? 0) + 1;
  }
  if (isAll && records.length < HEAD_RECORDS) end(start.length);
  return records;
}

const MAX_COLUMNS = 12;

/** A row of a file: any JSON value, or the fields of a line of CSV by column. */
export interface Row {
  /** Number of the line where it starts, from 1. */
  readonly line: number;
  readonly value: unknown;
  /** The value in the column of ids, if one was named. */
  readonly id?: unknown;
  /** Of a row of JSON, all of it as it is in the file, and its members. */
  readonly json?: string;
  readonly members?: readonly Member[];
  /** Of a line of CSV, its fields in their order: an object would put names that look like numbers first. */
  readonly cells?: readonly (readonly [name: string, text: string])[];
}

/** A row's columns in the file's order, as JSON. None of what is no object. */
export function columnsIn({ members = [], cells }: Row): readonly Member[] {
  return cells?.map(([name, text]) => [name, JSON.stringify(text)]) ?? members;
}

/** A row with the digits of its numbers: those that JavaScript would write in another way are texts. */
export function rowWithDigits({ value, json }: Row): unknown {
  return json === undefined ? value : withDigits(json);
}

interface WrongRow {
  readonly line: number;
  /** Its mistake, after "line 3: "; never its text, and the same wherever it is read. */
  readonly wrong: string;
  /** Where in the line it is, from 1, if that is known. */
  readonly column?: number;
}

export type RowOrWrong = Row | WrongRow;

/** A file of rows that is being read. */
export interface Input {
  readonly name: string;
  /** Unit that `line` of a row counts. */
  readonly unit: "line" | "row";
  /** One or more. @throws {ToolError} once the rest cannot be read */
  readonly rows: AsyncGenerator<RowOrWrong, void, void>;
  /** The share that was read so far, 0 to 1; undefined: nobody knows. */
  shareRead(): number | undefined;
}

/** A field of a row; undefined for one that it only inherits, as `constructor`, and where the row is no object. */
export function ownValue(row: unknown, name: string): unknown {
  return isPlainObject(row) && Object.hasOwn(row, name) ? row[name] : undefined;
}

/** @param what is wrong with the row; never its text */
export function wrongRow(file: string, line: number, what: string, column?: number): UnusableRow {
  return new UnusableRow(file, line, what, column);
}

/**
 * The names of columns are shown if they are plain: in a file without a line of names, they are its first text.
 * @param names of the columns that there are
 * @param flags what names other columns
 * @throws {ToolError} unless all wanted columns are there
 */
export function checkColumns(file: string, names: readonly string[], wanted: readonly string[], flags: string): void {
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length === 0) return;
  const more = names.length > MAX_COLUMNS ? ` and ${names.length - MAX_COLUMNS} more` : "";
  const first = names.slice(0, MAX_COLUMNS);
  const shown = `${first.map((name, i) => (isPlain(name) ? name : `column ${i + 1}`)).join(", ")}${more}`;
  const hidden = first.every(isPlain) ? "" : " (names with blanks or signs are not shown)";
  throw badInput(`${file} has no column ${missing.join(" and ")}: the columns are ${shown}${hidden}. Name them with ${flags}.`);
}

/** Columns that are meant where none is named, in any case. Their first is the one that messages name. */
export const USUAL = { text: ["text", "state", "body", "message", "content"], label: ["label", "answer"] } as const;

/** The column that is meant among those of a file where none is named; undefined if there is none. @throws {ToolError} if it may be one or the other */
export function usualColumn(file: string, names: readonly string[], what: keyof typeof USUAL): string | undefined {
  const usual: readonly string[] = USUAL[what];
  const [found, other] = names.filter((name) => usual.includes(name.toLowerCase()));
  if (other !== undefined)
    throw badInput(`${file} has the columns ${found} and ${other}: either may be the ${what}. Name it with --${what}-column.`);
  return found;
}

/** One line in the format of RFC 4180. @param end default: that of the RFC @param special characters of a field that is quoted */
export function csvLine(fields: readonly string[], end: "\r\n" | "\n" = "\r\n", special = /[",\r\n]/u): string {
  const quoted = (field: string): string => (special.test(field) || field.trim() !== field ? `"${field.replaceAll('"', '""')}"` : field);
  return `${fields.map(quoted).join(",")}${end}`;
}
