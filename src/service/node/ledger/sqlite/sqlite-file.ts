import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DecideError } from "../../../../errors.ts";
import { loadOptional } from "../../../../files/optional-dependency.ts";

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

/** The purpose of a file: its tables, and how messages name it. */
export interface FileKind {
  /** For example "A ledger in a file", which needs libsql. */
  readonly needs: string;
  /** After "the": "file of credits". */
  readonly name: string;
  /** After "The disk that holds": "the credits". */
  readonly contents: string;
  readonly schema: string;
  /** Stored in the file as `user_version`. */
  readonly version: number;
}

export const LEDGER: FileKind = {
  needs: "A ledger in a file",
  name: "file of credits",
  contents: "the credits",
  version: 1,
  schema: `
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
`,
};

/**
 * Opens a file, and creates it if it does not exist.
 * @throws {DecideError} `backend_unavailable` if libsql is missing, the file cannot be opened, or it is no file of this kind and version.
 * @throws libsql's own errors while reading or writing.
 */
export async function openDatabase(path: string, busyTimeoutMs: number, kind: FileKind = LEDGER): Promise<SqliteDatabase> {
  const { default: Database } = await loadOptional(kind.needs, "libsql", () => import("libsql/promise"));
  let database: SqliteDatabase;
  try {
    // An absolute path is never mistaken for a URL or a special name like ":memory:".
    database = new Database(resolve(path), { timeout: busyTimeoutMs }) as InstanceType<typeof Database> & SqliteDatabase;
  } catch (error) {
    // libsql gives it no code.
    throw unavailable("CANTOPEN", error, kind);
  }
  try {
    // A commit is on the disk before it is reported.
    await database.exec("PRAGMA synchronous = FULL");
    if ((await numberFrom(database, VERSION)) === 0) await createSchema(database, busyTimeoutMs, kind);
    if ((await numberFrom(database, VERSION)) !== kind.version)
      throw new DecideError(
        "backend_unavailable",
        `The ${kind.name} was created by another version of umpire. Use that version or a newer one.`,
      );
    // A copy made by SQLite's VACUUM INTO is in another mode.
    await setWal(database, busyTimeoutMs);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function createSchema(database: SqliteDatabase, busyTimeoutMs: number, { name, schema, version }: FileKind): Promise<void> {
  await setWal(database, busyTimeoutMs);
  await transaction(database, async () => {
    // Another process may have created it in the meantime.
    if ((await numberFrom(database, VERSION)) !== 0) return;
    if ((await numberFrom(database, "SELECT count(*) FROM sqlite_schema")) > 0)
      throw new DecideError("backend_unavailable", `The file is not a ${name}: it is the database of another program.`);
    await database.exec(`${schema}; PRAGMA user_version = ${version}`);
  });
}

/** Runs one transaction: all that `work` changed is kept once this resolves, or nothing. Whether a power cut can undo it is up to `PRAGMA synchronous`. */
export async function transaction<T>(database: SqliteDatabase, work: () => T | Promise<T>): Promise<T> {
  try {
    await database.exec("BEGIN IMMEDIATE");
    const given = work();
    const result = given instanceof Promise ? await given : given;
    await database.exec("COMMIT");
    return result;
  } catch (error) {
    // If this fails as well, the next BEGIN fails, too, and this is tried again.
    await rollBack(database).catch(() => undefined);
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
      if (nameOf(error) !== "BUSY" || performance.now() - startMs > busyTimeoutMs) throw error;
      await sleep(10);
    }
  }
}

/** Ends the transaction, unless SQLite has already done so itself, as it does after some errors (a full disk, for example). */
export async function rollBack(database: SqliteDatabase): Promise<void> {
  if (database.inTransaction) await database.exec("ROLLBACK");
}

const VERSION = "PRAGMA user_version";

/** The number that a query gives: its only column. */
export async function numberFrom(database: SqliteDatabase, sql: string): Promise<number> {
  return Number(Object.values((await database.prepare(sql)).get([]) ?? {})[0]);
}

/** Programs that open the file by different names would not see what the others wrote, and would damage it. */
const MANY_NAMES = "The file of credits has more than one name (hard links). Remove the others; make copies with cp instead.";
const GONE =
  "The file of credits, or its -wal or -shm file, is no longer at its place: it was deleted, moved or replaced. Nothing is charged any more. Put it back, or stop the programs that use it, restore it from a backup, and start them again.";

/** The files that SQLite keeps beside one while it is open. Without them, what was written last is lost. */
const SUFFIXES = ["-wal", "-shm"];

/**
 * Tells whether the files of an open database are still at their paths. A file that was deleted, moved or replaced can still be written, but nobody will
 * ever read it.
 * @param path that of the database, which is open in WAL mode and has been read
 * @returns what is wrong: `backend_unavailable` once one of the files is no longer at its path. It takes some microseconds.
 * @throws {DecideError} `backend_unavailable` if the database has a second name (a hard link).
 */
export function watchFiles(path: string): () => DecideError | undefined {
  // SQLite follows symbolic links, and keeps the other files beside the real one. The link itself is checked, too.
  const real = realpathSync(path);
  if (statSync(real).nlink > 1) throw new DecideError("backend_unavailable", MANY_NAMES);
  const paths = [path, ...SUFFIXES.map((suffix) => real + suffix)];
  const opened = paths.map(identityOf);
  return () => (paths.every((path, i) => identityOf(path) === opened[i]) ? undefined : new DecideError("backend_unavailable", GONE));
}

/** Device and inode of a file, or NaN, which equals nothing: there is no such file, or nobody may look. */
function identityOf(path: string): string | number {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return NaN;
  }
}

/** SQLite's primary result codes (https://sqlite.org/rescode.html), as messages for the person who runs the service. */
function reasonsOf({ name, contents }: FileKind): { readonly [code: string]: string } {
  const notWritable = `The ${name} cannot be written. Check its permissions and those of its folder.`;
  return {
    FULL: `The disk that holds ${contents} is full. Free some space; no restart is needed.`,
    BUSY: `Another process locked the ${name} for too long. Try again, and find out what holds it.`,
    IOERR: `The disk that holds ${contents} failed to read or write. Check its free space, its quota and its health.`,
    CANTOPEN: `The ${name} cannot be opened. Check that its folder exists, and the permissions of both.`,
    READONLY: notWritable,
    PERM: notWritable,
    CORRUPT: `The ${name} is damaged. Stop the programs that use it, and restore it from a backup.`,
    NOTADB: `The file is not a ${name}: it is not an SQLite database, or it is damaged.`,
  };
}

const RETRYABLE: readonly string[] = ["FULL", "BUSY", "IOERR"];

/** Primary codes by number. An extended code has its primary code in the lowest byte, and libsql has no name for some extended codes. */
const NAMES: { readonly [rawCode: number]: string } = {
  3: "PERM",
  5: "BUSY",
  6: "BUSY",
  8: "READONLY",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  26: "NOTADB",
};

/** An error of SQLite as a DecideError. A DecideError is returned as it is. */
export function sqliteError(error: unknown, kind: FileKind = LEDGER): DecideError {
  if (DecideError.isInstance(error)) return error;
  return unavailable(nameOf(error), error, kind);
}

function unavailable(name: string, error: unknown, kind: FileKind): DecideError {
  const message = reasonsOf(kind)[name] ?? `The ${kind.name} cannot be used.`;
  return new DecideError("backend_unavailable", message, { cause: error, retryable: RETRYABLE.includes(name) });
}

/** The name of an error's primary code, such as BUSY; "" for what is no error of SQLite. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code, rawCode } = error as Error & { readonly code?: unknown; readonly rawCode?: unknown };
  const byNumber = typeof rawCode === "number" ? NAMES[rawCode & 0xff] : undefined;
  return byNumber ?? (typeof code === "string" ? (/^SQLITE_([A-Z]+)/u.exec(code)?.[1] ?? "") : "");
}
