import { createHash, randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { DecideError } from "../../../../errors.ts";
import { settledWithin, TimedOut } from "../../../../library/async/signals.ts";
import { MAX_NANOCREDITS, type ChargeId, type ChargeOutcome } from "../../../billing/credits.ts";
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
import type { AdminLedger, LedgerEntry, LedgerOptions } from "../ledger.ts";
import { watch, type Watcher } from "../../../../files/watch.ts";
import { connect, isLost, KEYS, redisError, SCRIPTS } from "./redis-client.ts";

interface RedisLedgerOptions extends LedgerOptions {
  /** Whether to create the ledger; false opens one that is not there as an empty one that can only be read. Default: true. */
  readonly create?: boolean;
  /** How long to wait for an answer of Redis, in milliseconds, before a call is refused. Default: 2,000. */
  readonly timeoutMs?: number;
  /** Milliseconds between two looks at what Redis says about itself. Default: 2,000. */
  readonly intervalMs?: number;
}

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
export async function openRedisLedger(
  url: string,
  { create = true, timeoutMs = 2000, intervalMs = 2000, rememberedMs = REMEMBERED_MS, onNotice }: RedisLedgerOptions = {},
): Promise<AdminLedger> {
  const client = await connect(url, timeoutMs);
  const running = new Set<Promise<unknown>>();
  const condition = new Condition(onNotice);
  /** The ledger's id, by which we notice that Redis lost it. */
  let ledgerId = "";
  let warned: string | undefined;
  let watcher: Watcher | undefined;
  let closed: Promise<void> | undefined;

  async function use<T>(ask: (client: Redis) => Promise<T>): Promise<T> {
    if (closed !== undefined) throw new DecideError("closed", "The ledger of credits has been closed.");
    const answer = settledWithin(timeoutMs, ask(client));
    running.add(answer);
    try {
      return await answer;
    } catch (error) {
      // A connection that does not answer is dropped. When many calls time out at once, only the first one does that.
      if (error instanceof TimedOut && client.status === "ready") client.disconnect(true);
      const known = redisError(error);
      if (isLost(error)) condition.note(known);
      throw known;
    } finally {
      running.delete(answer);
    }
  }

  function evaluate(script: string, keys: string[], args: string[]): Promise<unknown> {
    return use((client) => client.eval(script, keys.length, ...keys, ...args));
  }

  /** Runs a script on the ledger. Before these keys and arguments, it gets the key of the ledger's id and the id. */
  async function run(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (closed === undefined) condition.check();
    return evaluate(script, [KEYS.ledger, ...keys], [ledgerId, ...args.map(String)]);
  }

  /** Looks at what an operator may change while we run: whether Redis may lose credits. @returns what tells of news */
  async function look(): Promise<() => void> {
    const info = String(await evaluate(SCRIPTS.state, [KEYS.ledger], [ledgerId]));
    const [, policy = "noeviction"] = /^maxmemory_policy:(\S+)/mu.exec(info) ?? [];
    const warning = /^aof_enabled:0\s/mu.test(info) ? KEEPS_NO_LOG : undefined;
    return () => {
      condition.note(policy === "noeviction" ? undefined : new DecideError("backend_unavailable", MAY_EVICT));
      if (warning !== undefined && warning !== warned) onNotice?.({ level: "warn", message: warning });
      warned = warning;
    };
  }

  async function end(): Promise<void> {
    await watcher?.close();
    await Promise.allSettled(running);
    client.disconnect();
  }

  const close = (): Promise<void> => (closed ??= end());
  try {
    const newId = create ? randomUUID() : "";
    ledgerId = String(await evaluate(SCRIPTS.open, [KEYS.ledger], [newId]));
    if (ledgerId !== "") {
      const tell = await look();
      tell();
      condition.check();
      if (ledgerId === newId) onNotice?.(NEW_LEDGER);
      // While Redis cannot be reached, every call says so.
      watcher = watch(() => look().catch(() => () => undefined), intervalMs);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    [Symbol.asyncDispose]: close,

    mayCharge: async (id) => (await run(SCRIPTS.mayCharge, [KEYS.balances, chargedKey(id)], [id.account])) === 1,

    async hold(request) {
      checkHold(request);
      const { account, nanocredits, leaseMs } = request;
      const id = randomUUID();
      const held = await run(SCRIPTS.hold, [KEYS.balances, chargedKey(request), KEYS.holds + account], [account, nanocredits, id, leaseMs]);
      if (held === null) return paidHold(request);
      const [available, others] = held as [string, string];
      return { id, account, availableNanocredits: Number(available), othersNanocredits: Number(others), isPaid: false };
    },

    async release({ id, account }) {
      await run(SCRIPTS.release, [KEYS.holds + account], [id]);
    },

    async charge(charge, hold) {
      checkCharge(charge);
      const { account, nanocredits } = charge;
      const keys = [KEYS.balances, KEYS.entries, chargedKey(charge), KEYS.holds + account];
      const fields = Object.entries(columnsOf(charge)).flat();
      return (await run(SCRIPTS.charge, keys, [account, nanocredits, rememberedMs, hold?.id ?? "", ...fields])) as ChargeOutcome;
    },

    async topUp(account, nanocredits, note) {
      checkTopUp(account, nanocredits, note);
      const fields = { account, kind: "top_up", nanocredits, ...(note !== undefined && { note }) };
      const args = [account, nanocredits, MAX_NANOCREDITS, ...Object.entries(fields).flat()];
      const added = await run(SCRIPTS.topUp, [KEYS.balances, KEYS.entries], args);
      if (added === null) checkBalance(Infinity);
      const [id, balanceAfter] = added as [string, string];
      return entryAt(id, { ...fields, balance_after: balanceAfter });
    },

    async accounts() {
      const balances = await use((client) => client.hgetall(KEYS.balances));
      return Object.entries(balances)
        .map(([account, balance]) => ({ account, nanocredits: Number(balance) }))
        .sort((a, b) => (a.account < b.account ? -1 : 1));
    },

    async *entries({ account, sinceMs = 0 } = {}) {
      for (let start = String(sinceMs); ;) {
        const page = await use((client) => client.xrange(KEYS.entries, start, "+", "COUNT", PAGE_ENTRIES));
        for (const [id, values] of page) {
          const entry = entryAt(id, namedFields(values));
          if (account === undefined || entry.account === account) yield entry;
        }
        const last = page.at(-1);
        if (last === undefined) return;
        start = `(${last[0]}`;
      }
    },
  };
}

function chargedKey({ account, requestId, bodySha256 }: ChargeId): string {
  const hash = createHash("sha256").update(JSON.stringify([account, requestId, bodySha256]));
  return KEYS.charged + hash.digest("hex");
}

function namedFields(values: readonly string[]): { readonly [field: string]: string } {
  return Object.fromEntries(values.flatMap((name, i) => (i % 2 === 0 ? [[name, values[i + 1] ?? ""]] : [])));
}

/** An entry of the stream. Its id starts with the milliseconds at which it was added. */
function entryAt(id: string, fields: { readonly [field: string]: string | number }): LedgerEntry {
  return entryOf({ ...fields, id, time_ms: id.slice(0, id.indexOf("-")) });
}
