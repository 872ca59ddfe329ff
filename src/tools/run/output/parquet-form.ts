import { open } from "node:fs/promises";
import { loadPeer } from "../peer.ts";
import type { Cell, CellType, Column, ResultLine } from "./table.ts";

/** Rows in a group: what is in memory at a time. */
const ROWS_IN_GROUP = 10_000;

/**
 * Writes results as Parquet, and syncs the file. The type of a copied column is that of all its values, so they are read twice; one with values of
 * several types is of strings.
 */
export async function writeParquet(lines: () => AsyncIterable<ResultLine>, path: string, columns: readonly Column[]): Promise<void> {
  const { fileWriter, parquetWriteRows } = await loadPeer("Parquet", "hyparquet-writer", () => import("hyparquet-writer"));
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
