import { createHash, randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { DecideError } from "../../../../errors.ts";
import { settledWithin, TimedOut } from "../../../../library/async/signals.ts";
import { MAX_NANOCREDITS, type Charge, type ChargeId, type ChargeOutcome, type Hold, type HoldRequest } from "../../../billing/credits.ts";
import {
  checkBalance,
  checkCharge,
  checkHold,
  checkTopUp,
  columnsOf,
  Condition,
  entryOf,
  NEW_LEDGER,
  paidHold,
  REMEMBERED_MS,
} from "../ledger.ts";
import type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "../ledger.ts";
import { watch, type Watcher } from "../../../../files/watch.ts";
import {
  connect,
  isLost,
  redisError,
  BALANCES,
  CHARGE,
  CHARGED,
  ENTRIES,
  HOLD,
  HOLDS,
  LEDGER,
  MAY_CHARGE,
  OPEN,
  RELEASE,
  STATE,
  TOP_UP,
} from "./redis-client.ts";

interface RedisLedgerOptions extends LedgerOptions {
  /** Whether to create the ledger; false opens one that is not there as an empty one that can only be read. Default: true. */
  readonly create?: boolean;
  /** How long to wait for an answer of Redis, in milliseconds, before a call is refused. Default: 2,000. */
  readonly timeoutMs?: number;
  /** Milliseconds between two looks at what Redis says about itself. Default: 2,000. */
  readonly intervalMs?: number;
}

const DEFAULTS = { create: true, timeoutMs: 2000, intervalMs: 2000, rememberedMs: REMEMBERED_MS };
const PAGE_ENTRIES = 500;

const MAY_EVICT = "The Redis server may evict keys, and credits with them. Set its maxmemory-policy to noeviction.";
const KEEPS_NO_LOG =
  "The Redis server that holds the credits keeps no append-only file: charges since its last snapshot are lost when it ends. Set appendonly to yes.";

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
  const all = { ...DEFAULTS, ...options };
  const ledger = new RedisLedger(await connect(url, all.timeoutMs), all);
  try {
    await ledger.open();
  } catch (error) {
    await ledger.close();
    throw error;
  }
  return ledger;
}

/** Notices when Redis may no longer hold the ledger, or no longer does. */
class RedisLedger implements AdminLedger {
  readonly #client: Redis;
  readonly #options: typeof DEFAULTS & LedgerOptions;
  readonly #running = new Set<Promise<unknown>>();
  readonly #condition: Condition;
  /** The ledger's id, by which we notice that Redis lost it. */
  #id = "";
  #warning: string | undefined;
  #watcher: Watcher | undefined;
  #closed: Promise<void> | undefined;

  constructor(client: Redis, options: typeof DEFAULTS & LedgerOptions) {
    this.#client = client;
    this.#options = options;
    this.#condition = new Condition(options.onNotice);
  }

  /** @throws {DecideError} `backend_unavailable` if Redis may evict keys. */
  async open(): Promise<void> {
    const newId = this.#options.create ? randomUUID() : "";
    this.#id = String(await this.#eval(OPEN, [LEDGER], [newId]));
    if (this.#id === "") return;
    const tell = await this.#look();
    tell();
    if (this.#condition.problem !== undefined) throw this.#condition.problem;
    if (this.#id === newId) this.#options.onNotice?.(NEW_LEDGER);
    // While Redis cannot be reached, every call says so.
    this.#watcher = watch(() => this.#look().catch(() => () => undefined), this.#options.intervalMs);
  }

  async mayCharge(id: ChargeId): Promise<boolean> {
    return (await this.#run(MAY_CHARGE, [BALANCES, chargedKey(id)], [id.account])) === 1;
  }

  async hold(request: HoldRequest): Promise<Hold> {
    checkHold(request);
    const { account, nanocredits, leaseMs } = request;
    const id = randomUUID();
    const keys = [BALANCES, chargedKey(request), HOLDS + account];
    const held = await this.#run(HOLD, keys, [account, String(nanocredits), id, String(leaseMs)]);
    if (held === null) return paidHold(request);
    const [available, others] = held as [string, string];
    return { id, account, availableNanocredits: Number(available), othersNanocredits: Number(others), isPaid: false };
  }

  async release({ id, account }: Hold): Promise<void> {
    await this.#run(RELEASE, [HOLDS + account], [id]);
  }

  async charge(charge: Charge, hold?: Hold): Promise<ChargeOutcome> {
    checkCharge(charge);
    const { account, nanocredits } = charge;
    const keys = [BALANCES, ENTRIES, chargedKey(charge), HOLDS + account];
    const limits = [String(nanocredits), String(this.#options.rememberedMs), hold?.id ?? ""];
    return (await this.#run(CHARGE, keys, [account, ...limits, ...fieldsOf(columnsOf(charge))])) as ChargeOutcome;
  }

  async topUp(account: string, nanocredits: number, note?: string): Promise<LedgerEntry> {
    checkTopUp(account, nanocredits, note);
    const fields = { account, kind: "top_up", nanocredits, ...(note !== undefined && { note }) };
    const limits = [String(nanocredits), String(MAX_NANOCREDITS)];
    const added = await this.#run(TOP_UP, [BALANCES, ENTRIES], [account, ...limits, ...fieldsOf(fields)]);
    if (added === null) checkBalance(Infinity);
    const [id, balanceAfter] = added as [string, string];
    return entryAt(id, { ...fields, balance_after: balanceAfter });
  }

  async accounts(): Promise<Account[]> {
    const balances = await this.#use((client) => client.hgetall(BALANCES));
    return Object.entries(balances)
      .map(([account, balance]) => ({ account, nanocredits: Number(balance) }))
      .sort((a, b) => (a.account < b.account ? -1 : 1));
  }

  async *entries({ account, sinceMs = 0 }: EntryFilter = {}): AsyncGenerator<LedgerEntry> {
    for (let start = String(sinceMs); ;) {
      const page = await this.#use((client) => client.xrange(ENTRIES, start, "+", "COUNT", PAGE_ENTRIES));
      for (const [id, values] of page) {
        const entry = entryAt(id, namedFields(values));
        if (account === undefined || entry.account === account) yield entry;
      }
      const last = page.at(-1);
      if (last === undefined) return;
      start = `(${last[0]}`;
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
    await this.#watcher?.close();
    await Promise.allSettled(this.#running);
    this.#client.disconnect();
  }

  /** Runs a script on the ledger. Before these keys and arguments, it gets the key of the ledger's id and the id. */
  async #run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    if (this.#closed === undefined && this.#condition.problem !== undefined) throw this.#condition.problem;
    return this.#eval(script, [LEDGER, ...keys], [this.#id, ...args]);
  }

  #eval(script: string, keys: string[], args: string[]): Promise<unknown> {
    return this.#use((client) => client.eval(script, keys.length, ...keys, ...args));
  }

  async #use<T>(ask: (client: Redis) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new DecideError("closed", "The ledger of credits has been closed.");
    const answer = settledWithin(this.#options.timeoutMs, ask(this.#client));
    this.#running.add(answer);
    try {
      return await answer;
    } catch (error) {
      // A connection that does not answer is dropped. When many calls time out at once, only the first one does that.
      if (error instanceof TimedOut && this.#client.status === "ready") this.#client.disconnect(true);
      const known = redisError(error);
      if (isLost(error)) this.#condition.problem = known;
      throw known;
    } finally {
      this.#running.delete(answer);
    }
  }

  /** Looks at what an operator may change while we run: whether Redis may lose credits. @returns what tells of news */
  async #look(): Promise<() => void> {
    const info = String(await this.#eval(STATE, [LEDGER], [this.#id]));
    const [, policy = "noeviction"] = /^maxmemory_policy:(\S+)/mu.exec(info) ?? [];
    const warning = /^aof_enabled:0\s/mu.test(info) ? KEEPS_NO_LOG : undefined;
    return () => {
      this.#condition.problem = policy === "noeviction" ? undefined : new DecideError("backend_unavailable", MAY_EVICT);
      if (warning !== undefined && warning !== this.#warning) this.#options.onNotice?.({ level: "warn", message: warning });
      this.#warning = warning;
    };
  }
}

function chargedKey({ account, requestId, bodySha256 }: ChargeId): string {
  const hash = createHash("sha256").update(JSON.stringify([account, requestId, bodySha256]));
  return CHARGED + hash.digest("hex");
}

function fieldsOf(values: { readonly [name: string]: string | number }): string[] {
  return Object.entries(values).flat().map(String);
}

function namedFields(values: readonly string[]): { readonly [field: string]: string } {
  return Object.fromEntries(values.flatMap((name, i) => (i % 2 === 0 ? [[name, values[i + 1] ?? ""]] : [])));
}

/** An entry of the stream. Its id starts with the milliseconds at which it was added. */
function entryAt(id: string, fields: { readonly [field: string]: string | number }): LedgerEntry {
  return entryOf({ ...fields, id, time_ms: id.slice(0, id.indexOf("-")) });
}
