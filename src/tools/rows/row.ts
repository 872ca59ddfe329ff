import { isPlain } from "../../library/validation/nearest.ts";
import { BadInput } from "../cli/bad-input.ts";

/** How many columns a message names. */
const MAX_COLUMNS = 12;

/** A row of a file: any JSON value, or the fields of a line of CSV by column. */
export interface Row {
  /** Number of the line where it starts, from 1. */
  readonly line: number;
  readonly value: unknown;
}

/** A row that cannot be read. Those after it may be. */
export interface WrongRow {
  readonly line: number;
  /** What is wrong with it, after "line 3: "; never its text, and the same wherever it is read. */
  readonly wrong: string;
  /** Where in the line it is, from 1, if that is known. */
  readonly column?: number;
}

export type RowOrWrong = Row | WrongRow;

/** @param what is wrong with the row; never its text */
export function wrongRow(file: string, line: number, what: string, column?: number): BadInput {
  return new BadInput(`${file}, line ${line}${column === undefined ? "" : `, column ${column}`}: ${what}.`);
}

/**
 * The names of columns are shown if they are plain: in a file without a line of names, they are its first text.
 * @param flags what names other columns
 * @throws {BadInput} unless the row has all wanted columns
 */
export function checkColumns(file: string, row: object, wanted: readonly string[], flags: string): void {
  const missing = wanted.filter((name) => !Object.hasOwn(row, name));
  if (missing.length === 0) return;
  const columns = Object.keys(row).map((name, i) => (isPlain(name) ? name : `column ${i + 1}`));
  const more = columns.length > MAX_COLUMNS ? ` and ${columns.length - MAX_COLUMNS} more` : "";
  const shown = `${columns.slice(0, MAX_COLUMNS).join(", ")}${more}`;
  throw new BadInput(`${file} has no column ${missing.join(" and ")}: the columns are ${shown}. Name them with ${flags}.`);
}
