import { COLUMNS } from "./sqlite-entries.ts";
import type { SqliteDatabase, Statement } from "./sqlite-file.ts";

export const SQL = {
  balance: "SELECT balance FROM accounts WHERE account = ?",
  charged: `SELECT id, time_ms FROM entries
    WHERE kind = 'charge' AND request_id = ? AND account = ? AND body_sha256 = ? ORDER BY id DESC LIMIT 1`,
  setBalance: "INSERT INTO accounts (account, balance) VALUES (?, ?) ON CONFLICT DO UPDATE SET balance = excluded.balance",
  addEntry: `INSERT INTO entries (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
  lastId: "SELECT coalesce(max(id), 0) AS id FROM entries",
  accounts: "SELECT account, balance FROM accounts ORDER BY account",
  entries: `SELECT id, ${COLUMNS.join(", ")} FROM entries WHERE id > ? AND time_ms >= ? AND (? IS NULL OR account = ?) ORDER BY id LIMIT 500`,
};

/** Prepared statements that only read. */
export type Reads = Readonly<Record<"balance" | "charged", Statement>>;
export type Writes = Reads & Readonly<Record<"setBalance" | "addEntry", Statement>>;

export async function prepareReads(database: SqliteDatabase): Promise<Reads> {
  return { balance: await database.prepare(SQL.balance), charged: await database.prepare(SQL.charged) };
}

export async function prepareWrites(database: SqliteDatabase): Promise<Writes> {
  const [setBalance, addEntry] = [await database.prepare(SQL.setBalance), await database.prepare(SQL.addEntry)];
  return { ...(await prepareReads(database)), setBalance, addEntry };
}

export function balanceOf({ balance }: Reads, account: string): number {
  return Number(balance.get([account])?.["balance"] ?? 0);
}
