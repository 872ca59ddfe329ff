import { resolve } from "node:path";
import { DecideError } from "../../../../errors.ts";
import type { Charge, ChargeId, ChargeOutcome, Hold, HoldRequest } from "../../../billing/credits.ts";
import { Condition } from "../condition.ts";
import { GroupCommit } from "./group-commit.ts";
import { Holds, paidHold } from "../holds.ts";
import { checkBalance, checkCharge, checkHold, checkTopUp } from "../ledger-checks.ts";
import { NEW_LEDGER, REMEMBERED_MS } from "../ledger.ts";
import type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "../ledger.ts";
import { RecentEntries, SYSTEM_CLOCK } from "./recent-entries.ts";
import type { LedgerClock } from "./recent-entries.ts";
import { SameFiles } from "./same-files.ts";
import { COLUMNS, entryOf } from "./sqlite-entries.ts";
import type { Column } from "./sqlite-entries.ts";
import { ledgerError } from "./sqlite-error.ts";
import { openDatabase } from "./sqlite-file.ts";
import type { Row, SqlValue, SqliteDatabase } from "./sqlite-file.ts";
import { SQL, balanceOf, prepareReads, prepareWrites } from "./sqlite-statements.ts";
import type { Reads, Writes } from "./sqlite-statements.ts";

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
    for (let i = 0; i < 2; i++) opened.push(await openDatabase(path, options.busyTimeoutMs ?? 5000));
    const [writer, reader] = opened as [SqliteDatabase, SqliteDatabase];
    const [reads, writes] = [await prepareReads(reader), await prepareWrites(writer)];
    const { rememberedMs = REMEMBERED_MS, clock = SYSTEM_CLOCK, onNotice } = options;
    const lastId = Number((await reader.prepare(SQL.lastId)).get([])?.["id"]);
    const files = new SameFiles(resolve(path));
    if (lastId === 0) onNotice?.(NEW_LEDGER);
    return new SqliteLedger({ writer, reader, reads, writes, files, lastId, rememberedMs, clock, onNotice });
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
  readonly clock: LedgerClock;
  readonly onNotice: LedgerOptions["onNotice"];
}

class SqliteLedger implements AdminLedger {
  readonly #parts: Parts;
  readonly #commits: GroupCommit;
  readonly #holds: Holds;
  readonly #recent: RecentEntries;
  readonly #condition: Condition;
  #closed: Promise<void> | undefined;

  constructor(parts: Parts) {
    const { writer, clock, rememberedMs, lastId, onNotice } = parts;
    this.#parts = parts;
    this.#commits = new GroupCommit(writer, () => {
      this.#checkFiles();
    });
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
    await this.#commits.idle();
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

  /** @param work returns the entry that it added, or another result */
  async #write<T extends LedgerEntry | string>(work: () => T): Promise<T> {
    const result = await this.#commits.write(work);
    if (typeof result !== "string") this.#recent.added(Number(result.id));
    return result;
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
