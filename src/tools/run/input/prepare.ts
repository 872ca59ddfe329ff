import type { State } from "../../../library/decide/types.ts";
import { BadInput } from "../../cli/bad-input.ts";
import { checkColumns } from "../../rows/row.ts";
import type { RowOrWrong } from "../../rows/row.ts";
import { isPlainObject, shapeOf } from "../../../library/validation/shape.ts";
import type { Plan } from "../plan.ts";
import type { Input } from "./input.ts";
import { stateReader } from "./state-reader.ts";
import type { StateReader } from "./state-reader.ts";

/** A row, ready to be asked about. */
export interface PreparedRow {
  /** Number of its line or row in the input, from 1. */
  readonly line: number;
  /** All of the row, as one text: equal texts, equal rows. */
  readonly content: string;
  /** undefined: something is wrong with the row. */
  readonly state: State | undefined;
  /** What is wrong with it, such as `line 3: has no text in body.`; "" for nothing. The input's name is no part of it, nor of any result. */
  readonly wrong: string;
  /** What is copied of it. */
  readonly copied: { readonly [column: string]: unknown };
}

/** What is read of rows. */
export interface Wanted {
  /** A column, or a template; undefined: the usual ones. */
  readonly state: string | undefined;
  /** Columns that are copied; undefined: all besides the state's. */
  readonly copy: readonly string[] | undefined;
}

/** What the first row says about all rows. */
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

/** Reads rows until one says what columns there are. @throws {BadInput} if it has not those that are wanted */
export async function prepare(input: Input, { state, copy }: Wanted): Promise<PreparedInput> {
  const before: RowOrWrong[] = [];
  let first: Fields | undefined;
  while (first === undefined) {
    const next = await input.rows.next();
    if (next.done === true) break;
    before.push(next.value);
    if ("value" in next.value && isPlainObject(next.value.value)) first = next.value.value;
  }
  if (first === undefined) throw new BadInput(`${input.name} has no row that can be read. ${whyNone(input, before)}`);
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

/** What is wrong with the first row. */
function whyNone({ name, unit }: Input, [row]: readonly RowOrWrong[]): string {
  if (row === undefined) return "";
  const wrong = "wrong" in row ? row.wrong : `must be an object with columns, but is ${shapeOf(row.value)}`;
  return `${name}, ${unit} ${row.line}: ${wrong}.`;
}
