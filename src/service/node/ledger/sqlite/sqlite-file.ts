import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DecideError } from "../../../../errors.ts";
import { loadOptional } from "../../../../files/optional-dependency.ts";
import { cannotOpen, isBusy } from "./sqlite-error.ts";

export type SqlValue = string | number | null;

export interface Row {
  readonly [column: string]: SqlValue;
}

/** A prepared statement of libsql. Its synchronous methods run on the caller's thread: they work in memory, and rarely read from the disk. */
export interface Statement {
  run(values: readonly SqlValue[]): { readonly lastInsertRowid: number };
  get(values: readonly SqlValue[]): Row | undefined;
  all(values: readonly SqlValue[]): Promise<Row[]>;
}

/** An open database of libsql. Methods that return a promise wait for locks and for the disk on a thread of their own. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<Statement>;
  close(): void;
}

/** Stored in the file as `user_version`. */
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

/**
 * Opens a ledger file, and creates it if it does not exist.
 * @throws {DecideError} `backend_unavailable` if libsql is missing, the file cannot be opened, or it is not a ledger of this version.
 * @throws libsql's own errors while reading or writing.
 */
export async function openDatabase(path: string, busyTimeoutMs: number): Promise<SqliteDatabase> {
  const { default: Database } = await loadOptional("A ledger in a file", "libsql", () => import("libsql/promise"));
  let database: SqliteDatabase;
  try {
    // An absolute path is never mistaken for a URL or a special name like ":memory:".
    database = new Database(resolve(path), { timeout: busyTimeoutMs }) as InstanceType<typeof Database> & SqliteDatabase;
  } catch (error) {
    throw cannotOpen(error);
  }
  try {
    // A commit is on the disk before it is reported.
    await database.exec("PRAGMA synchronous = FULL");
    if ((await versionOf(database)) === 0) await createSchema(database, busyTimeoutMs);
    if ((await versionOf(database)) !== SCHEMA_VERSION)
      throw new DecideError(
        "backend_unavailable",
        "The file of credits was created by another version of umpire. Use that version or a newer one.",
      );
    // A copy made by SQLite's VACUUM INTO is in another mode.
    await setWal(database, busyTimeoutMs);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function createSchema(database: SqliteDatabase, busyTimeoutMs: number): Promise<void> {
  await setWal(database, busyTimeoutMs);
  await database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have created it in the meantime.
    if ((await versionOf(database)) === 0) {
      if ((await numberFrom(database, "SELECT count(*) AS n FROM sqlite_schema", "n")) > 0)
        throw new DecideError("backend_unavailable", "The file is not a file of credits: it is the database of another program.");
      await database.exec(SCHEMA);
    }
    await database.exec("COMMIT");
  } catch (error) {
    await rollBack(database);
    throw error;
  }
}

/** Two processes may open a new file at once, and SQLite does not wait for locks when it changes the journal mode. */
async function setWal(database: SqliteDatabase, busyTimeoutMs: number): Promise<void> {
  for (const startMs = performance.now(); ;) {
    try {
      await database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - startMs > busyTimeoutMs) throw error;
      await sleep(10);
    }
  }
}

/** Ends the transaction, unless SQLite has already done so itself, as it does after some errors (a full disk, for example). */
export async function rollBack(database: SqliteDatabase): Promise<void> {
  if (database.inTransaction) await database.exec("ROLLBACK");
}

async function versionOf(database: SqliteDatabase): Promise<number> {
  return numberFrom(database, "PRAGMA user_version", "user_version");
}

async function numberFrom(database: SqliteDatabase, sql: string, column: string): Promise<number> {
  return Number((await database.prepare(sql)).get([])?.[column]);
}
