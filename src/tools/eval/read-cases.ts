import { isPlainObject } from "../../library/validation/shape.ts";
import { badInput } from "../tool-error.ts";
import { readQuestion } from "../cli/input/read-input.ts";
import type { RowsFlags } from "../cli/input/rows-flags.ts";
import type { InputStream, Io } from "../cli/io.ts";
import { readRows } from "../rows/read-rows.ts";
import { readText } from "../rows/read-text.ts";
import type { Case } from "./case.ts";
import { isDecision, toCases } from "./question-set.ts";
import { sampled } from "./random.ts";

/** A file's rows as requests with their right answers. */
export interface CaseFile {
  /** Those that were chosen, in the order of their lines. */
  readonly cases: readonly Case[];
  /** Whether rows have their own questions. */
  readonly areRequests: boolean;
}

/**
 * Reads the cases of a file. Everything that can be wrong with its rows is found here, before the first question is asked.
 * @throws {ToolError} and the library's own error for a question that is not valid
 */
export async function readCases({ stdin }: Pick<Io, "stdin">, file: string, flags: RowsFlags): Promise<CaseFile> {
  const { instructions, criteria, textColumn, labelColumn, seed } = flags;
  const rows = await readRows(file);
  const question = flags.question === undefined ? undefined : await readQuestion(flags.question, undefined);
  if (question !== undefined && (instructions ?? criteria) !== undefined)
    throw badInput("--question has its own instructions and criteria, so leave out --instructions and --criteria.");
  const descriptions = criteria === undefined ? undefined : await readCriteria(criteria, stdin);
  const options = descriptions && [...descriptions.keys()];
  const all = toCases(file, rows, { question, instructions, descriptions, options, textColumn, labelColumn });
  const cases = flags.rows === undefined ? all : sampled(all, flags.rows, seed).sort((a, b) => a.line - b.line);
  return { cases, areRequests: rows.some(isDecision) };
}

/**
 * Reads a choice's criteria: a JSON object with a description, or null, for each option. The options keep its order.
 * @throws {ToolError}
 */
async function readCriteria(file: string, stdin: InputStream): Promise<ReadonlyMap<string, unknown>> {
  const text = await readText(file, { stdin });
  let criteria: unknown;
  try {
    criteria = JSON.parse(text);
  } catch {
    throw badInput(`${file} is not valid JSON.`);
  }
  if (!isPlainObject(criteria))
    throw badInput(`${file} must be an object with a description for each option: { "billing": "invoices", "sales": null }.`);
  return new Map(Object.entries(criteria));
}
