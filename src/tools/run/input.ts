import { stat } from "node:fs/promises";
import { noObject, type Member } from "../rows/json-text.ts";
import { checkColumns, columnsIn, ENDING, ENDINGS, rowsAndWrongOnes, usualColumn } from "../rows/read-rows.ts";
import type { Input, RowOrWrong, TableOptions } from "../rows/read-rows.ts";
import { placeText } from "../rows/row-notes.ts";
import { nameOf, STANDARD_INPUT } from "../rows/read-text.ts";
import { stateReader, textOfJson, type StateReader } from "../rows/state.ts";
import type { State } from "../../library/decide/types.ts";
import { badInput } from "../tool-error.ts";
import { isPlainObject } from "../../library/validation/field.ts";
import { openParquet } from "./parquet-input.ts";
import type { Plan } from "./plan.ts";

/** Opens a text table, plain or .gz, .parquet, or "-" for standard input. @throws {ToolError} */
export async function openInput(file: string, options: TableOptions = {}): Promise<Input> {
  if (/\.parquet$/iu.test(file)) return openParquet(file);
  if (file !== STANDARD_INPUT && !ENDING.test(file)) throw badInput(`${file} must end in .parquet, ${ENDINGS}.`);
  const found = file === STANDARD_INPUT ? undefined : await stat(file).catch(() => undefined);
  // Pipes have none.
  const sizeBytes = found?.isFile() && found.size > 0 ? found.size : undefined;
  let bytesRead = 0;
  return {
    name: nameOf(file),
    unit: "line",
    rows: rowsAndWrongOnes(file, { ...options, onBytes: (bytes) => (bytesRead = bytes) }),
    shareRead: () => (sizeBytes === undefined ? undefined : Math.min(1, bytesRead / sizeBytes)),
  };
}

export interface PreparedRow {
  /** Number of its line or row in the input, from 1. */
  readonly line: number;
  /** Where it is in words, such as `line 3` or `line 3 (t-101)`: with its id, if a column of ids was named. */
  readonly place: string;
  /** All of the row, as one text: equal texts, equal rows. */
  readonly content: string;
  readonly state: State | undefined;
  /** Its mistake, such as `line 3: has no text in body.`; "" for none. The input's name is no part of it, nor of any result. */
  readonly wrong: string;
  /** The members of an object of JSON, as they are in the input. */
  readonly copied: string;
}

interface Wanted {
  /** A column, or a template; undefined: the usual ones. */
  readonly state: string | undefined;
  /** Columns that are copied; undefined: all besides the state's. */
  readonly copy: readonly string[] | undefined;
  /** The column of ids, which is copied in any case. */
  readonly id?: string | undefined;
  /** Names that the results have themselves. */
  readonly taken?: readonly string[];
}

/** An input after its first rows, which say what columns there are. */
export interface PreparedInput extends Pick<Plan, "state" | "columns" | "copiesAll"> {
  readonly name: string;
  readonly unit: Input["unit"];
  /** Begins with the first row again. */
  readonly rows: AsyncGenerator<RowOrWrong, void, void>;
  /** To be asked only of rows that are answered or compared: others cost no more than reading them. */
  prepared(row: RowOrWrong): PreparedRow;
}

/** Rows of JSON in which the wanted columns are looked for: the first ones may lack them. */
const MAX_FIRST_ROWS = 1000;

/** Reads rows until some say what columns there are. @throws {ToolError} if they are not those that are wanted */
export async function prepare(input: Input, { state, id, copy: given, taken = [] }: Wanted): Promise<PreparedInput> {
  const ids = id === undefined ? [] : [id];
  const copy = given && [...new Set([...ids, ...given])];
  const before: RowOrWrong[] = [];
  const names = new Set<string>();
  let reader: StateReader | undefined;
  for (let isKnown = false; !isKnown && before.length < MAX_FIRST_ROWS;) {
    const next = await input.rows.next();
    if (next.done === true) break;
    before.push(next.value);
    if ("wrong" in next.value) continue;
    const found = columnsIn(next.value).map(([name]) => name);
    for (const name of found) names.add(name);
    if (state !== undefined || usualColumn(input.name, found, "text") !== undefined) reader ??= stateReader(state, found);
    isKnown = next.value.cells !== undefined || [...(reader?.columns ?? [""]), ...(copy ?? ids)].every((name) => names.has(name));
  }
  if (names.size === 0) throw badInput(`${input.name} has no row that can be read. ${whyNone(input, before)}`);
  const known = [...names];
  const { columns, read } = reader ?? stateReader(state, known);
  checkColumns(input.name, known, columns, "--text-column");
  checkColumns(input.name, known, ids, "--id-column");
  if (copy !== undefined) checkColumns(input.name, known, copy, "--copy");
  const isCopied = (name: string): boolean => (copy === undefined ? !columns.includes(name) || name === id : copy.includes(name));
  const prepared = (row: RowOrWrong): PreparedRow => {
    const { line } = row;
    const members = "wrong" in row ? [] : columnsIn(row);
    const place = placeText({ line, id: textOfJson(members.find(([name]) => name === id)?.[1]) }, input.unit);
    const at = { line, place, state: undefined };
    const unusable = (content: string, what: string, copied = ""): PreparedRow => ({ ...at, content, copied, wrong: `${place}: ${what}.` });
    if ("wrong" in row) return unusable(row.wrong, row.wrong);
    if (!isPlainObject(row.value)) return unusable(JSON.stringify(row.value), noObject(row.value));
    const wanted = copy?.flatMap((name) => members.filter(([own]) => own === name)) ?? members.filter(([name]) => isCopied(name));
    const collides = wanted.find(([name]) => taken.includes(name))?.[0];
    const kept = collides === undefined ? wanted : wanted.filter(([name]) => !taken.includes(name));
    const found =
      collides === undefined ? read(row, members) : { wrong: `has ${collides}, as the answers have: name the columns to copy with --copy` };
    const [content, copied] = [row.json ?? `{${membersText(members)}}`, membersText(kept)];
    return "wrong" in found ? unusable(content, found.wrong, copied) : { ...at, content, copied, state: found.state, wrong: "" };
  };
  return {
    name: input.name,
    unit: input.unit,
    state: state ?? columns.join(),
    columns: copy ?? known.filter(isCopied),
    copiesAll: copy === undefined,
    rows: withFirst(input, before),
    prepared,
  };
}

function membersText(members: readonly Member[]): string {
  return members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",");
}

async function* withFirst({ rows }: Input, before: readonly RowOrWrong[]): AsyncGenerator<RowOrWrong, void, void> {
  try {
    yield* before;
    yield* rows;
  } finally {
    await rows.return();
  }
}

function whyNone({ name, unit }: Input, [row]: readonly RowOrWrong[]): string {
  if (row === undefined) return "";
  const wrong = "wrong" in row ? row.wrong : isPlainObject(row.value) ? "has no columns" : noObject(row.value);
  return `${name}, ${unit} ${row.line}: ${wrong}.`;
}

/** Rows that are counted; how many more there are follows from how much of the file they take. */
const MAX_COUNTED = 50_000;

export interface RowCount {
  readonly rows: number;
  readonly isExact: boolean;
}

/** How many rows of a file a run is about; undefined for what can be read only once. @throws {ToolError} */
export async function countRows(file: string, options: TableOptions, wanted: Plan["rows"]): Promise<RowCount | undefined> {
  const input = await openInput(file, options);
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
