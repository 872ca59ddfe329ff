import { DecideError } from "../../errors.ts";
import type { Charge, ChargeId, ChargeOutcome } from "../../http/billing/credits.ts";
import { GroupCommit } from "./group-commit.ts";
import { checkBalance, checkCharge, checkTopUp } from "./ledger-checks.ts";
import { REMEMBERED_MS } from "./ledger.ts";
import type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "./ledger.ts";
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
}

type Change = Readonly<Partial<Record<Column, SqlValue>>> & { readonly account: string; readonly nanocredits: number };

/**
 * Opens a ledger in an SQLite file on a local disk, and creates the file if it does not exist. Several processes may use it at once. Needs the
 * package `libsql`.
 * @throws {DecideError} `backend_unavailable` if that package is missing or the file cannot be opened.
 */
export async function openSqliteLedger(path: string, options: SqliteLedgerOptions = {}): Promise<AdminLedger> {
  const opened: SqliteDatabase[] = [];
  try {
    // Reads need no lock. They get a connection of their own, so that they never wait for a commit.
    for (let i = 0; i < 2; i++) opened.push(await openDatabase(path, options.busyTimeoutMs ?? 5000));
    const [writer, reader] = opened as [SqliteDatabase, SqliteDatabase];
    const [reads, writes] = [await prepareReads(reader), await prepareWrites(writer)];
    return new SqliteLedger({ writer, reader, reads, writes, rememberedMs: options.rememberedMs ?? REMEMBERED_MS });
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
  readonly rememberedMs: number;
}

class SqliteLedger implements AdminLedger {
  readonly #parts: Parts;
  readonly #commits: GroupCommit;
  #closed: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#commits = new GroupCommit(parts.writer);
  }

  mayCharge(id: ChargeId): Promise<boolean> {
    const { reads } = this.#parts;
    return this.#use(() => balanceOf(reads, id.account) > 0 || this.#isCharged(reads, id));
  }

  charge(charge: Charge): Promise<ChargeOutcome> {
    const { writes } = this.#parts;
    return this.#use(() => {
      checkCharge(charge);
      return this.#commits.write(() => {
        if (this.#isCharged(writes, charge)) return "taken_before";
        if (charge.nanocredits > balanceOf(writes, charge.account)) return "insufficient";
        this.#enter({
          account: charge.account,
          kind: "charge",
          nanocredits: 0 - charge.nanocredits,
          request_id: charge.requestId,
          body_sha256: charge.bodySha256,
          model: charge.model,
          input_tokens: charge.inputTokens,
          output_tokens: charge.outputTokens,
        });
        return "taken";
      });
    });
  }

  topUp(account: string, nanocredits: number, note?: string): Promise<LedgerEntry> {
    return this.#use(() => {
      checkTopUp(account, nanocredits, note);
      return this.#commits.write(() => this.#enter({ account, kind: "top_up", nanocredits, note: note ?? null }));
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
      return await work();
    } catch (error) {
      throw ledgerError(error);
    }
  }

  #isCharged({ charged }: Reads, { requestId, account, bodySha256 }: ChargeId): boolean {
    return charged.get([requestId, account, bodySha256, Date.now() - this.#parts.rememberedMs]) !== undefined;
  }

  /** Changes a balance and adds the entry that explains it. Must run inside a transaction. */
  #enter(change: Change): LedgerEntry {
    const { writes } = this.#parts;
    const balanceAfter = balanceOf(writes, change.account) + change.nanocredits;
    checkBalance(balanceAfter);
    const row: Row = { ...change, time_ms: Date.now(), balance_after: balanceAfter };
    writes.setBalance.run([change.account, balanceAfter]);
    const { lastInsertRowid } = writes.addEntry.run(COLUMNS.map((column) => row[column] ?? null));
    return entryOf({ ...row, id: lastInsertRowid });
  }
}
