import { resolve } from "node:path";
import { DecideError } from "../../../../errors.ts";
import type { Charge, ChargeId, ChargeOutcome, Hold, HoldRequest } from "../../../billing/credits.ts";
import { checkBalance, checkCharge, checkHold, checkTopUp, Condition, Holds, NEW_LEDGER, paidHold, REMEMBERED_MS } from "../ledger.ts";
import type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "../ledger.ts";
import { RecentEntries, SYSTEM_CLOCK } from "./recent-entries.ts";
import type { LedgerClock } from "./recent-entries.ts";
import { ledgerError, openDatabase, rollBack, SameFiles } from "./sqlite-file.ts";
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
  balance: "SELECT balance FROM accounts WHERE account = ?",
  /** What is known of a request: its account's balance, and the last charge for it. In one statement, because each takes some 20 µs to run. */
  standing: `SELECT balance, id, time_ms FROM (SELECT 1)
    LEFT JOIN accounts ON account = ?1
    LEFT JOIN (SELECT id, time_ms FROM entries
      WHERE kind = 'charge' AND request_id = ?2 AND account = ?1 AND body_sha256 = ?3 ORDER BY id DESC LIMIT 1)`,
  setBalance: "INSERT INTO accounts (account, balance) VALUES (?, ?) ON CONFLICT DO UPDATE SET balance = excluded.balance",
  addEntry: `INSERT INTO entries (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
  lastId: "SELECT coalesce(max(id), 0) AS id FROM entries",
  accounts: "SELECT account, balance FROM accounts ORDER BY account",
  entries: `SELECT id, ${COLUMNS.join(", ")} FROM entries WHERE id > ? AND time_ms >= ? AND (? IS NULL OR account = ?) ORDER BY id LIMIT 500`,
};

/** Prepared statements that only read. */
type Reads = Readonly<Record<"balance" | "standing", Statement>>;
type Writes = Reads & Readonly<Record<"setBalance" | "addEntry", Statement>>;

async function prepareReads(database: SqliteDatabase): Promise<Reads> {
  return { balance: await database.prepare(SQL.balance), standing: await database.prepare(SQL.standing) };
}

async function prepareWrites(database: SqliteDatabase): Promise<Writes> {
  const [setBalance, addEntry] = [await database.prepare(SQL.setBalance), await database.prepare(SQL.addEntry)];
  return { ...(await prepareReads(database)), setBalance, addEntry };
}

function balanceOf({ balance }: Reads, account: string): number {
  return Number(balance.get([account])?.["balance"] ?? 0);
}

export interface SqliteLedgerOptions extends LedgerOptions {
  /** How long to wait while another process writes, in milliseconds. Default: 5,000. */
  readonly busyTimeoutMs?: number | undefined;
  /** Default: the system's. */
  readonly clock?: LedgerClock | undefined;
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
    const [reads, writes] = [await prepareReads(reader), await prepareWrites(writer)];
    const lastId = Number((await reader.prepare(SQL.lastId)).get([])?.["id"]);
    const files = new SameFiles(resolve(path));
    if (lastId === 0) onNotice?.(NEW_LEDGER);
    return new SqliteLedger({ writer, reader, reads, writes, files, lastId, rememberedMs, busyTimeoutMs, clock, onNotice });
  } catch (error) {
    for (const database of opened) database.close();
    throw ledgerError(error);
  }
}

interface Parts {
  readonly writer: SqliteDatabase;
  readonly reader: SqliteDatabase;
  readonly reads: Reads;
  readonly writes: Writes;
  readonly files: SameFiles;
  readonly lastId: number;
  readonly rememberedMs: number;
  readonly busyTimeoutMs: number;
  readonly clock: LedgerClock;
  readonly onNotice: LedgerOptions["onNotice"];
}

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

  constructor(parts: Parts) {
    const { clock, rememberedMs, lastId, onNotice } = parts;
    this.#parts = parts;
    this.#holds = new Holds(clock.steadyMs);
    this.#recent = new RecentEntries(rememberedMs, lastId, clock);
    this.#condition = new Condition(onNotice);
  }

  mayCharge(id: ChargeId): Promise<boolean> {
    const { reads } = this.#parts;
    return this.#use(() => {
      const { balance, isCharged } = this.#standing(reads, id);
      return balance > 0 || isCharged;
    });
  }

  hold(request: HoldRequest): Promise<Hold> {
    const { reads } = this.#parts;
    return this.#use(() => {
      checkHold(request);
      const { balance, isCharged } = this.#standing(reads, request);
      return isCharged ? paidHold(request) : this.#holds.add(request, balance);
    });
  }

  charge(charge: Charge, hold?: Hold): Promise<ChargeOutcome> {
    const { writes } = this.#parts;
    return this.#use(async () => {
      checkCharge(charge);
      const outcome = await this.#write((): ChargeOutcome | LedgerEntry => {
        const { balance, isCharged } = this.#standing(writes, charge);
        if (isCharged) return "taken_before";
        if (charge.nanocredits > balance) return "insufficient";
        return this.#enter(balance, {
          account: charge.account,
          kind: "charge",
          nanocredits: 0 - charge.nanocredits,
          request_id: charge.requestId,
          body_sha256: charge.bodySha256,
          model: charge.model,
          input_tokens: charge.inputTokens,
          output_tokens: charge.outputTokens,
        });
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
      return this.#write(() =>
        this.#enter(balanceOf(this.#parts.writes, account), { account, kind: "top_up", nanocredits, note: note ?? null }),
      );
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
      throw ledgerError(error);
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
      throw ledgerError(error);
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
        throw (this.#locked = ledgerError(error));
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

  /** The balance of the account, and whether the request was charged before. */
  #standing({ standing }: Reads, { requestId, account, bodySha256 }: ChargeId): { readonly balance: number; readonly isCharged: boolean } {
    const { balance = null, id = null, time_ms: timeMs = null } = standing.get([account, requestId, bodySha256]) ?? {};
    return { balance: Number(balance ?? 0), isCharged: id !== null && this.#recent.has(Number(id), Number(timeMs)) };
  }

  /** Changes a balance and adds the entry that explains it. Must run inside a transaction. */
  #enter(balance: number, change: Change): LedgerEntry {
    const { writes } = this.#parts;
    const balanceAfter = balance + change.nanocredits;
    checkBalance(balanceAfter);
    const row: Row = { ...change, time_ms: this.#parts.clock.timeMs(), balance_after: balanceAfter };
    writes.setBalance.run([change.account, balanceAfter]);
    const { lastInsertRowid } = writes.addEntry.run(COLUMNS.map((column) => row[column] ?? null));
    return entryOf({ ...row, id: lastInsertRowid });
  }
}

function entryOf(row: Row): LedgerEntry {
  const { request_id, model, input_tokens, output_tokens, note } = row;
  return {
    id: String(row["id"]),
    timeMs: Number(row["time_ms"]),
    account: String(row["account"]),
    kind: row["kind"] === "charge" ? "charge" : "top_up",
    nanocredits: Number(row["nanocredits"]),
    balanceAfter: Number(row["balance_after"]),
    ...(request_id != null && { requestId: String(request_id) }),
    ...(model != null && { model: String(model) }),
    ...(input_tokens != null && { inputTokens: Number(input_tokens) }),
    ...(output_tokens != null && { outputTokens: Number(output_tokens) }),
    ...(note != null && { note: String(note) }),
  };
}
