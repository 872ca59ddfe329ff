import type { LedgerEntry } from "../ledger.ts";
import type { Row } from "./sqlite-file.ts";

/** The columns of the table `entries`, without its id. */
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

export type Column = (typeof COLUMNS)[number];

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
