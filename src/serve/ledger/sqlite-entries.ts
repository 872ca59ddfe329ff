import type { LedgerEntry } from "./ledger.ts";
import type { Row } from "./sqlite-file.ts";

/** Of the table `entries`, without its id. */
export const COLUMNS = [
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

export const SQL = {
  balance: "SELECT balance FROM accounts WHERE account = ?",
  charged: "SELECT 1 AS found FROM entries WHERE kind = 'charge' AND request_id = ? AND account = ? AND body_sha256 = ? AND time_ms > ?",
  setBalance: "INSERT INTO accounts (account, balance) VALUES (?, ?) ON CONFLICT DO UPDATE SET balance = excluded.balance",
  addEntry: `INSERT INTO entries (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
  accounts: "SELECT account, balance FROM accounts ORDER BY account",
  entries: `SELECT id, ${COLUMNS.join(", ")} FROM entries WHERE id > ? AND time_ms >= ? AND (? IS NULL OR account = ?) ORDER BY id LIMIT 500`,
};

export function entryOf(row: Row): LedgerEntry {
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
