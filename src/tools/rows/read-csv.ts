import { Readable, pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import type { Options } from "csv-parse";
import { BadInput } from "../cli/bad-input.ts";
import { MAX_LINE_CHARACTERS, peek } from "./read-text.ts";
import { wrongRow } from "./row.ts";
import type { RowOrWrong } from "./row.ts";

/** What csv-parse's errors mean; its own messages quote the text. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is not closed",
  CSV_INVALID_CLOSING_QUOTE: "a quote ends before the field does; a quote inside a quoted field is written twice",
  CSV_MAX_RECORD_SIZE: `a row has more than ${MAX_LINE_CHARACTERS} characters, perhaps because a quote before it is not closed`,
  INVALID_OPENING_QUOTE: "a quote is inside a field that does not begin with one; put the whole field in quotes",
};

/** Found long after the line that is wrong. */
const AT_THE_START: readonly string[] = ["CSV_QUOTE_NOT_CLOSED", "CSV_MAX_RECORD_SIZE"];

interface CsvRecord {
  /** Number of the line where it starts. */
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * The rows of CSV (RFC 4180) under a line with the columns' names, as they are read. One or more. A row with too many or too few
 * columns is a wrong one.
 * @param file named in error messages
 * @param delimiter what separates the fields. Default: a comma or, if the first line has none, a semicolon or a tab
 * @throws {BadInput} names the line and the column
 */
export async function* rowsOfCsv(
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
  if (isEmpty) throw new BadInput(`${file} has no rows under its line of column names.`);
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
