import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { BadInput } from "../../cli/bad-input.ts";
import { csvLine } from "../../rows/csv-line.ts";
import { linesOf } from "../../rows/read-text.ts";
import type { Plan } from "../plan.ts";
import { writeParquet } from "./parquet-form.ts";
import { columnsOf } from "./table.ts";
import type { Cell, ResultLine } from "./table.ts";

/** Lines of results as text in pieces, from their start each time. */
export type Lines = () => AsyncIterable<string>;

/** What a file of results is written as. */
export interface Form {
  readonly name: "jsonl" | "csv" | "parquet";
  /** Writes a file, and syncs it. */
  write(lines: Lines, path: string, plan: Plan): Promise<void>;
}

const FORMS: readonly Form[] = [
  { name: "jsonl", write: (lines, path) => writeText(lines(), path) },
  { name: "csv", write: (lines, path, plan) => writeText(csvOf(lines(), plan), path) },
  { name: "parquet", write: (lines, path, plan) => writeParquet(() => objectsIn(lines()), path, columnsOf(plan)) },
];

/** The form that a file's name asks for. @throws {BadInput} */
export function formOf(out: string): Form {
  const form = FORMS.find(({ name }) => out.endsWith(`.${name}`));
  if (form === undefined)
    throw new BadInput(`${out} must end in .jsonl, .csv or .parquet: by its ending, the form of the results is chosen.`);
  return form;
}

async function writeText(pieces: AsyncIterable<string>, path: string): Promise<void> {
  await pipeline(pieces, createWriteStream(path, { flush: true }));
}

async function* csvOf(lines: AsyncIterable<string>, plan: Plan): AsyncGenerator<string, void, void> {
  const columns = columnsOf(plan);
  yield csvLine(
    columns.map(({ name }) => name),
    "\n",
  );
  for await (const line of objectsIn(lines)) {
    yield csvLine(
      columns.map(({ of }) => textOf(of(line))),
      "\n",
    );
  }
}

function textOf(cell: Cell): string {
  return cell === null ? "" : String(cell);
}

async function* objectsIn(lines: AsyncIterable<string>): AsyncGenerator<ResultLine, void, void> {
  for await (const { text } of linesOf("the results", lines)) yield JSON.parse(text) as ResultLine;
}
