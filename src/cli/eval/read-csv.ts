import { CsvError, parse } from "csv-parse/sync";
import { BadInput } from "../bad-input.ts";
import { wrongRow } from "./row.ts";
import type { Row } from "./row.ts";

/** What csv-parse's errors mean; its own messages quote the text. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is not closed",
  CSV_INVALID_CLOSING_QUOTE: "a quote ends before the field does; a quote inside a quoted field is written twice",
  INVALID_OPENING_QUOTE: "a quote is inside a field that does not begin with one; put the whole field in quotes",
};

/**
 * The rows of CSV (RFC 4180) under a line with the columns' names.
 * @param file named in error messages
 * @param delimiter what separates the fields. Default: a comma or, if the first line has none, a semicolon or a tab
 * @throws {BadInput} names the line and the column
 */
export function rowsOfCsv(file: string, text: string, delimiter = delimiterOf(text)): Row[] {
  const [header, ...records] = recordsOf(file, text, delimiter);
  if (header === undefined || records.length === 0) throw new BadInput(`${file} has no rows under its line of column names.`);
  const names = header.fields.map((name) => name.trim());
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw wrongRow(file, header.line, `has the same column name twice, in columns ${numbersOf(names, twice)}`);
  return records.map(({ line, fields }) => {
    if (fields.length !== names.length)
      throw wrongRow(file, line, `has ${fields.length} columns, but the first line names ${names.length}`);
    return { line, value: Object.fromEntries(names.map((name, i) => [name, fields[i]])) };
  });
}

/** For example `1 and 3`. */
const numbersOf = (names: readonly string[], wanted: string): string =>
  names.flatMap((name, i) => (name === wanted ? [i + 1] : [])).join(" and ");

function recordsOf(file: string, text: string, delimiter: string): { line: number; fields: string[] }[] {
  try {
    const options = { delimiter, info: true, skip_empty_lines: true, relax_column_count: true } as const;
    const records = parse(text, options) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => {
      // `lines` counts to the record's end.
      const breaks = record.reduce((sum, field) => sum + field.split(/\r\n|\r|\n/u).length - 1, 0);
      return { line: info.lines - breaks, fields: record };
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, column } = error as CsvError & { readonly lines: number; readonly column: number | string };
    const where = typeof column === "number" ? `line ${lines}, column ${column + 1}` : `line ${lines}`;
    throw new BadInput(`${file}, ${where}: ${PROBLEMS[error.code] ?? "is not valid CSV"}.`);
  }
}

function delimiterOf(text: string): string {
  const [header = ""] = text.split("\n", 1);
  return [",", ";", "\t"].find((delimiter) => header.includes(delimiter)) ?? ",";
}
