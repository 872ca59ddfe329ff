import { DecideError } from "../../errors.ts";
import type { Charge, ChargeId, ChargeOutcome } from "../../http/billing/credits.ts";
import { GroupCommit } from "./group-commit.ts";
import { REMEMBERED_MS, checkBalance, checkCharge, checkTopUp } from "./ledger.ts";
import type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "./ledger.ts";
import { COLUMNS, SQL, entryOf } from "./sqlite-entries.ts";
import { ledgerError } from "./sqlite-error.ts";
import { connect } from "./sqlite-file.ts";
import type { Connection, Row, SqlValue, Statement } from "./sqlite-file.ts";

export interface SqliteLedgerOptions extends LedgerOptions {
  /** How long to wait for another process that writes, in milliseconds. Default: 5,000. */
  readonly busyTimeoutMs?: number | undefined;
}

type Change = Readonly<Partial<Record<(typeof COLUMNS)[number], SqlValue>>> & { readonly account: string; readonly nanocredits: number };

/**
 * Opens a ledger in an SQLite file on a local disk, and makes it if it is not there. Several processes may use it at once. Needs the package `libsql`.
 *
 * @throws DecideError `backend_unavailable` without that package, or when the file cannot be opened.
 */
export async function openSqliteLedger(path: string, options: SqliteLedgerOptions = {}): Promise<AdminLedger> {
  const connections: Connection[] = [];
  try {
    // Reading needs no lock, and must not wait for a commit: it has a connection of its own.
    for (let i = 0; i < 2; i++) connections.push(await connect(path, options.busyTimeoutMs ?? 5000));
    const [writer, reader] = connections as [Connection, Connection];
    const [reads, writes] = [await prepareReads(reader), await prepareWrites(writer)];
    return new SqliteLedger({ writer, reader, reads, writes, rememberedMs: options.rememberedMs ?? REMEMBERED_MS });
  } catch (error) {
    for (const connection of connections) connection.close();
    throw ledgerError(error);
  }
}

type Reads = Readonly<Record<"balance" | "charged", Statement>>;
type Writes = Reads & Readonly<Record<"setBalance" | "addEntry", Statement>>;

async function prepareReads(connection: Connection): Promise<Reads> {
  return { balance: await connection.prepare(SQL.balance), charged: await connection.prepare(SQL.charged) };
}

async function prepareWrites(connection: Connection): Promise<Writes> {
  const [setBalance, addEntry] = [await connection.prepare(SQL.setBalance), await connection.prepare(SQL.addEntry)];
  return { ...(await prepareReads(connection)), setBalance, addEntry };
}

interface Parts {
  readonly writer: Connection;
  readonly reader: Connection;
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
    // A statement serves one reader at a time.
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
      // Then the file alone is the whole ledger, to be copied. If others still use it, the last of them does it.
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

  /** Changes a balance and writes why, inside a transaction. */
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

function balanceOf({ balance }: Reads, account: string): number {
  return Number(balance.get([account])?.["balance"] ?? 0);
}
