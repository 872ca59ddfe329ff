import { isUtf8 } from "node:buffer";
import * as zlib from "node:zlib";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { SchemaElement, SchemaTree } from "hyparquet";
import { loadOptional } from "../../files/optional-dependency.ts";
import { whyUnreadable } from "../../files/system-errors.ts";
import { badInput } from "../tool-error.ts";
import { jsonRow } from "../rows/json-text.ts";
import type { Input, RowOrWrong } from "../rows/read-rows.ts";

type Decompress = (bytes: Uint8Array) => Uint8Array;

/** Compressions that Node reads; the library itself reads Snappy. Zstandard is in Node from 22.15 on. */
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: Decompress };
const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
  ...(zstdDecompressSync && { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) }),
};

/**
 * The rows of a Parquet file: one row group is in memory at a time. Each becomes JSON. Times are texts (ISO 8601, with the digits that they have). Numbers keep all
 * of their digits. Bytes are in Base64; where all bytes of a column without a stated type are text, they are text.
 * @throws {ToolError}
 */
export async function openParquet(file: string): Promise<Input> {
  const library = await loadOptional("Parquet", "hyparquet", () => import("hyparquet"));
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead, parquetSchema } = library;
  const readable = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((cause: unknown) => {
      throw badInput(whyNoRows(file, cause as NodeJS.ErrnoException), { cause });
    });
  const buffer = await readable(asyncBufferFromFile(file));
  const metadata = await readable(parquetMetadataAsync(buffer));
  const total = Number(metadata.num_rows);
  if (total === 0) throw badInput(`${file} has no rows.`);
  const meanings = takeMeanings(metadata.schema);
  const columns = parquetSchema(metadata).children;
  let rowsRead = 0;
  const groupAt = async (rowStart: number, rowEnd: number): Promise<unknown[][]> => {
    let read: unknown[][] = [];
    const onComplete = (rows: unknown[][]): void => void (read = rows);
    await readable(parquetRead({ file: buffer, metadata, rowStart, rowEnd, compressors: COMPRESSORS, utf8: false, onComplete }));
    return read;
  };
  async function* rows(): AsyncGenerator<RowOrWrong, void, void> {
    let areText: boolean[] | undefined;
    for (const group of metadata.row_groups) {
      const read = await groupAt(rowsRead, rowsRead + Number(group.num_rows));
      // Older programs do not say which of their bytes are texts.
      areText ??= columns.map((_, i) => read.every((row) => isText(row[i])));
      for (const row of read) {
        const line = ++rowsRead;
        const no = areText.findIndex((isTexts, i) => isTexts && !isText(row[i]));
        const members = columns.map(
          (column, i) => `${JSON.stringify(column.element.name)}:${jsonOf(row[i], column, meanings, areText?.[i] === true)}`,
        );
        if (no >= 0) yield { line, wrong: `has bytes that are no UTF-8 text in column ${no + 1}, which has texts before` };
        else yield { line, ...jsonRow(`{${members.join(",")}}`) };
      }
    }
  }
  return { name: file, unit: "row", rows: rows(), shareRead: () => rowsRead / total };
}

function isText(value: unknown): boolean {
  if (value instanceof Uint8Array) return isUtf8(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isText);
}

/** A stored value's meaning, as JSON. */
type Meaning = (stored: unknown) => string;
type Meanings = ReadonlyMap<SchemaElement, Meaning>;

function jsonOf(value: unknown, node: SchemaTree | undefined, meanings: Meanings, areTexts: boolean): string {
  if (value === undefined || value === null) return "null";
  if (Array.isArray(value)) return `[${value.map((item) => jsonOf(item, itemOf(node), meanings, areTexts)).join(",")}]`;
  const meaning = node && meanings.get(node.element);
  if (meaning !== undefined) return meaning(value);
  if (typeof value === "bigint") return String(value);
  // JSON has no word for them. NaN is what other programs have for no value.
  if (typeof value === "number" && !Number.isFinite(value)) return Number.isNaN(value) ? "null" : `"${value}"`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "null" : JSON.stringify(value);
  if (value instanceof Uint8Array)
    return JSON.stringify(Buffer.from(value).toString(areTexts && node?.element.type === "BYTE_ARRAY" ? "utf8" : "base64"));
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${jsonOf(inner, memberOf(node, name), meanings, areTexts)}`,
  );
  return `{${members.join(",")}}`;
}

function itemOf(node: SchemaTree | undefined): SchemaTree | undefined {
  const [list] = node?.children ?? [];
  if (list === undefined || node?.element.converted_type !== "LIST") return node;
  return list.children.length === 1 ? list.children[0] : list;
}

function memberOf(node: SchemaTree | undefined, name: string): SchemaTree | undefined {
  return node?.element.converted_type === "MAP"
    ? node.children[0]?.children[1]
    : node?.children.find(({ element }) => element.name === name);
}

const DIGITS = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

/** Takes from a schema what the library would round: such values come as they are stored. @returns what they mean */
function takeMeanings(schema: readonly SchemaElement[]): Meanings {
  const meanings = new Map<SchemaElement, Meaning>();
  for (const element of schema) {
    const meaning = element.type === "INT96" ? int96 : meaningOf(element);
    if (meaning === undefined) continue;
    meanings.set(element, meaning);
    delete element.converted_type;
    delete element.logical_type;
    // Without a type that is converted, the library makes a date of it.
    if (element.type === "INT96") element.converted_type = "INT_64";
  }
  return meanings;
}

function meaningOf({ converted_type: converted, logical_type: logical, scale = 0 }: SchemaElement): Meaning | undefined {
  const [, kind, unit] = /^(TIME|TIMESTAMP)_(MILLIS|MICROS)$/u.exec(converted ?? "") ?? [];
  const digits = logical !== undefined && "unit" in logical ? DIGITS[logical.unit] : DIGITS[unit as "MILLIS" | "MICROS"];
  switch (String(logical?.type ?? kind ?? converted)) {
    case "DECIMAL":
      return (stored) => decimal(integerOf(stored), scale);
    case "DATE":
      return (stored) => JSON.stringify(instant(integerOf(stored) * 86_400n).slice(0, -9));
    case "TIME":
      return (stored) => JSON.stringify(withFraction(integerOf(stored), digits).slice("1970-01-01T".length));
    case "TIMESTAMP": {
      const zone = logical !== undefined && "isAdjustedToUTC" in logical && !logical.isAdjustedToUTC ? "" : "Z";
      return (stored) => JSON.stringify(`${withFraction(integerOf(stored), digits)}${zone}`);
    }
    case "JSON":
      return (stored) => jsonIn(Buffer.from(stored as Uint8Array).toString());
    case "INTERVAL":
    case "BSON":
      return (stored) => JSON.stringify(Buffer.from(stored as Uint8Array).toString("base64"));
    default:
      return undefined;
  }
}

function jsonIn(text: string): string {
  const row = jsonRow(text);
  return "json" in row ? row.json : JSON.stringify(text);
}

/** Nanoseconds of a day, and above them the day's number, from 4714 years before our era. */
const int96: Meaning = (stored) => {
  const both = integerOf(stored);
  return JSON.stringify(`${withFraction(((both >> 64n) - 2_440_588n) * 86_400_000_000_000n + (both & 0xffff_ffff_ffff_ffffn), 9)}Z`);
};

/** Bytes are a whole number with a sign, the highest first. */
function integerOf(stored: unknown): bigint {
  if (!(stored instanceof Uint8Array)) return BigInt(stored as number | bigint);
  return stored.length === 0 ? 0n : BigInt.asIntN(8 * stored.length, BigInt(`0x${Buffer.from(stored).toString("hex")}`));
}

function decimal(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, digits.length - scale)}${scale > 0 ? `.${digits.slice(-scale)}` : ""}`;
}

/** For example 2026-11-27T06:24:00.000001 of a number of microseconds. */
function withFraction(count: bigint, digits: 3 | 6 | 9): string {
  const unit = 10n ** BigInt(digits);
  const fraction = ((count % unit) + unit) % unit;
  return `${instant((count - fraction) / unit)}.${String(fraction).padStart(digits, "0")}`;
}

/** For example 2026-11-27T06:24:00. Times that no calendar reaches stay numbers. */
function instant(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds} seconds` : date.toISOString().slice(0, -5);
}

/** The library's own messages may hold texts of the file. */
function whyNoRows(file: string, cause: NodeJS.ErrnoException): string {
  if (typeof cause.code === "string") return `${file} cannot be read: ${whyUnreadable(cause)}.`;
  const [, codec] = /unsupported compression codec: (\w{1,20})/u.exec(cause.message) ?? [];
  if (codec !== undefined) return `${file} is compressed by ${codec}, which is not supported here. Write it with Snappy or gzip.`;
  return `${file} is not a Parquet file, or is damaged.`;
}
