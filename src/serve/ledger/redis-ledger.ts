import { TimedOut, settledWithin } from "../../async/timeout.ts";
import { DecideError } from "../../errors.ts";
import { MAX_NANOCREDITS } from "../../http/billing/credits.ts";
import type { Charge, ChargeId, ChargeOutcome } from "../../http/billing/credits.ts";
import { checkBalance, checkCharge, checkTopUp } from "./ledger-checks.ts";
import { REMEMBERED_MS } from "./ledger.ts";
import type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "./ledger.ts";
import { connectRedis } from "./redis-client.ts";
import type { OwnRedisClient, RedisClient } from "./redis-client.ts";
import { chargedKey, entryOf, fieldsOf } from "./redis-entries.ts";
import { redisError } from "./redis-error.ts";
import { BALANCES, CHARGE, ENTRIES, MAY_CHARGE, TOP_UP } from "./redis-scripts.ts";

export interface RedisLedgerOptions extends LedgerOptions {
  /** How long to wait for an answer of Redis, in milliseconds, before a call is refused. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
}

const PAGE_ENTRIES = 500;

/**
 * Opens a ledger in Redis 6 or newer, which several servers can share.
 *
 * Redis must not lose what it has acknowledged: set `maxmemory-policy noeviction` and `appendonly yes`, and also `appendfsync always` if a power
 * cut must not lose anything.
 *
 * @param place a `redis://` or `rediss://` URL, which needs the package `redis`; or a connected client of that package (also of a cluster), which
 *   the caller closes
 * @throws {DecideError} `invalid_request` for an invalid URL; `backend_unavailable` if Redis cannot be reached or may evict keys.
 */
export async function openRedisLedger(place: string | RedisClient, options: RedisLedgerOptions = {}): Promise<AdminLedger> {
  const { timeoutMs = 2000, rememberedMs = REMEMBERED_MS } = options;
  if (typeof place !== "string") return new RedisLedger({ client: place, timeoutMs, rememberedMs });
  const own = await connectRedis(place, timeoutMs);
  return new RedisLedger({ client: own, own, timeoutMs, rememberedMs });
}

interface Parts {
  readonly client: RedisClient;
  /** The same client, if the ledger created it. */
  readonly own?: OwnRedisClient;
  readonly timeoutMs: number;
  readonly rememberedMs: number;
}

class RedisLedger implements AdminLedger {
  readonly #parts: Parts;
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async mayCharge(id: ChargeId): Promise<boolean> {
    return (await this.#run(MAY_CHARGE, [BALANCES, chargedKey(id)], [id.account])) === 1;
  }

  async charge(charge: Charge): Promise<ChargeOutcome> {
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
    const limits = [String(nanocredits), String(this.#parts.rememberedMs)];
    const outcome = await this.#run(CHARGE, [BALANCES, ENTRIES, chargedKey(charge)], [account, ...limits, ...fields]);
    return outcome as ChargeOutcome;
  }

  async topUp(account: string, nanocredits: number, note?: string): Promise<LedgerEntry> {
    checkTopUp(account, nanocredits, note);
    const fields = { account, kind: "top_up", nanocredits: String(nanocredits), ...(note !== undefined && { note }) };
    const limits = [String(nanocredits), String(MAX_NANOCREDITS)];
    const added = await this.#run(TOP_UP, [BALANCES, ENTRIES], [account, ...limits, ...fieldsOf(fields)]);
    if (added === null) checkBalance(Infinity);
    const [id, balanceAfter] = added as [string, string];
    return entryOf(id, { ...fields, balance_after: balanceAfter });
  }

  async accounts(): Promise<Account[]> {
    const balances = await this.#use((client) => client.hGetAll(BALANCES));
    return Object.entries(balances)
      .map(([account, balance]) => ({ account, nanocredits: Number(balance) }))
      .sort((a, b) => (a.account < b.account ? -1 : 1));
  }

  async *entries({ account, sinceMs = 0 }: EntryFilter = {}): AsyncGenerator<LedgerEntry> {
    // An id starts with the milliseconds at which its entry was added.
    for (let start = String(sinceMs); ;) {
      const page = (await this.#use((client) => client.xRange(ENTRIES, start, "+", { COUNT: PAGE_ENTRIES }))) ?? [];
      for (const { id, message } of page) if (account === undefined || message["account"] === account) yield entryOf(id, message);
      const last = page.at(-1);
      if (last === undefined) return;
      start = `(${last.id}`;
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
    await Promise.allSettled(this.#running);
    this.#parts.own?.end();
  }

  #run(script: string, keys: string[], args: string[]): Promise<unknown> {
    return this.#use((client) => client.eval(script, { keys, arguments: args }));
  }

  async #use<T>(ask: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new DecideError("closed", "The ledger of credits has been closed.");
    const { client, own, timeoutMs } = this.#parts;
    const answer = settledWithin(timeoutMs, ask(client));
    this.#running.add(answer);
    try {
      return await answer;
    } catch (error) {
      if (error instanceof TimedOut) own?.reconnect();
      throw redisError(error);
    } finally {
      this.#running.delete(answer);
    }
  }
}
