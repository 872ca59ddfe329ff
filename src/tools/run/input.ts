import { stat } from "node:fs/promises";
import * as zlib from "node:zlib";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { checkColumns, isTextTable, ownValue, rowsAndWrongOnes } from "../rows/read-rows.ts";
import type { Row, RowOrWrong } from "../rows/read-rows.ts";
import { nameOf, STANDARD_INPUT } from "../rows/read-text.ts";
import type { ReadingOptions } from "../rows/read-text.ts";
import type { State } from "../../library/decide/types.ts";
import { badInput } from "../tool-error.ts";
import { isPlainObject, shapeOf } from "../../library/validation/field.ts";
import { loadOptional } from "../../files/optional-dependency.ts";
import type { Plan } from "./plan.ts";

export interface Input {
  readonly name: string;
  /** Unit that `line` of a row counts. */
  readonly unit: "line" | "row";
  /** One or more. @throws {ToolError} once the rest cannot be read */
  readonly rows: AsyncGenerator<RowOrWrong, void, void>;
  /** The share that was read so far, 0 to 1; undefined: nobody knows. */
  shareRead(): number | undefined;
}

/** Opens .jsonl, .csv and .tsv, plain or .gz, .parquet, or "-" for standard input. @throws {ToolError} */
export async function openInput(file: string, stdin?: ReadingOptions["stdin"]): Promise<Input> {
  if (file.endsWith(".parquet")) return openParquet(file);
  if (file !== STANDARD_INPUT && !isTextTable(file))
    throw badInput(`${file} must end in .jsonl, .csv, .tsv or .parquet; the first three may also be compressed, with .gz after it.`);
  const found = file === STANDARD_INPUT ? undefined : await stat(file).catch(() => undefined);
  // Pipes have none.
  const sizeBytes = found?.isFile() && found.size > 0 ? found.size : undefined;
  let bytesRead = 0;
  return {
    name: nameOf(file),
    unit: "line",
    rows: rowsAndWrongOnes(file, { stdin, onBytes: (bytes) => (bytesRead = bytes) }),
    shareRead: () => (sizeBytes === undefined ? undefined : Math.min(1, bytesRead / sizeBytes)),
  };
}

export interface PreparedRow {
  /** Number of its line or row in the input, from 1. */
  readonly line: number;
  /** All of the row, as one text: equal texts, equal rows. */
  readonly content: string;
  readonly state: State | undefined;
  /** Its mistake, such as `line 3: has no text in body.`; "" for none. The input's name is no part of it, nor of any result. */
  readonly wrong: string;
  readonly copied: { readonly [column: string]: unknown };
}

interface Wanted {
  /** A column, or a template; undefined: the usual ones. */
  readonly state: string | undefined;
  /** Columns that are copied; undefined: all besides the state's. */
  readonly copy: readonly string[] | undefined;
}

/** An input after its first row, which says what columns there are. */
export interface PreparedInput extends Pick<Plan, "state" | "columns" | "copiesAll"> {
  readonly name: string;
  readonly unit: Input["unit"];
  /** Begins with the first row again. */
  readonly rows: AsyncGenerator<RowOrWrong, void, void>;
  /** To be asked only of rows that are answered or compared: others cost no more than reading them. */
  prepared(row: RowOrWrong): PreparedRow;
  shareRead(): number | undefined;
}

interface Fields {
  readonly [column: string]: unknown;
}

/** Reads rows until one says what columns there are. @throws {ToolError} if it has not those that are wanted */
export async function prepare(input: Input, { state, copy }: Wanted): Promise<PreparedInput> {
  const before: RowOrWrong[] = [];
  let first: Fields | undefined;
  while (first === undefined) {
    const next = await input.rows.next();
    if (next.done === true) break;
    before.push(next.value);
    if ("value" in next.value && isPlainObject(next.value.value)) first = next.value.value;
  }
  if (first === undefined) throw badInput(`${input.name} has no row that can be read. ${whyNone(input, before)}`);
  const reader = stateReader(state, first);
  checkColumns(input.name, first, [...reader.columns], "--state");
  if (copy !== undefined) checkColumns(input.name, first, copy, "--copy");
  const isCopied = (name: string): boolean => (copy === undefined ? !reader.columns.includes(name) : copy.includes(name));
  return {
    name: input.name,
    unit: input.unit,
    state: state ?? reader.columns.join(),
    columns: copy ?? Object.keys(first).filter(isCopied),
    copiesAll: copy === undefined,
    rows: withFirst(input, before),
    prepared: (row) => preparedRow(row, input.unit, reader, copy),
    shareRead: () => input.shareRead(),
  };
}

async function* withFirst({ rows }: Input, before: readonly RowOrWrong[]): AsyncGenerator<RowOrWrong, void, void> {
  try {
    yield* before;
    yield* rows;
  } finally {
    await rows.return();
  }
}

function preparedRow(row: RowOrWrong, unit: Input["unit"], reader: StateReader, copy: readonly string[] | undefined): PreparedRow {
  const { line } = row;
  const wrong = (what: string): string => `${unit} ${line}: ${what}.`;
  if ("wrong" in row) return { line, content: row.wrong, state: undefined, wrong: wrong(row.wrong), copied: {} };
  const { value } = row;
  const content = JSON.stringify(value);
  if (!isPlainObject(value))
    return { line, content, state: undefined, wrong: wrong(`must be an object with columns, but is ${shapeOf(value)}`), copied: {} };
  const copied = copiedOf(value, reader, copy);
  const read = reader.read(value);
  return "wrong" in read
    ? { line, content, state: undefined, wrong: wrong(read.wrong), copied }
    : { line, content, state: read.state, wrong: "", copied };
}

function copiedOf(row: Fields, reader: StateReader, copy: readonly string[] | undefined): Fields {
  if (copy === undefined) return Object.fromEntries(Object.entries(row).filter(([name]) => !reader.columns.includes(name)));
  return Object.fromEntries(copy.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]));
}

function whyNone({ name, unit }: Input, [row]: readonly RowOrWrong[]): string {
  if (row === undefined) return "";
  const wrong = "wrong" in row ? row.wrong : `must be an object with columns, but is ${shapeOf(row.value)}`;
  return `${name}, ${unit} ${row.line}: ${wrong}.`;
}

interface StateReader {
  readonly columns: readonly string[];
  /** A row's state; or what is wrong with it, after "line 3: ". */
  read(row: Fields): { readonly state: State } | { readonly wrong: string };
}

const COLUMN_IN_BRACES = /\{([^{}]+)\}/gu;
/** Where none is named: the first of these that rows have. */
const USUAL = ["state", "text"] as const;

/**
 * Reader of the states of rows: from a column, or by a template with columns in braces, such as `{subject}\n\n{body}`, in which \n is a line break.
 * @param given undefined: the column `state` or, if the first row has none, `text`
 */
export function stateReader(given: string | undefined, first: Fields): StateReader {
  const spec = given ?? USUAL.find((name) => Object.hasOwn(first, name)) ?? USUAL[0];
  const columns = Object.hasOwn(first, spec) ? [] : Array.from(spec.matchAll(COLUMN_IN_BRACES), ([, name = ""]) => name);
  if (columns.length === 0) return { columns: [spec], read: (row) => stateIn(row, spec) };
  return {
    columns: [...new Set(columns)],
    read: (row) => {
      const texts = new Map(columns.map((name) => [name, textOf(ownValue(row, name))]));
      if ([...texts.values()].every((text) => text.trim() === "")) return { wrong: `has no text in ${columns.join(", ")}` };
      // Not by String.replace alone: a text may hold what looks like one of its patterns.
      const parts = spec.split(COLUMN_IN_BRACES);
      return { state: parts.map((part, i) => (i % 2 === 1 ? texts.get(part) : part.replaceAll("\\n", "\n"))).join("") };
    },
  };
}

function stateIn(row: Fields, column: string): { readonly state: State } | { readonly wrong: string } {
  const value = ownValue(row, column);
  if (value === undefined) return { wrong: `has no ${column}` };
  if (typeof value === "number" || typeof value === "boolean") return { state: String(value) };
  if (value === null || (typeof value === "string" && value.trim() === "")) return { wrong: `has no text in ${column}` };
  if (typeof value === "string" || Array.isArray(value) || isPlainObject(value)) return { state: value as State };
  return { wrong: `must have a text, an object or an array as ${column}, but has ${shapeOf(value)}` };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Rows that are counted; how many more there are follows from how much of the file they take. */
const MAX_COUNTED = 50_000;

export interface RowCount {
  readonly rows: number;
  readonly isExact: boolean;
}

/** How many rows of a file a run is about; undefined for what can be read only once. @throws {ToolError} */
export async function countRows(file: string, wanted: Plan["rows"]): Promise<RowCount | undefined> {
  const input = await openInput(file);
  if (input.shareRead() === undefined) return undefined;
  let rows = 0;
  const found = selected(input.rows, wanted);
  while ((await found.next()).done !== true) {
    rows++;
    if (rows < MAX_COUNTED) continue;
    await found.return();
    const share = input.shareRead();
    return share === undefined
      ? undefined
      : { rows: Math.min(Math.round(rows / share), wanted.limit ?? Infinity), isExact: rows === wanted.limit };
  }
  return { rows, isExact: true };
}

/**
 * Those of the rows that a run is about: a sample, up to a limit. Whether a row is in the sample depends on its number and the seed alone, so the sample is
 * the same each time, and of a longer input the larger.
 */
export async function* selected<T>(rows: AsyncIterable<T>, { limit, sample, seed }: Plan["rows"]): AsyncGenerator<T, void, void> {
  let number = 0;
  let taken = 0;
  for await (const row of rows) {
    number++;
    if (sample !== null && shareOf(number, seed) >= sample) continue;
    yield row;
    taken++;
    if (taken === limit) return;
  }
}

/** A share from 0 to 1 that looks random: the numbers' bits, mixed (the finaliser of MurmurHash3). */
function shareOf(number: number, seed: number): number {
  let bits = (Math.imul(number, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b)) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

type Decompress = (bytes: Uint8Array) => Uint8Array;

/** Compressions that Node reads; the library itself reads Snappy. Zstandard is in Node from 22.15 on. */
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: Decompress };
const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
  ...(zstdDecompressSync && { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) }),
};

/** The rows of a Parquet file: one row group is in memory at a time. Values become what JSON can hold. @throws {ToolError} */
async function openParquet(file: string): Promise<Input> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await loadOptional(
    "Parquet",
    "hyparquet",
    () => import("hyparquet"),
  );
  const readable = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((cause: unknown) => {
      throw badInput(whyUnreadable(file, cause as NodeJS.ErrnoException), { cause });
    });
  const buffer = await readable(asyncBufferFromFile(file));
  const metadata = await readable(parquetMetadataAsync(buffer));
  const total = Number(metadata.num_rows);
  if (total === 0) throw badInput(`${file} has no rows.`);
  let rowsRead = 0;
  async function* rows(): AsyncGenerator<Row, void, void> {
    for (const group of metadata.row_groups) {
      const [rowStart, rowEnd] = [rowsRead, rowsRead + Number(group.num_rows)];
      const reading = parquetReadObjects({ file: buffer, metadata, rowStart, rowEnd, compressors: COMPRESSORS });
      for (const row of await readable(reading)) {
        rowsRead++;
        yield { line: rowsRead, value: plain(row) };
      }
    }
  }
  return { name: file, unit: "row", rows: rows(), shareRead: () => rowsRead / total };
}

/** As JSON: times as texts (ISO 8601), numbers of 64 bits as texts where JSON would round them, bytes in Base64. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  return value ?? null;
}

/** The library's own messages may hold texts of the file. */
function whyUnreadable(file: string, cause: NodeJS.ErrnoException): string {
  if (cause.code === "ENOENT") return `The file ${file} does not exist.`;
  if (typeof cause.code === "string") return `${file} cannot be read (${cause.code}).`;
  const [, codec] = /unsupported compression codec: (\w{1,20})/u.exec(cause.message) ?? [];
  if (codec !== undefined) return `${file} is compressed by ${codec}, which is not supported here. Write it with Snappy or gzip.`;
  return `${file} is not a Parquet file, or is damaged.`;
}
