import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { parquetWriteFile } from "hyparquet-writer";
import { cp } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { umpire } from "../../support/command-line.ts";
import { jsonl, RunFolder, texts } from "../run/run-folder.ts";

const ROWS = 60;
const folder = new RunFolder();
beforeAll(async () => {
  parquetWriteFile({
    filename: folder.at("rows.parquet"),
    rowGroupSize: 25,
    columnData: [
      { name: "id", data: Array.from({ length: ROWS }, (_, id) => BigInt(id)), type: "INT64" },
      { name: "text", data: texts(ROWS), type: "STRING" },
      { name: "at", data: Array.from({ length: ROWS }, (_, id) => new Date(id * 1000)), type: "TIMESTAMP" },
    ],
  });
  await folder.write("rows.jsonl", jsonl(ROWS));
});

const rowsOf = async (name: string): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: await asyncBufferFromFile(folder.at(name)) });

test("rows of all row groups are read, and answered as those of JSON", async () => {
  expect((await folder.run("rows.parquet", "from-parquet.jsonl", ["--copy", "id"])).code).toBe(0);
  expect((await folder.run("rows.jsonl", "from-jsonl.jsonl")).code).toBe(0);
  expect(await folder.read("from-parquet.jsonl")).toBe(await folder.read("from-jsonl.jsonl"));
});

test("results are columns with types", async () => {
  expect((await folder.run("rows.parquet", "answers.parquet", ["--max-error-rate", "0.2"])).code).toBe(0);
  const rows = await rowsOf("answers.parquet");
  expect(rows).toHaveLength(ROWS);
  expect(Object.keys(rows[0] ?? {})).toEqual(["id", "at", "late", "late_probability", "late_accuracy", "late_act", "warnings", "error"]);
  expect(rows[3]).toMatchObject({
    id: 3n,
    at: "1970-01-01T00:00:03.000Z",
    late: expect.any(Boolean) as unknown,
    late_probability: expect.any(Number) as unknown,
  });
  const { schema } = await parquetMetadataAsync(await asyncBufferFromFile(folder.at("answers.parquet")));
  expect(schema.slice(1).map(({ type }) => type)).toEqual([
    "INT64",
    "BYTE_ARRAY",
    "BOOLEAN",
    "DOUBLE",
    "DOUBLE",
    "BOOLEAN",
    "BYTE_ARRAY",
    "BYTE_ARRAY",
  ]);
});

test("shards of a Parquet file merge to one run's Parquet, byte for byte", async () => {
  for (const i of [1, 2, 3])
    expect((await folder.run("rows.parquet", `part-${i}.jsonl`, ["--shard", `${i}/3`, "--block", "8"])).code).toBe(0);
  const parts = [1, 2, 3].map((i) => folder.at(`part-${i}.jsonl`));
  expect((await umpire(["run", "--merge", ...parts, "--out", folder.at("merged.parquet")])).code).toBe(0);
  expect((await folder.run("rows.parquet", "one.parquet", ["--block", "8"])).code).toBe(0);
  expect(await folder.read("merged.parquet")).toBe(await folder.read("one.parquet"));
});

test("a column with values of several types is of texts, a row without an answer has none", async () => {
  await folder.write("mixed.jsonl", '{"text": "It is late.", "n": 1}\n{"text": "", "n": "x"}\n{"text": "Fine.", "n": [1.5]}\n');
  expect((await folder.run("mixed.jsonl", "mixed.parquet")).code).toBe(3);
  const rows = await rowsOf("mixed.parquet");
  expect(rows.map(({ n }) => n)).toEqual(["1", "x", "[1.5]"]);
  expect(rows[1]).toMatchObject({ late: null, error: "invalid_request: line 2: has no text in text." });
});

test("a file that is no Parquet is told in words", async () => {
  await cp(folder.at("rows.jsonl"), folder.at("no.parquet"));
  const { code, stderr } = await folder.run("no.parquet", "x.jsonl");
  expect({ code, stderr }).toEqual({ code: 2, stderr: `umpire: ${folder.at("no.parquet")} is not a Parquet file, or is damaged.\n` });
});
