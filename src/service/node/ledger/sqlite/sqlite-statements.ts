import { COLUMNS } from "./sqlite-entries.ts";
import type { SqliteDatabase, Statement } from "./sqlite-file.ts";

export const SQL = {
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
export type Reads = Readonly<Record<"balance" | "standing", Statement>>;
export type Writes = Reads & Readonly<Record<"setBalance" | "addEntry", Statement>>;

export async function prepareReads(database: SqliteDatabase): Promise<Reads> {
  return { balance: await database.prepare(SQL.balance), standing: await database.prepare(SQL.standing) };
}

export async function prepareWrites(database: SqliteDatabase): Promise<Writes> {
  const [setBalance, addEntry] = [await database.prepare(SQL.setBalance), await database.prepare(SQL.addEntry)];
  return { ...(await prepareReads(database)), setBalance, addEntry };
}

export function balanceOf({ balance }: Reads, account: string): number {
  return Number(balance.get([account])?.["balance"] ?? 0);
}
