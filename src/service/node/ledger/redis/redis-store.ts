import { randomUUID } from "node:crypto";
import { settledWithin, TimedOut } from "../../../../library/async/timeout.ts";
import { DecideError } from "../../../../errors.ts";
import { Condition } from "../condition.ts";
import { NEW_LEDGER } from "../ledger.ts";
import type { LedgerOptions } from "../ledger.ts";
import type { OwnRedisClient, RedisClient } from "./redis-client.ts";
import { isLost, redisError } from "./redis-error.ts";
import { LEDGER, OPEN, STATE } from "./redis-scripts.ts";

export interface RedisStoreOptions {
  readonly client: RedisClient;
  /** The same client, if the ledger created it. */
  readonly own?: OwnRedisClient;
  /** Whether a ledger may be created; if not, one that is not there can be read, and is empty. */
  readonly create: boolean;
  /** How long to wait for an answer. */
  readonly timeoutMs: number;
  /** Milliseconds between two looks at what Redis says about itself. */
  readonly intervalMs: number;
  readonly onNotice: LedgerOptions["onNotice"];
}

/** A Redis with one ledger in it. Notices when Redis may no longer hold it, or no longer does. */
export class RedisStore {
  readonly #options: RedisStoreOptions;
  readonly #running = new Set<Promise<unknown>>();
  readonly #condition: Condition;
  /** The ledger's id, by which we notice that Redis lost it. */
  #id = "";
  #warning: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(options: RedisStoreOptions) {
    this.#options = options;
    this.#condition = new Condition(options.onNotice);
  }

  /** @throws {DecideError} `backend_unavailable` if Redis cannot be reached or may evict keys. */
  static async open(options: RedisStoreOptions): Promise<RedisStore> {
    const store = new RedisStore(options);
    try {
      const newId = options.create ? randomUUID() : "";
      store.#id = String(await store.#eval(OPEN, [LEDGER], [newId]));
      if (store.#id === "") return store;
      await store.#look();
      if (store.#condition.problem !== undefined) throw store.#condition.problem;
      if (store.#id === newId) options.onNotice?.(NEW_LEDGER);
    } catch (error) {
      await store.close();
      throw error;
    }
    store.#scheduleLook();
    return store;
  }

  /** Runs a script on the ledger. Before these keys and arguments, it gets the key of the ledger's id and the id. */
  async run(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    if (!this.#isClosed && this.#condition.problem !== undefined) throw this.#condition.problem;
    return this.#eval(script, [LEDGER, ...keys], [this.#id, ...args]);
  }

  async use<T>(ask: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new DecideError("closed", "The ledger of credits has been closed.");
    const { client, own, timeoutMs } = this.#options;
    const answer = settledWithin(timeoutMs, ask(client));
    this.#running.add(answer);
    try {
      return await answer;
    } catch (error) {
      if (error instanceof TimedOut) own?.reconnect();
      const known = redisError(error);
      if (isLost(error)) this.#condition.problem = known;
      throw known;
    } finally {
      this.#running.delete(answer);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#running);
    this.#options.own?.end();
  }

  #eval(script: string, keys: string[], args: string[]): Promise<unknown> {
    return this.use((client) => client.eval(script, { keys, arguments: args }));
  }

  #scheduleLook(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      void this.#look()
        .catch((error: unknown) => {
          // While Redis cannot be reached, every call says so.
          if (!DecideError.isInstance(error)) throw error;
        })
        .finally(() => {
          this.#scheduleLook();
        });
    }, this.#options.intervalMs).unref();
  }

  /** Looks at what an operator may change while we run. */
  async #look(): Promise<void> {
    const { problem, warning } = redisStateOf(String(await this.#eval(STATE, [LEDGER], [this.#id])));
    this.#condition.problem = problem;
    if (warning !== undefined && warning !== this.#warning) this.#options.onNotice?.({ level: "warn", message: warning });
    this.#warning = warning;
  }
}

/** What the INFO of a Redis says about whether it may lose credits. */
interface RedisState {
  /** Set if it may not hold credits. */
  readonly problem: DecideError | undefined;
  /** Set if it may lose credits when it ends. */
  readonly warning: string | undefined;
}

/** @param info its sections on memory and persistence */
function redisStateOf(info: string): RedisState {
  const policy = valueIn(info, "maxmemory_policy") ?? "noeviction";
  const keepsLog = valueIn(info, "aof_enabled") !== "0";
  return {
    problem: policy === "noeviction" ? undefined : mayEvict(),
    warning: keepsLog
      ? undefined
      : "The Redis server that holds the credits keeps no append-only file: charges since its last snapshot are lost when it ends. Set appendonly to yes.",
  };
}

function valueIn(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(\\S+)`, "mu").exec(info)?.[1];
}

function mayEvict(): DecideError {
  return new DecideError(
    "backend_unavailable",
    "The Redis server may evict keys, and credits with them. Set its maxmemory-policy to noeviction.",
  );
}
