import { resolve } from "node:path";
import { DecideError } from "../../../../errors.ts";
import type { ChargeId, ChargeOutcome } from "../../../billing/credits.ts";
import { checkBalance, checkCharge, checkHold, checkTopUp, columnsOf, Condition, entryOf } from "../ledger.ts";
import { NEW_LEDGER, paidHold, REMEMBERED_MS } from "../ledger.ts";
import type { AdminLedger, LedgerEntry, LedgerOptions } from "../ledger.ts";
import { recentEntries, SYSTEM_CLOCK, type LedgerClock, type RecentEntries } from "./recent-entries.ts";
import { sqliteError, numberFrom, openDatabase, transaction, watchFiles } from "./sqlite-file.ts";
import type { Row, SqliteDatabase, Statement } from "./sqlite-file.ts";

/** Of the table `entries`, without its id. */
const COLUMN_LIST = "time_ms, account, kind, nanocredits, balance_after, request_id, body_sha256, model, input_tokens, output_tokens, note";
const COLUMNS = COLUMN_LIST.split(", ");

const SQL = {
  /** A request's standing: its account's balance, and the last charge for it. In one statement, because each takes some 20 µs to run. */
  standing: `SELECT balance, id, time_ms FROM (SELECT 1)
    LEFT JOIN accounts ON account = ?1
    LEFT JOIN (SELECT id, time_ms FROM entries
      WHERE kind = 'charge' AND request_id = ?2 AND account = ?1 AND body_sha256 = ?3 ORDER BY id DESC LIMIT 1)`,
  setBalance: "INSERT INTO accounts (account, balance) VALUES (?, ?) ON CONFLICT DO UPDATE SET balance = excluded.balance",
  addEntry: `INSERT INTO entries (${COLUMN_LIST}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
  lastId: "SELECT coalesce(max(id), 0) FROM entries",
  accounts: "SELECT account, balance FROM accounts ORDER BY account",
  entries: `SELECT id, ${COLUMN_LIST} FROM entries WHERE id > ? AND time_ms >= ? AND (? IS NULL OR account = ?) ORDER BY id LIMIT 500`,
};

interface SqliteLedgerOptions extends LedgerOptions {
  /** How long to wait while another process writes, in milliseconds. Default: 5,000. */
  readonly busyTimeoutMs?: number;
  /** Default: the system's. */
  readonly clock?: LedgerClock;
}

/**
 * Opens a ledger in an SQLite file on a local disk, and creates the file if it does not exist. Several processes may use it at once; each knows only
 * what it holds back itself, so one server should have the file to itself. Needs the package `libsql`.
 * @throws {DecideError} `backend_unavailable` if that package is missing or the file cannot be opened.
 */
export async function openSqliteLedger(path: string, options: SqliteLedgerOptions = {}): Promise<AdminLedger> {
  const opened: SqliteDatabase[] = [];
  try {
    const { rememberedMs = REMEMBERED_MS, busyTimeoutMs = 5000, clock = SYSTEM_CLOCK, onNotice } = options;
    // Reads need no lock. They get a connection of their own, so that they never wait for a commit.
    for (let i = 0; i < 2; i++) opened.push(await openDatabase(path, busyTimeoutMs));
    const [writer, reader] = opened as [SqliteDatabase, SqliteDatabase];
    const statements = {
      read: await reader.prepare(SQL.standing),
      standing: await writer.prepare(SQL.standing),
      setBalance: await writer.prepare(SQL.setBalance),
      addEntry: await writer.prepare(SQL.addEntry),
    };
    const lastId = await numberFrom(reader, SQL.lastId);
    const problemOfFiles = watchFiles(resolve(path));
    if (lastId === 0) onNotice?.(NEW_LEDGER);
    const recent = recentEntries(rememberedMs, lastId, clock);
    return sqliteLedger({ writer, reader, statements, problemOfFiles, busyTimeoutMs, clock, recent, condition: new Condition(onNotice) });
  } catch (error) {
    for (const database of opened) database.close();
    throw sqliteError(error);
  }
}

interface Parts {
  readonly writer: SqliteDatabase;
  readonly reader: SqliteDatabase;
  /** Prepared: `read` on the reader, the others on the writer. */
  readonly statements: Readonly<Record<"read" | "standing" | "setBalance" | "addEntry", Statement>>;
  readonly problemOfFiles: () => DecideError | undefined;
  readonly busyTimeoutMs: number;
  readonly clock: LedgerClock;
  readonly recent: RecentEntries;
  readonly condition: Condition;
}

function sqliteLedger({ writer, reader, statements, problemOfFiles, busyTimeoutMs, clock, recent, condition }: Parts): AdminLedger {
  /** Amounts that are held back, by the hold's id: in memory, so they end with the process at the latest. */
  const held = new Map<string, { readonly account: string; readonly nanocredits: number; readonly endsMs: number }>();
  let lastHold = 0;
  /** Settles after the last write. */
  let written: Promise<unknown> = Promise.resolve();
  /** Why the last transaction did not begin. */
  let locked: DecideError | undefined;
  let closed: Promise<void> | undefined;

  async function use<T>(work: () => T | Promise<T>): Promise<T> {
    if (closed !== undefined) throw new DecideError("closed", "The ledger of credits has been closed.");
    try {
      checkFiles();
      return await work();
    } catch (error) {
      throw sqliteError(error);
    }
  }

  function checkFiles(): void {
    condition.note(problemOfFiles());
    condition.check();
  }

  /**
   * Runs a write after those before it. Once it resolves, what `work` changed is on the disk, and in the files that others read.
   * @param work returns the entry that it added, or another result
   */
  function write<T extends LedgerEntry | string>(work: () => T): Promise<T> {
    const askedMs = performance.now();
    const writing = written.then(async () => {
      // Another process holds the lock. Each write that waits would wait for it anew, one after another.
      if (locked !== undefined && performance.now() - askedMs > busyTimeoutMs) throw locked;
      checkFiles();
      locked = undefined;
      let hasBegun = false;
      const result = await transaction(writer, () => {
        hasBegun = true;
        return work();
      }).catch((error: unknown) => {
        if (!hasBegun) locked = sqliteError(error);
        throw error;
      });
      checkFiles();
      if (typeof result !== "string") recent.added(Number(result.id));
      return result;
    });
    written = writing.catch(() => undefined);
    return writing;
  }

  /** The balance of the account, and whether the request, if there is one, was charged before. */
  function standingOf(
    statement: Statement,
    account: string,
    request?: ChargeId,
  ): { readonly balance: number; readonly isCharged: boolean } {
    const found = statement.get([account, request?.requestId ?? null, request?.bodySha256 ?? null]);
    const { balance = null, id = null, time_ms: timeMs = null } = found ?? {};
    return { balance: Number(balance ?? 0), isCharged: id !== null && recent.has(Number(id), Number(timeMs)) };
  }

  /** Changes a balance and adds the entry that explains it. Must run inside a transaction. */
  function enter(balance: number, change: Row & { readonly account: string; readonly nanocredits: number }): LedgerEntry {
    const balanceAfter = balance + change.nanocredits;
    checkBalance(balanceAfter);
    const row: Row = { ...change, time_ms: clock.timeMs(), balance_after: balanceAfter };
    statements.setBalance.run([change.account, balanceAfter]);
    const { lastInsertRowid } = statements.addEntry.run(COLUMNS.map((column) => row[column] ?? null));
    return entryOf({ ...row, id: lastInsertRowid });
  }

  function heldBy(account: string): number {
    let sum = 0;
    for (const [id, hold] of held) {
      if (hold.endsMs <= clock.steadyMs()) held.delete(id);
      else if (hold.account === account) sum += hold.nanocredits;
    }
    return sum;
  }

  async function end(): Promise<void> {
    await written;
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

  const close = (): Promise<void> => (closed ??= end());
  return {
    close,
    [Symbol.asyncDispose]: close,

    mayCharge: (id) =>
      use(() => {
        const { balance, isCharged } = standingOf(statements.read, id.account, id);
        return balance > 0 || isCharged;
      }),

    hold: (request) =>
      use(() => {
        checkHold(request);
        const { account, nanocredits, leaseMs } = request;
        const { balance, isCharged } = standingOf(statements.read, account, request);
        if (isCharged) return paidHold(request);
        const others = heldBy(account);
        // Another process may have spent what is held here.
        const available = Math.max(0, balance - others);
        const id = String(++lastHold);
        held.set(id, { account, nanocredits: Math.min(nanocredits, available), endsMs: clock.steadyMs() + leaseMs });
        return { id, account, availableNanocredits: available, othersNanocredits: others, isPaid: false };
      }),

    charge: (charge, hold) =>
      use(async () => {
        checkCharge(charge);
        const outcome = await write((): ChargeOutcome | LedgerEntry => {
          const { balance, isCharged } = standingOf(statements.standing, charge.account, charge);
          if (isCharged) return "taken_before";
          if (charge.nanocredits > balance) return "insufficient";
          return enter(balance, columnsOf(charge));
        });
        // Until here, the hold keeps others from what this charge takes.
        if (hold !== undefined) held.delete(hold.id);
        return typeof outcome === "string" ? outcome : "taken";
      }),

    release(hold) {
      held.delete(hold.id);
      return Promise.resolve();
    },

    topUp: (account, nanocredits, note) =>
      use(() => {
        checkTopUp(account, nanocredits, note);
        return write(() => {
          const { balance } = standingOf(statements.standing, account);
          return enter(balance, { account, kind: "top_up", nanocredits, note: note ?? null });
        });
      }),

    accounts: () =>
      use(async () => {
        const rows = await (await reader.prepare(SQL.accounts)).all([]);
        return rows.map(({ account, balance }) => ({ account: String(account), nanocredits: Number(balance) }));
      }),

    async *entries({ account, sinceMs = 0 } = {}) {
      // A statement can serve only one reader at a time, so each call prepares its own.
      const page = await use(() => reader.prepare(SQL.entries));
      for (let lastId = 0; ;) {
        const rows = await use(() => page.all([lastId, sinceMs, account ?? null, account ?? null]));
        for (const row of rows) yield entryOf(row);
        if (rows.length === 0) return;
        lastId = Number(rows.at(-1)?.["id"]);
      }
    },
  };
}
