import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parquetWriteFile } from "hyparquet-writer";
import { expect, test } from "vitest";
import { openInput } from "../../../src/tools/run/input.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { tempDir } from "../../support/temp-dir.ts";

const folder = tempDir();

/** The rows of a file as JSON, or what is wrong with them. */
async function rowsOf(file: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const row of (await openInput(file)).rows) rows.push("wrong" in row ? `${row.line}: ${row.wrong}` : row.json);
  return rows;
}

test("values of Parquet are what they are in the file: all digits, in the file's order", async () => {
  // Written by Arrow: test/fixtures/rows/make_values.py.
  expect(await rowsOf(fileURLToPath(new URL("test/fixtures/rows/values.parquet", PACKAGE_ROOT)))).toEqual([
    '{"price":-99999999999999999999.99,"ts_us":"2023-11-14T22:13:20.123456Z","time":"12:34:56.000789","hash":"/wAB","text":"The app crashes when I open it."}',
    '{"price":123456789012345678.91,"ts_us":"1969-12-31T23:59:59.999999Z","time":null,"hash":"YWJj","text":"I was charged twice."}',
  ]);
});

test("types that other programs write, in groups of rows", async () => {
  const filename = join(folder, "types.parquet");
  const hash = (text: string): Uint8Array => createHash("sha256").update(text).digest();
  parquetWriteFile({
    filename,
    rowGroupSize: 2,
    columnData: [
      { name: "2", data: [1n, 9_007_199_254_740_993n, -5n], type: "INT64" },
      { name: "1", data: [0.5, Infinity, NaN], type: "DOUBLE" },
      { name: "at", data: [new Date(3), new Date(-1), new Date("2026-11-27T06:24:00Z")], type: "TIMESTAMP" },
      { name: "untyped", data: ["a", "é", "b"].map((text) => new TextEncoder().encode(text)), type: "BYTE_ARRAY" },
      { name: "bytes", data: ["a", "b", "c"].map(hash), type: "BYTE_ARRAY" },
      { name: "json", data: [{ a: [1.5] }, null, "x"], type: "JSON" },
    ],
  });
  const rows = ["a", "b", "c"].map((text) => Buffer.from(hash(text)).toString("base64"));
  expect(await rowsOf(filename)).toEqual([
    `{"2":1,"1":0.5,"at":"1970-01-01T00:00:00.003Z","untyped":"a","bytes":"${rows[0]}","json":{"a":[1.5]}}`,
    `{"2":9007199254740993,"1":"Infinity","at":"1969-12-31T23:59:59.999Z","untyped":"é","bytes":"${rows[1]}","json":null}`,
    `{"2":-5,"1":null,"at":"2026-11-27T06:24:00.000Z","untyped":"b","bytes":"${rows[2]}","json":"x"}`,
  ]);
});

test("bytes that are no text, in a column that began with texts, make a row a wrong one", async () => {
  const filename = join(folder, "late.parquet");
  const data = [Uint8Array.of(0x61), Uint8Array.of(0x62), Uint8Array.of(0xff)];
  parquetWriteFile({ filename, rowGroupSize: 2, columnData: [{ name: "text", data, type: "BYTE_ARRAY" }] });
  expect(await rowsOf(filename)).toEqual([
    '{"text":"a"}',
    '{"text":"b"}',
    "3: has bytes that are no UTF-8 text in column 1, which has texts before",
  ]);
});
