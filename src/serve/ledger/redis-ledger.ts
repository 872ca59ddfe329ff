import { createHash } from "node:crypto";
import { DecideError } from "../../errors.ts";
import { MAX_NANOCREDITS } from "../../http/billing/credits.ts";
import type { Charge, ChargeId, ChargeOutcome } from "../../http/billing/credits.ts";
import { REMEMBERED_MS, checkBalance, checkCharge, checkTopUp } from "./ledger.ts";
import type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "./ledger.ts";
import { TimedOut, connectRedis, redisError, withinTime } from "./redis-client.ts";
import type { OwnRedisClient, RedisClient } from "./redis-client.ts";
import { BALANCES, CHARGE, CHARGED, ENTRIES, MAY_CHARGE, TOP_UP } from "./redis-scripts.ts";

export interface RedisLedgerOptions extends LedgerOptions {
  /** How long to wait for an answer, in milliseconds; then the call is refused. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
}

const PAGE_ENTRIES = 500;

/**
 * Opens a ledger in Redis 6 or newer, for more than one server. The place is a `redis://` or `rediss://` URL, which needs the package `redis`, or a
 * connected client of that package (a cluster's, too), which stays its owner's to close.
 *
 * What Redis has answered it must not lose: give it `appendonly yes` (and `appendfsync always`, if a power cut may lose nothing either) and
 * `maxmemory-policy noeviction`.
 *
 * @throws DecideError `backend_unavailable` when Redis cannot be reached, or may evict keys.
 */
export async function openRedisLedger(place: string | RedisClient, options: RedisLedgerOptions = {}): Promise<AdminLedger> {
  const { timeoutMs = 2000, rememberedMs = REMEMBERED_MS } = options;
  if (typeof place !== "string") return new RedisLedger({ client: place, timeoutMs, rememberedMs });
  const own = await connectRedis(place, timeoutMs);
  return new RedisLedger({ client: own, own, timeoutMs, rememberedMs });
}

interface Parts {
  readonly client: RedisClient;
  /** The same, if it is the ledger's own. */
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
    const entry = { account, kind: "top_up", nanocredits, ...(note !== undefined && { note }) };
    const limits = [String(nanocredits), String(MAX_NANOCREDITS)];
    const added = await this.#run(TOP_UP, [BALANCES, ENTRIES], [account, ...limits, ...fieldsOf(entry)]);
    if (added === null) checkBalance(Infinity);
    const [id, balanceAfter] = added as [string, string];
    return entryOf(id, {
      account,
      kind: "top_up",
      nanocredits: String(nanocredits),
      balance_after: balanceAfter,
      ...(note !== undefined && { note }),
    });
  }

  async accounts(): Promise<Account[]> {
    const balances = await this.#use((client) => client.hGetAll(BALANCES));
    return Object.entries(balances)
      .map(([account, balance]) => ({ account, nanocredits: Number(balance) }))
      .sort((a, b) => (a.account < b.account ? -1 : 1));
  }

  async *entries({ account, sinceMs = 0 }: EntryFilter = {}): AsyncGenerator<LedgerEntry> {
    // An entry's id begins with the milliseconds at which it was made.
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
    const answer = withinTime(ask(client), timeoutMs);
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

function chargedKey({ account, requestId, bodySha256 }: ChargeId): string {
  return (
    CHARGED +
    createHash("sha256")
      .update(JSON.stringify([account, requestId, bodySha256]))
      .digest("hex")
  );
}

function fieldsOf(values: { readonly [name: string]: string | number }): string[] {
  return Object.entries(values).flatMap(([name, value]) => [name, String(value)]);
}

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
