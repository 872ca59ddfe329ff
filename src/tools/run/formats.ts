import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type * as ParquetWriter from "hyparquet-writer";
import { ANSWER_KINDS } from "../rows/answers.ts";
import { membersOf } from "../rows/json-text.ts";
import { csvLine, ownValue } from "../rows/read-rows.ts";
import { linesOf } from "../rows/read-text.ts";
import { sharesOf } from "../../library/decide/questions/question-kinds.ts";
import type { Answer, Question, Questions } from "../../library/decide/types.ts";
import { badInput } from "../tool-error.ts";
import { isPlainObject } from "../../library/validation/field.ts";
import { loadOptional } from "../../files/optional-dependency.ts";
import type { Plan } from "./plan.ts";

type Lines = () => AsyncIterable<string>;

export interface Format {
  readonly name: "jsonl" | "csv" | "parquet";
  write(lines: Lines, path: string, plan: Plan): Promise<void>;
  /** Loads what it needs. @throws {DecideError} `backend_unavailable` if that is not installed */
  load?(): Promise<unknown>;
}

const FORMATS: readonly Format[] = [
  { name: "jsonl", write: (lines, path) => writeText(lines(), path) },
  { name: "csv", write: async (lines, path, plan) => writeText(csvOf(lines(), await allColumns(lines, plan)), path) },
  {
    name: "parquet",
    load: parquetWriter,
    write: async (lines, path, plan) => writeParquet(() => resultsIn(lines()), path, await allColumns(lines, plan)),
  },
];

/** The format that a file's name asks for. @throws {ToolError} */
export function formatOf(out: string): Format {
  const path = out.toLowerCase().replace(/\.ndjson$/u, ".jsonl");
  const format = FORMATS.find(({ name }) => path.endsWith(`.${name}`));
  if (format === undefined)
    throw badInput(`${out} must end in .jsonl, .csv or .parquet: by its ending, the form of the results is chosen.`);
  return format;
}

async function writeText(pieces: AsyncIterable<string>, path: string): Promise<void> {
  await pipeline(pieces, createWriteStream(path, { flush: true }));
}

async function* csvOf(lines: AsyncIterable<string>, columns: readonly Column[]): AsyncGenerator<string, void, void> {
  const names = columns.map(({ name }) => name);
  // By their names it is found what separates.
  yield csvLine(names, "\n", /[",;|\t\r\n]/u);
  for await (const line of resultsIn(lines)) {
    const cells = columns.map(({ of }) => String(of(line) ?? ""));
    yield csvLine(cells, "\n");
  }
}

async function* resultsIn(lines: AsyncIterable<string>): AsyncGenerator<ResultLine, void, void> {
  for await (const { text } of linesOf("the results", lines)) {
    const members = new Map(membersOf(text));
    const of = (name: string): unknown => JSON.parse(members.get(name) ?? "null");
    yield { copied: members, answers: of("answers"), error: of("error") };
  }
}

/** Rows of JSON may have columns that the first ones have not. @throws {ToolError} if one of them is called as a column of the answers */
async function allColumns(lines: Lines, plan: Plan): Promise<readonly Column[]> {
  const names = new Set(plan.columns);
  if (plan.copiesAll)
    for await (const { copied } of resultsIn(lines())) for (const name of copied.keys()) if (!RESULT_NAMES.includes(name)) names.add(name);
  const columns = [...names];
  const twice = nameTwice({ ...plan, columns }, true);
  if (twice !== undefined) throw badInput(`The answers would have two columns ${twice}. Write them as .jsonl.`);
  return columnsOf({ ...plan, columns });
}

/** A number of a row is a bigint, or else the digits that it came with. */
type Cell = string | number | bigint | Digits | boolean | null;

class Digits {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether a double of JavaScript is this number, and not one near it. */
  get isExact(): boolean {
    const digits = this.#text.replace(/e.*$/iu, "").replaceAll(/[-.]/gu, "").replace(/^0+/u, "");
    return digits.length <= 15 && Number.isFinite(Number(this.#text)) && (Number(this.#text) !== 0 || digits === "");
  }

  toString(): string {
    return this.#text;
  }
}

interface ResultLine {
  /** Values of the row, by column, as JSON; answers and the error as well. */
  readonly copied: ReadonlyMap<string, string>;
  readonly answers: unknown;
  readonly error: unknown;
}

type CellType = "STRING" | "BOOLEAN" | "INT64" | "DOUBLE";

interface Column {
  readonly name: string;
  /** Absent for what is copied: its values say. */
  readonly type?: CellType;
  readonly of: (line: ResultLine) => Cell;
}

/**
 * The columns of results as a table: what is copied; for each question its answer, of a score the likeliest level's name, the answer's probability, how often
 * such answers are right, and with a rate of errors whether to act on it; then warnings and the error.
 */
function columnsOf({ columns, questions, maxErrorRate }: Pick<Plan, "columns" | "questions" | "maxErrorRate">): Column[] {
  return [
    ...columns.map((name) => ({ name, of: (line: ResultLine) => cellOf(line.copied.get(name)) })),
    ...Object.entries(questions).flatMap(([id, { type }]) => columnsOfQuestion(id, type, maxErrorRate !== null)),
    { name: "warnings", type: "STRING", of: warningsIn },
    { name: "error", type: "STRING", of: errorIn },
  ];
}

function columnsOfQuestion(id: string, question: Question["type"], withAct: boolean): Column[] {
  const column = (suffix: string, type: CellType, of: (answer: Answer) => Cell): Column => ({
    name: `${id}${suffix}`,
    type,
    of: ({ answers }) => {
      const answer = ownValue(answers, id) as Answer | undefined;
      return answer === undefined ? null : of(answer);
    },
  });
  const { cellType, cell, level } = ANSWER_KINDS[question];
  return [
    column("", cellType, cell),
    ...(level === undefined ? [] : [column("_level", "STRING", level)]),
    column("_probability", "DOUBLE", (answer) => Math.max(...Object.values(sharesOf(answer)))),
    column("_accuracy", "DOUBLE", ({ x_accuracy }) => x_accuracy ?? null),
    ...(withAct ? [column("_act", "BOOLEAN", ({ x_act }) => x_act ?? null)] : []),
  ];
}

/** Every answer to a row has the same ones. */
function warningsIn({ answers }: ResultLine): Cell {
  const [first] = isPlainObject(answers) ? (Object.values(answers) as Answer[]) : [];
  return first?.x_warnings?.join(" ") ?? null;
}

function errorIn({ error }: ResultLine): Cell {
  return isPlainObject(error) ? `${String(error["code"])}: ${String(error["message"])}` : null;
}

/** @param json of a copied value */
function cellOf(json = "null"): Cell {
  if (/^-?\d+$/u.test(json) && json.length <= LONGEST_INTEGER && BigInt(json) === BigInt.asIntN(64, BigInt(json)) && json !== "-0")
    return BigInt(json);
  if (/^[-\d]/u.test(json)) return new Digits(json);
  return /^[[{]/u.test(json) ? json : (JSON.parse(json) as string | boolean | null);
}
const LONGEST_INTEGER = 20;

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

function parquetWriter(): Promise<typeof ParquetWriter> {
  return loadOptional("Parquet", "hyparquet-writer", () => import("hyparquet-writer"));
}

/**
 * Writes results as Parquet, and syncs the file. The type of a copied column is that of all its values, so they are read twice; one with values of
 * several types is of strings.
 */
async function writeParquet(lines: () => AsyncIterable<ResultLine>, path: string, columns: readonly Column[]): Promise<void> {
  const { fileWriter, parquetWriteRows } = await parquetWriter();
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
  const types: (CellType | "LONG" | undefined)[] = columns.map(({ type }) => type);
  for await (const line of lines)
    columns.forEach(({ type, of }, i) => {
      if (type === undefined) types[i] = common(types[i], of(line));
    });
  return types.map((type) => (type === "LONG" ? "INT64" : (type ?? "STRING")));
}

/** LONG: whole numbers of 64 bits that a double has not. */
function common(type: CellType | "LONG" | undefined, cell: Cell): CellType | "LONG" | undefined {
  if (cell === null) return type;
  const own = typeOf(cell);
  if (type === undefined || type === own) return own;
  const both = [type, own];
  if (both.every((one) => one === "INT64" || one === "LONG")) return "LONG";
  return both.every((one) => one === "INT64" || one === "DOUBLE") ? "DOUBLE" : "STRING";
}

function typeOf(cell: Exclude<Cell, null>): CellType | "LONG" {
  if (typeof cell === "bigint") return Number.isSafeInteger(Number(cell)) ? "INT64" : "LONG";
  if (typeof cell === "number") return "DOUBLE";
  if (cell instanceof Digits) return cell.isExact ? "DOUBLE" : "STRING";
  return typeof cell === "boolean" ? "BOOLEAN" : "STRING";
}

function inType(cell: Cell, type: CellType): unknown {
  if (cell === null) return undefined;
  if (type === "DOUBLE") return Number(cell);
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

/** Names that a row's own columns may not have in the results. @param asTable whether they are to be a table */
export function takenNames(questions: Questions, maxErrorRate: number | null, asTable: boolean): string[] {
  return [...RESULT_NAMES, ...(asTable ? columnsOf({ columns: [], questions, maxErrorRate }).map(({ name }) => name) : [])];
}

/** A row's result as a line of JSON: what is copied of the row, then its answers or what is wrong with it. @param copied members of an object of JSON */
export function lineOf(copied: string, result: RowResult): string {
  return `{${copied}${copied === "" ? "" : ","}${JSON.stringify(result).slice(1)}\n`;
}
