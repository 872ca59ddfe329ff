import { createHash } from "node:crypto";
import type { ChargeId } from "../../../http/billing/credits.ts";
import type { LedgerEntry } from "../ledger.ts";
import { CHARGED } from "./redis-scripts.ts";

/** The key that remembers a charged request. */
export function chargedKey({ account, requestId, bodySha256 }: ChargeId): string {
  const hash = createHash("sha256").update(JSON.stringify([account, requestId, bodySha256]));
  return CHARGED + hash.digest("hex");
}

/** Names and values as a flat list, as XADD takes them. */
export function fieldsOf(values: { readonly [name: string]: string | number }): string[] {
  return Object.entries(values).flatMap(([name, value]) => [name, String(value)]);
}

/** An entry of the stream. Its id starts with the milliseconds at which it was added. */
export function entryOf(id: string, fields: { readonly [field: string]: string }): LedgerEntry {
  const { account = "", kind, nanocredits, balance_after, request_id, model, input_tokens, output_tokens, note } = fields;
  return {
    id,
    timeMs: Number(id.slice(0, id.indexOf("-"))),
    account,
    kind: kind === "charge" ? "charge" : "top_up",
    nanocredits: Number(nanocredits),
    balanceAfter: Number(balance_after),
    ...(request_id !== undefined && { requestId: request_id }),
    ...(model !== undefined && { model }),
    ...(input_tokens !== undefined && { inputTokens: Number(input_tokens) }),
    ...(output_tokens !== undefined && { outputTokens: Number(output_tokens) }),
    ...(note !== undefined && { note }),
  };
}
