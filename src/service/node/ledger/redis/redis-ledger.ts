import { createHash, randomUUID } from "node:crypto";
import { MAX_NANOCREDITS } from "../../../billing/credits.ts";
import type { Charge, ChargeId, ChargeOutcome, Hold, HoldRequest } from "../../../billing/credits.ts";
import { checkBalance, checkCharge, checkHold, checkTopUp, paidHold, REMEMBERED_MS } from "../ledger.ts";
import type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "../ledger.ts";
import { BALANCES, CHARGE, CHARGED, ENTRIES, HOLD, HOLDS, MAY_CHARGE, RELEASE, TOP_UP } from "./redis-scripts.ts";
import { RedisStore } from "./redis-store.ts";

export interface RedisLedgerOptions extends LedgerOptions {
  /** Whether to create the ledger; false opens one that is not there as an empty one that can only be read. Default: true. */
  readonly create?: boolean | undefined;
  /** How long to wait for an answer of Redis, in milliseconds, before a call is refused. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds between two looks at what Redis says about itself. Default: 2,000. */
  readonly intervalMs?: number | undefined;
}

const PAGE_ENTRIES = 500;

/**
 * Opens a ledger in Redis 6 or newer, which several servers can share.
 *
 * Redis must not lose what it has acknowledged: set `maxmemory-policy noeviction` and `appendonly yes`, and also `appendfsync always` if a power
 * cut must not lose anything. Leases and remembered requests go by the clock of the Redis server.
 *
 * @param url `redis://` or `rediss://`; needs the package `ioredis`
 * @throws {DecideError} `invalid_request` for an invalid URL; `backend_unavailable` if Redis cannot be reached or may evict keys.
 */
export async function openRedisLedger(url: string, options: RedisLedgerOptions = {}): Promise<AdminLedger> {
  const { create = true, timeoutMs = 2000, intervalMs = 2000, rememberedMs = REMEMBERED_MS, onNotice } = options;
  return new RedisLedger(await RedisStore.open(url, { create, timeoutMs, intervalMs, onNotice }), rememberedMs);
}

class RedisLedger implements AdminLedger {
  readonly #store: RedisStore;
  readonly #rememberedMs: number;
  #closed: Promise<void> | undefined;

  constructor(store: RedisStore, rememberedMs: number) {
    this.#store = store;
    this.#rememberedMs = rememberedMs;
  }

  async mayCharge(id: ChargeId): Promise<boolean> {
    return (await this.#store.run(MAY_CHARGE, [BALANCES, chargedKey(id)], [id.account])) === 1;
  }

  async hold(request: HoldRequest): Promise<Hold> {
    checkHold(request);
    const { account, nanocredits, leaseMs } = request;
    const id = randomUUID();
    const held = await this.#store.run(
      HOLD,
      [BALANCES, chargedKey(request), HOLDS + account],
      [account, String(nanocredits), id, String(leaseMs)],
    );
    if (held === null) return paidHold(request);
    const [available, others] = held as [string, string];
    return { id, account, availableNanocredits: Number(available), othersNanocredits: Number(others), isPaid: false };
  }

  async release({ id, account }: Hold): Promise<void> {
    await this.#store.run(RELEASE, [HOLDS + account], [id]);
  }

  async charge(charge: Charge, hold?: Hold): Promise<ChargeOutcome> {
    checkCharge(charge);
    const { account, nanocredits } = charge;
    const fields = fieldsOf({
      account,
      kind: "charge",
      nanocredits: 0 - nanocredits,
      request_id: charge.requestId,
      body_sha256: charge.bodySha256,
      model: charge.model,
      input_tokens: charge.inputTokens,
      output_tokens: charge.outputTokens,
    });
    const keys = [BALANCES, ENTRIES, chargedKey(charge), HOLDS + account];
    const limits = [String(nanocredits), String(this.#rememberedMs), hold?.id ?? ""];
    return (await this.#store.run(CHARGE, keys, [account, ...limits, ...fields])) as ChargeOutcome;
  }

  async topUp(account: string, nanocredits: number, note?: string): Promise<LedgerEntry> {
    checkTopUp(account, nanocredits, note);
    const fields = { account, kind: "top_up", nanocredits: String(nanocredits), ...(note !== undefined && { note }) };
    const limits = [String(nanocredits), String(MAX_NANOCREDITS)];
    const added = await this.#store.run(TOP_UP, [BALANCES, ENTRIES], [account, ...limits, ...fieldsOf(fields)]);
    if (added === null) checkBalance(Infinity);
    const [id, balanceAfter] = added as [string, string];
    return entryOf(id, { ...fields, balance_after: balanceAfter });
  }

  async accounts(): Promise<Account[]> {
    const balances = await this.#store.use((client) => client.hgetall(BALANCES));
    return Object.entries(balances)
      .map(([account, balance]) => ({ account, nanocredits: Number(balance) }))
      .sort((a, b) => (a.account < b.account ? -1 : 1));
  }

  async *entries({ account, sinceMs = 0 }: EntryFilter = {}): AsyncGenerator<LedgerEntry> {
    // An id starts with the milliseconds at which its entry was added.
    for (let start = String(sinceMs); ;) {
      const page = await this.#store.use((client) => client.xrange(ENTRIES, start, "+", "COUNT", PAGE_ENTRIES));
      for (const [id, values] of page) {
        const fields = namedFields(values);
        if (account === undefined || fields["account"] === account) yield entryOf(id, fields);
      }
      const last = page.at(-1);
      if (last === undefined) return;
      start = `(${last[0]}`;
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#store.close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The key that remembers a charged request. */
function chargedKey({ account, requestId, bodySha256 }: ChargeId): string {
  const hash = createHash("sha256").update(JSON.stringify([account, requestId, bodySha256]));
  return CHARGED + hash.digest("hex");
}

/** Names and values as a flat list, as XADD takes them. */
function fieldsOf(values: { readonly [name: string]: string | number }): string[] {
  return Object.entries(values).flatMap(([name, value]) => [name, String(value)]);
}

/** The reverse of `fieldsOf`. */
function namedFields(values: readonly string[]): { readonly [field: string]: string } {
  return Object.fromEntries(values.flatMap((name, i) => (i % 2 === 0 ? [[name, values[i + 1] ?? ""]] : [])));
}

/** An entry of the stream. Its id starts with the milliseconds at which it was added. */
function entryOf(id: string, fields: { readonly [field: string]: string }): LedgerEntry {
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
