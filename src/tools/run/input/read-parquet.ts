import { brotliDecompressSync, gunzipSync } from "node:zlib";
import * as zlib from "node:zlib";
import { BadInput } from "../../cli/bad-input.ts";
import type { Row } from "../../rows/row.ts";
import { loadPeer } from "../peer.ts";
import type { Input } from "./input.ts";

type Decompress = (bytes: Uint8Array) => Uint8Array;

/** What Node decompresses, beside Snappy, which the library does. Zstandard is in Node from 22.15 on. */
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: Decompress };
const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
  ...(zstdDecompressSync && { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) }),
};

/** The rows of a Parquet file: one row group is in memory at a time. Values become what JSON can hold. @throws {BadInput} */
export async function openParquet(file: string): Promise<Input> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await loadPeer(
    "Parquet",
    "hyparquet",
    () => import("hyparquet"),
  );
  const readable = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((cause: unknown) => {
      throw new BadInput(whyUnreadable(file, cause as NodeJS.ErrnoException), { cause });
    });
  const buffer = await readable(asyncBufferFromFile(file));
  const metadata = await readable(parquetMetadataAsync(buffer));
  const total = Number(metadata.num_rows);
  if (total === 0) throw new BadInput(`${file} has no rows.`);
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
