import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { chunkFile, chunkId, chunkIn, connectRedis, removeFolder, textAt, textOfChunk } from "../../../../src/tools/run/queue/chunk.ts";
import type { Chunk, ChunkJob } from "../../../../src/tools/run/queue/chunk.ts";
import { failedRow } from "../../../../src/tools/run/tally.ts";
import { AS_USUAL, replaceFile } from "../../../../src/files/replace.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { badInput } from "../../../../src/tools/tool-error.ts";

const JOB: ChunkJob = { folder: "/shared/answers.csv.chunks", run: "a1", block: 7, input: "b2", firstLine: 71, lastLine: 80 };
const CHUNK: Chunk = { tally: failedRow("invalid_request", "line 71: is wrong."), lines: '{"id":1}\n{"id":"é"}\n', stops: "" };

test("a chunk is read as it was written", () => {
  expect(chunkIn(textOfChunk(JOB, CHUNK), JOB)).toEqual(CHUNK);
  const empty: Chunk = { ...CHUNK, lines: "", stops: "line 71: is wrong." };
  expect(chunkIn(textOfChunk(JOB, empty), JOB)).toEqual(empty);
});

test.each([
  ["a changed line", (text: string) => text.replace('"id":1', '"id":2')],
  ["a line that is missing", (text: string) => text.slice(0, text.indexOf('{"id":"é"}'))],
  ["a torn end", (text: string) => text.slice(0, -1)],
  ["no lines", (text: string) => text.slice(0, text.indexOf("\n"))],
  ["nothing", () => ""],
  ["what is no chunk", () => '{"id":1}\n'],
  ["what is not even JSON", () => "\0\0\0\n"],
] as const)("a chunk with %s is none", (_, damaged) => {
  expect(chunkIn(damaged(textOfChunk(JOB, CHUNK)), JOB)).toBeUndefined();
});

test("a chunk of another run, block or input is none, and has another id and name", () => {
  for (const other of [
    { ...JOB, run: "a2" },
    { ...JOB, block: 8 },
    { ...JOB, input: "b3" },
  ]) {
    expect(chunkIn(textOfChunk(JOB, CHUNK), other)).toBeUndefined();
    expect(chunkId(other)).not.toBe(chunkId(JOB));
    expect(chunkFile(other)).not.toBe(chunkFile(JOB));
  }
});

test("an id does not depend on where the run is, so it is the same however the folder is called", () => {
  expect(chunkId({ ...JOB, folder: "/elsewhere", firstLine: 0, lastLine: 0 })).toBe(chunkId(JOB));
});

test("what is not there is absent, and what cannot be read is not", async () => {
  const folder = tempDir();
  expect(await textAt(join(folder, "a"))).toBeUndefined();
  await expect(textAt(folder)).rejects.toMatchObject({ code: "EISDIR" });
});

test("once a folder is removed, nothing can be put there, and nothing is there", async () => {
  const folder = join(tempDir(), "chunks");
  await mkdir(folder);
  const job = { ...JOB, folder };
  await replaceFile(chunkFile(job), "one", AS_USUAL);
  await removeFolder(folder);
  await removeFolder(folder);
  expect(await textAt(chunkFile(job))).toBeUndefined();
  await expect(replaceFile(chunkFile(job), "late", AS_USUAL)).rejects.toMatchObject({ code: "ENOENT" });
  expect(await readdir(dirname(folder))).toEqual([]);
});

test.each(["127.0.0.1:6379", "http://127.0.0.1:6379", "redis://"])("a URL that is no Redis is bad input: %s", async (url) => {
  await expect(connectRedis(url, () => undefined)).rejects.toThrow(
    badInput("--queue must be the URL of a Redis: redis://user:password@host:6379/0, or rediss:// for TLS."),
  );
});
