import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { ANSWER_KINDS } from "../rows/answers.ts";
import { csvLine, ownValue } from "../rows/read-rows.ts";
import { linesOf } from "../rows/read-text.ts";
import { sharesOf } from "../../library/decide/questions/question-kinds.ts";
import type { Answer, Question } from "../../library/decide/types.ts";
import { badInput } from "../tool-error.ts";
import { isPlainObject } from "../../library/validation/field.ts";
import { loadOptional } from "../../files/optional-dependency.ts";
import type { Plan } from "./plan.ts";

type Lines = () => AsyncIterable<string>;

export interface Format {
  readonly name: "jsonl" | "csv" | "parquet";
  write(lines: Lines, path: string, plan: Plan): Promise<void>;
}

const FORMATS: readonly Format[] = [
  { name: "jsonl", write: (lines, path) => writeText(lines(), path) },
  { name: "csv", write: (lines, path, plan) => writeText(csvOf(lines(), plan), path) },
  { name: "parquet", write: (lines, path, plan) => writeParquet(() => objectsIn(lines()), path, columnsOf(plan)) },
];

/** The format that a file's name asks for. @throws {ToolError} */
export function formatOf(out: string): Format {
  const format = FORMATS.find(({ name }) => out.endsWith(`.${name}`));
  if (format === undefined)
    throw badInput(`${out} must end in .jsonl, .csv or .parquet: by its ending, the form of the results is chosen.`);
  return format;
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
      columns.map(({ of }) => String(of(line) ?? "")),
      "\n",
    );
  }
}

async function* objectsIn(lines: AsyncIterable<string>): AsyncGenerator<ResultLine, void, void> {
  for await (const { text } of linesOf("the results", lines)) yield JSON.parse(text) as ResultLine;
}

type Cell = string | number | boolean | null;

interface ResultLine {
  readonly [column: string]: unknown;
}

type CellType = "STRING" | "BOOLEAN" | "INT64" | "DOUBLE";

interface Column {
  readonly name: string;
  /** Absent for what is copied: its values say. */
  readonly type?: CellType;
  readonly of: (line: ResultLine) => Cell;
}

/**
 * The columns of results as a table: what is copied; for each question its answer, the answer's probability, how often such answers are right, and with a rate
 * of errors whether to act on it; then warnings and the error.
 */
function columnsOf({ columns, questions, maxErrorRate }: Pick<Plan, "columns" | "questions" | "maxErrorRate">): Column[] {
  return [
    ...columns.map((name) => ({ name, of: (line: ResultLine) => cellOf(ownValue(line, name)) })),
    ...Object.entries(questions).flatMap(([id, { type }]) => columnsOfQuestion(id, type, maxErrorRate !== null)),
    { name: "warnings", type: "STRING", of: warningsIn },
    { name: "error", type: "STRING", of: errorIn },
  ];
}

function columnsOfQuestion(id: string, question: Question["type"], withAct: boolean): Column[] {
  const column = (suffix: string, type: CellType, of: (answer: Answer) => Cell): Column => ({
    name: `${id}${suffix}`,
    type,
    of: (line) => {
      const answer = answerIn(line, id);
      return answer === undefined ? null : of(answer);
    },
  });
  const { cellType, cell } = ANSWER_KINDS[question];
  return [
    column("", cellType, cell),
    column("_probability", "DOUBLE", (answer) => Math.max(...Object.values(sharesOf(answer)))),
    column("_accuracy", "DOUBLE", ({ x_accuracy }) => x_accuracy ?? null),
    ...(withAct ? [column("_act", "BOOLEAN", ({ x_act }) => x_act ?? null)] : []),
  ];
}

function answerIn(line: ResultLine, id: string): Answer | undefined {
  const { answers } = line;
  return isPlainObject(answers) ? (ownValue(answers, id) as Answer | undefined) : undefined;
}

/** Every answer to a row has the same ones. */
function warningsIn({ answers }: ResultLine): Cell {
  const [first] = isPlainObject(answers) ? (Object.values(answers) as Answer[]) : [];
  return first?.x_warnings?.join(" ") ?? null;
}

function errorIn({ error }: ResultLine): Cell {
  return isPlainObject(error) ? `${String(error["code"])}: ${String(error["message"])}` : null;
}

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : JSON.stringify(value);
}

/**
 * A name that two columns of the results would have, as lines of JSON or as a table; undefined if none is there twice.
 * @param asTable whether they are to be a table
 */
export function nameTwice(plan: Pick<Plan, "columns" | "questions" | "maxErrorRate">, asTable: boolean): string | undefined {
  const names = asTable ? columnsOf(plan).map(({ name }) => name) : plan.columns;
  return plan.columns.find((name) => RESULT_NAMES.includes(name)) ?? names.find((name, i) => names.indexOf(name) < i);
}

/** Rows in a group: what is in memory at a time. */
const ROWS_IN_GROUP = 10_000;

/**
 * Writes results as Parquet, and syncs the file. The type of a copied column is that of all its values, so they are read twice; one with values of
 * several types is of strings.
 */
async function writeParquet(lines: () => AsyncIterable<ResultLine>, path: string, columns: readonly Column[]): Promise<void> {
  const { fileWriter, parquetWriteRows } = await loadOptional("Parquet", "hyparquet-writer", () => import("hyparquet-writer"));
  const types = await typesOf(lines(), columns);
  const cells = async function* (): AsyncGenerator<Record<string, unknown>, void, void> {
    for await (const line of lines())
      yield Object.fromEntries(columns.map(({ name, of }, i) => [name, inType(of(line), types[i] ?? "STRING")]));
  };
  await parquetWriteRows({
    writer: fileWriter(path),
    columns: columns.map(({ name }, i) => ({ name, type: types[i] ?? "STRING", nullable: true })),
    rows: cells(),
    rowGroupSize: ROWS_IN_GROUP,
    createdBy: "umpire",
  });
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

async function typesOf(lines: AsyncIterable<ResultLine>, columns: readonly Column[]): Promise<CellType[]> {
  const types = columns.map(({ type }) => type);
  for await (const line of lines)
    columns.forEach(({ type, of }, i) => {
      if (type === undefined) types[i] = common(types[i], of(line));
    });
  return types.map((type) => type ?? "STRING");
}

function common(type: CellType | undefined, cell: Cell): CellType | undefined {
  if (cell === null) return type;
  const own = typeOf(cell);
  if (type === undefined || type === own) return own;
  const isNumeric = (one: CellType): boolean => one === "INT64" || one === "DOUBLE";
  return isNumeric(type) && isNumeric(own) ? "DOUBLE" : "STRING";
}

function typeOf(cell: string | number | boolean): CellType {
  if (typeof cell === "number") return Number.isSafeInteger(cell) ? "INT64" : "DOUBLE";
  return typeof cell === "boolean" ? "BOOLEAN" : "STRING";
}

function inType(cell: Cell, type: CellType): unknown {
  if (cell === null) return undefined;
  if (type === "INT64") return BigInt(cell);
  return type === "STRING" ? String(cell) : cell;
}

export interface RowError {
  readonly code: string;
  /** Begins with the row's place. Never holds the row's text. */
  readonly message: string;
  /** Number of the row's line or row in the input, from 1. */
  readonly line: number;
}

type RowResult = { readonly answers: { readonly [id: string]: Answer } } | { readonly error: RowError };

const RESULT_NAMES: readonly string[] = ["answers", "error"];

/** A row's result as a line of JSON: what is copied of the row, then its answers or what is wrong with it. */
export function lineOf(copied: { readonly [column: string]: unknown }, result: RowResult): string {
  return `${JSON.stringify({ ...copied, ...result })}\n`;
}
