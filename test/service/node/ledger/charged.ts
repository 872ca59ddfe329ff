import Database from "libsql";
import type { DecideResponse } from "umpire";
import type { AdminLedger, LedgerEntry } from "umpire/serve";
import { expect } from "vitest";
import { costOf } from "./paying-clients.ts";
import type { PaidRequest } from "./paying-clients.ts";

/** The ids of the requests that a ledger has charged. Checks that each is charged once and at the right cost, and that the balances add up. */
export async function chargedOnce(
  ledger: AdminLedger,
  requests: readonly PaidRequest[],
  answers: ReadonlyMap<string, DecideResponse>,
): Promise<Set<string>> {
  const sums = new Map<string, number>();
  const charges: LedgerEntry[] = [];
  for await (const entry of ledger.entries()) {
    sums.set(entry.account, (sums.get(entry.account) ?? 0) + entry.nanocredits);
    expect(entry.balanceAfter).toBe(sums.get(entry.account));
    if (entry.kind === "charge") charges.push(entry);
  }
  const byId = new Map(requests.map((request) => [request.id, request]));
  const ids = new Set<string>();
  for (const { requestId = "", account, nanocredits } of charges) {
    expect(ids.has(requestId), `${requestId} is charged twice`).toBe(false);
    ids.add(requestId);
    const request = byId.get(requestId);
    const answer = answers.get(request?.state ?? "");
    expect({ account, nanocredits }).toEqual({ account: request?.account, nanocredits: answer && -costOf(answer) });
  }
  for (const { account, nanocredits } of await ledger.accounts()) expect(nanocredits).toBe(sums.get(account));
  return ids;
}

/** The result of SQLite's check of a whole file: "ok", or the damage. */
export function integrityOf(path: string): string {
  const database = new Database(path);
  try {
    return (database.prepare("PRAGMA integrity_check").get([]) as { readonly integrity_check: string }).integrity_check;
  } finally {
    database.close();
  }
}
