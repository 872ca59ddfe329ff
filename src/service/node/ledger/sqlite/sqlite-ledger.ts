import { resolve } from "node:path";
import { DecideError } from "../../../../errors.ts";
import type { Charge, ChargeId, ChargeOutcome, Hold, HoldRequest } from "../../../billing/credits.ts";
import { checkBalance, checkCharge, checkHold, checkTopUp, columnsOf, Condition, entryOf } from "../ledger.ts";
import { Holds, NEW_LEDGER, paidHold, REMEMBERED_MS } from "../ledger.ts";
import type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "../ledger.ts";
import { RecentEntries, SYSTEM_CLOCK } from "./recent-entries.ts";
import type { LedgerClock } from "./recent-entries.ts";
import { sqliteError, numberFrom, openDatabase, rollBack, SameFiles } from "./sqlite-file.ts";
import type { Row, SqliteDatabase, SqlValue, Statement } from "./sqlite-file.ts";

/** The columns of the table `entries`, without its id. */
const COLUMNS = [
  "time_ms",
  "account",
  "kind",
  "nanocredits",
  "balance_after",
  "request_id",
  "body_sha256",
  "model",
  "input_tokens",
  "output_tokens",
  "note",
] as const;

type Column = (typeof COLUMNS)[number];

const SQL = {
  /** A request's standing: its account's balance, and the last charge for it. In one statement, because each takes some 20 µs to run. */
  standing: `SELECT balance, id, time_ms FROM (SELECT 1)
    LEFT JOIN accounts ON account = ?1
    LEFT JOIN (SELECT id, time_ms FROM entries
      WHERE kind = 'charge' AND request_id = ?2 AND account = ?1 AND body_sha256 = ?3 ORDER BY id DESC LIMIT 1)`,
  setBalance: "INSERT INTO accounts (account, balance) VALUES (?, ?) ON CONFLICT DO UPDATE SET balance = excluded.balance",
  addEntry: `INSERT INTO entries (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
  lastId: "SELECT coalesce(max(id), 0) FROM entries",
  accounts: "SELECT account, balance FROM accounts ORDER BY account",
  entries: `SELECT id, ${COLUMNS.join(", ")} FROM entries WHERE id > ? AND time_ms >= ? AND (? IS NULL OR account = ?) ORDER BY id LIMIT 500`,
};

interface SqliteLedgerOptions extends LedgerOptions {
  /** How long to wait while another process writes, in milliseconds. Default: 5,000. */
  readonly busyTimeoutMs?: number;
  /** Default: the system's. */
  readonly clock?: LedgerClock;
}

type Change = Readonly<Partial<Record<Column, SqlValue>>> & { readonly account: string; readonly nanocredits: number };

/**
 * Opens a ledger in an SQLite file on a local disk, and creates the file if it does not exist. Several processes may use it at once; each knows only
 * what it holds back itself, so one server should have the file to itself. Needs the package `libsql`.
 * @throws {DecideError} `backend_unavailable` if that package is missing or the file cannot be opened.
 */
export async function openSqliteLedger(path: string, options: SqliteLedgerOptions = {}): Promise<AdminLedger> {
  const opened: SqliteDatabase[] = [];
  try {
    // Reads need no lock. They get a connection of their own, so that they never wait for a commit.
    const { rememberedMs = REMEMBERED_MS, busyTimeoutMs = 5000, clock = SYSTEM_CLOCK, onNotice } = options;
    for (let i = 0; i < 2; i++) opened.push(await openDatabase(path, busyTimeoutMs));
    const [writer, reader] = opened as [SqliteDatabase, SqliteDatabase];
    const statements = {
      read: await reader.prepare(SQL.standing),
      standing: await writer.prepare(SQL.standing),
      setBalance: await writer.prepare(SQL.setBalance),
      addEntry: await writer.prepare(SQL.addEntry),
    };
    const lastId = await numberFrom(reader, SQL.lastId);
    const files = new SameFiles(resolve(path));
    if (lastId === 0) onNotice?.(NEW_LEDGER);
    const recent = new RecentEntries(rememberedMs, lastId, clock);
    return new SqliteLedger({ writer, reader, statements, files, busyTimeoutMs, clock }, recent, onNotice);
  } catch (error) {
    for (const database of opened) database.close();
    throw sqliteError(error);
  }
}

interface Parts {
  readonly writer: SqliteDatabase;
  readonly reader: SqliteDatabase;
  /** Prepared statements: `read` on the reader, the others on the writer. */
  readonly statements: Readonly<Record<"read" | "standing" | "setBalance" | "addEntry", Statement>>;
  readonly files: SameFiles;
  readonly busyTimeoutMs: number;
  readonly clock: LedgerClock;
}

/** Whose balance is looked up, and for which request. */
type Standing = Pick<ChargeId, "account"> & Partial<ChargeId>;

class SqliteLedger implements AdminLedger {
  readonly #parts: Parts;
  readonly #holds: Holds;
  readonly #recent: RecentEntries;
  readonly #condition: Condition;
  /** Settles after the last write. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Why the last transaction did not begin. */
  #locked: DecideError | undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: Parts, recent: RecentEntries, onNotice: LedgerOptions["onNotice"]) {
    this.#parts = parts;
    this.#holds = new Holds(parts.clock.steadyMs);
    this.#recent = recent;
    this.#condition = new Condition(onNotice);
  }

  mayCharge(id: ChargeId): Promise<boolean> {
    return this.#use(() => {
      const { balance, isCharged } = this.#standing("read", id);
      return balance > 0 || isCharged;
    });
  }

  hold(request: HoldRequest): Promise<Hold> {
    return this.#use(() => {
      checkHold(request);
      const { balance, isCharged } = this.#standing("read", request);
      return isCharged ? paidHold(request) : this.#holds.add(request, balance);
    });
  }

  charge(charge: Charge, hold?: Hold): Promise<ChargeOutcome> {
    return this.#use(async () => {
      checkCharge(charge);
      const outcome = await this.#write((): ChargeOutcome | LedgerEntry => {
        const { balance, isCharged } = this.#standing("standing", charge);
        if (isCharged) return "taken_before";
        if (charge.nanocredits > balance) return "insufficient";
        return this.#enter(balance, columnsOf(charge));
      });
      // Until here, the hold keeps others from what this charge takes.
      if (hold !== undefined) this.#holds.end(hold);
      return typeof outcome === "string" ? outcome : "taken";
    });
  }

  release(hold: Hold): Promise<void> {
    this.#holds.end(hold);
    return Promise.resolve();
  }

  topUp(account: string, nanocredits: number, note?: string): Promise<LedgerEntry> {
    return this.#use(() => {
      checkTopUp(account, nanocredits, note);
      return this.#write(() => {
        const { balance } = this.#standing("standing", { account });
        return this.#enter(balance, { account, kind: "top_up", nanocredits, note: note ?? null });
      });
    });
  }

  accounts(): Promise<Account[]> {
    return this.#use(async () => {
      const rows = await (await this.#parts.reader.prepare(SQL.accounts)).all([]);
      return rows.map(({ account, balance }) => ({ account: String(account), nanocredits: Number(balance) }));
    });
  }

  async *entries({ account, sinceMs = 0 }: EntryFilter = {}): AsyncGenerator<LedgerEntry> {
    // A statement can serve only one reader at a time, so each call prepares its own.
    const page = await this.#use(() => this.#parts.reader.prepare(SQL.entries));
    const filter = [sinceMs, account ?? null, account ?? null];
    for (let lastId = 0; ;) {
      const rows = await this.#use(() => page.all([lastId, ...filter]));
      for (const row of rows) yield entryOf(row);
      if (rows.length === 0) return;
      lastId = Number(rows.at(-1)?.["id"]);
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    const { reader, writer } = this.#parts;
    await this.#writing;
    reader.close();
    try {
      // Afterwards the file alone is the whole ledger and can be copied. If other processes use it, the last one to close it does this.
      await writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (error) {
      throw sqliteError(error);
    } finally {
      writer.close();
    }
  }

  async #use<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new DecideError("closed", "The ledger of credits has been closed.");
    try {
      this.#checkFiles();
      return await work();
    } catch (error) {
      throw sqliteError(error);
    }
  }

  #checkFiles(): void {
    this.#condition.after(() => {
      this.#parts.files.check();
    });
  }

  /** Runs a write after those before it. @param work returns the entry that it added, or another result */
  #write<T extends LedgerEntry | string>(work: () => T): Promise<T> {
    const askedMs = performance.now();
    const writing = this.#writing.then(async () => {
      // Another process holds the lock. Each write that waits would wait for it anew, one after another.
      if (this.#locked !== undefined && performance.now() - askedMs > this.#parts.busyTimeoutMs) throw this.#locked;
      const result = await this.#transaction(work);
      if (typeof result !== "string") this.#recent.added(Number(result.id));
      return result;
    });
    this.#writing = writing.catch(() => undefined);
    return writing;
  }

  /** Once it resolves, what `work` changed is on the disk, and in the files that others read. */
  async #transaction<T>(work: () => T): Promise<T> {
    const { writer } = this.#parts;
    this.#checkFiles();
    try {
      this.#locked = undefined;
      await writer.exec("BEGIN IMMEDIATE").catch((error: unknown) => {
        throw (this.#locked = sqliteError(error));
      });
      const result = work();
      await writer.exec("COMMIT");
      this.#checkFiles();
      return result;
    } catch (error) {
      // If this fails as well, the next BEGIN fails, too, and this is tried again.
      await rollBack(writer).catch(() => undefined);
      throw error;
    }
  }

  /** The balance of the account, and whether the request, if there is one, was charged before. */
  #standing(statement: "read" | "standing", { account, requestId, bodySha256 }: Standing): { balance: number; isCharged: boolean } {
    const found = this.#parts.statements[statement].get([account, requestId ?? null, bodySha256 ?? null]);
    const { balance = null, id = null, time_ms: timeMs = null } = found ?? {};
    return { balance: Number(balance ?? 0), isCharged: id !== null && this.#recent.has(Number(id), Number(timeMs)) };
  }

  /** Changes a balance and adds the entry that explains it. Must run inside a transaction. */
  #enter(balance: number, change: Change): LedgerEntry {
    const { clock, statements } = this.#parts;
    const balanceAfter = balance + change.nanocredits;
    checkBalance(balanceAfter);
    const row: Row = { ...change, time_ms: clock.timeMs(), balance_after: balanceAfter };
    statements.setBalance.run([change.account, balanceAfter]);
    const { lastInsertRowid } = statements.addEntry.run(COLUMNS.map((column) => row[column] ?? null));
    return entryOf({ ...row, id: lastInsertRowid });
  }
}
