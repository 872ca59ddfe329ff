import type { Question, Text } from "../../decide/types.ts";
import { BadInput } from "../bad-input.ts";

/** A row of a file: any JSON value, or the fields of a line of CSV by column. */
export interface Row {
  /** Number of the line where it starts, from 1. */
  readonly line: number;
  readonly value: unknown;
}

/** One request with its right answers. */
export interface Case {
  readonly line: number;
  readonly state: Text;
  readonly questions: Readonly<Record<string, Question>>;
  /** Option keys by question id; "yes" or "no" for a noul (yes/no question), the level's number for a score. */
  readonly truths: Readonly<Record<string, string>>;
}

/** @param what is wrong with the row; never its text */
export function wrongRow(file: string, line: number, what: string): BadInput {
  return new BadInput(`${file}, line ${line}: ${what}.`);
}
