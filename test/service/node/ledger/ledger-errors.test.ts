import { expect, test } from "vitest";
import { DecideError } from "../../../../src/errors.ts";
import { redisError } from "../../../../src/service/node/ledger/redis/redis-client.ts";
import { sqliteError } from "../../../../src/service/node/ledger/sqlite/sqlite-file.ts";

const sqlite = (fields: object): Error => Object.assign(new Error("libsql says so"), fields);

test.each([
  ["a full disk", { code: "SQLITE_FULL" }, /disk .* is full/u, true],
  ["a lock, by its extended number", { code: "SQLITE_UNKNOWN", rawCode: 5 | (1 << 8) }, /Another process/u, true],
  ["a read error, by its extended name", { code: "SQLITE_IOERR_READ" }, /failed to read or write/u, true],
  ["a damaged file", { code: "SQLITE_CORRUPT", rawCode: 11 }, /is damaged/u, false],
  ["another kind of file", { code: "SQLITE_NOTADB" }, /not a file of credits/u, false],
  ["a read-only file", { rawCode: 8 }, /cannot be written/u, false],
  ["an error without a code", {}, /cannot be used/u, false],
])("SQLite's error for %s becomes advice", (_, fields, message, retryable) => {
  const error = sqliteError(sqlite(fields));
  expect(error).toMatchObject({ code: "backend_unavailable", status: 503, retryable, message: expect.stringMatching(message) as string });
  expect(error.cause).toBeInstanceOf(Error);
});

test.each([
  ["WRONGTYPE Operation against a key holding the wrong kind of value", false],
  ["NOAUTH Authentication required.", false],
  ["LOADING Redis is loading the dataset in memory", true],
  ["OOM command not allowed when used memory > 'maxmemory'.", true],
  ["connect ECONNREFUSED 127.0.0.1:1", true],
])("Redis' error %j is retryable: %s", (message, retryable) => {
  expect(redisError(new Error(message))).toMatchObject({ code: "backend_unavailable", retryable });
});

test("a DecideError is passed on unchanged", () => {
  const known = new DecideError("closed", "The ledger has been closed.");
  expect(sqliteError(known)).toBe(known);
  expect(redisError(known)).toBe(known);
});
