import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DecideError } from "../../errors.ts";
import { loadOptional } from "./optional-package.ts";
import { cannotOpen, isBusy } from "./sqlite-error.ts";

export type SqlValue = string | number | null;

export interface Row {
  readonly [column: string]: SqlValue;
}

/** A prepared statement of libsql. What it does at once runs on the caller's thread: memory, and seldom a read from the disk. */
export interface Statement {
  run(values: readonly SqlValue[]): { readonly lastInsertRowid: number };
  get(values: readonly SqlValue[]): Row | undefined;
  all(values: readonly SqlValue[]): Promise<Row[]>;
}

/** A connection of libsql. What returns a promise runs on a thread of its own: waiting for locks and for the disk blocks nobody. */
export interface Connection {
  readonly inTransaction: boolean;
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<Statement>;
  close(): void;
}

/** Written into the file as `user_version`. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE accounts (
    account TEXT PRIMARY KEY,
    balance INTEGER NOT NULL CHECK (balance BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER})
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    account TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('charge', 'top_up')),
    nanocredits INTEGER NOT NULL,
    balance_after INTEGER NOT NULL CHECK (balance_after >= 0),
    request_id TEXT,
    body_sha256 TEXT,
    model TEXT,
    input_tokens INTEGER,
    output_tokens INTEGER,
    note TEXT
  ) STRICT;
  CREATE INDEX entries_by_request ON entries (request_id, account, body_sha256, time_ms) WHERE kind = 'charge';
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** A connection to a ledger file, which is made if it is not there. Throws what libsql throws. */
export async function connect(path: string, busyTimeoutMs: number): Promise<Connection> {
  const { default: Database } = await loadOptional("libsql", () => import("libsql/promise"));
  let connection: Connection;
  try {
    // An absolute path is never taken for a URL or a name such as ":memory:".
    connection = new Database(resolve(path), { timeout: busyTimeoutMs }) as InstanceType<typeof Database> & Connection;
  } catch (error) {
    throw cannotOpen(error);
  }
  try {
    // Before a commit has been reported, it is on the disk.
    await connection.exec("PRAGMA synchronous = FULL");
    if ((await versionOf(connection)) === 0) await makeSchema(connection, busyTimeoutMs);
    if ((await versionOf(connection)) !== SCHEMA_VERSION)
      throw new DecideError(
        "backend_unavailable",
        "The file of credits was made by another version of umpire; use that one or a newer one.",
      );
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function makeSchema(connection: Connection, busyTimeoutMs: number): Promise<void> {
  await setWal(connection, busyTimeoutMs);
  await connection.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been faster.
    if ((await versionOf(connection)) === 0) {
      if ((await numberFrom(connection, "SELECT count(*) AS n FROM sqlite_schema", "n")) > 0)
        throw new DecideError("backend_unavailable", "The file of credits is none: it is the database of another program.");
      await connection.exec(SCHEMA);
    }
    await connection.exec("COMMIT");
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
}

/** SQLite does not wait for locks when it changes the journal's mode: two processes may open a new file at once. */
async function setWal(connection: Connection, busyTimeoutMs: number): Promise<void> {
  for (const startMs = performance.now(); ;) {
    try {
      await connection.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - startMs > busyTimeoutMs) throw error;
      await sleep(10);
    }
  }
}

/** SQLite ends a transaction by itself after some errors, a full disk among them. */
export async function rollBack(connection: Connection): Promise<void> {
  if (connection.inTransaction) await connection.exec("ROLLBACK");
}

async function versionOf(connection: Connection): Promise<number> {
  return numberFrom(connection, "PRAGMA user_version", "user_version");
}

async function numberFrom(connection: Connection, sql: string, column: string): Promise<number> {
  return Number((await connection.prepare(sql)).get([])?.[column]);
}
