import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { settledWithin, TimedOut } from "../../../../library/async/signals.ts";
import { DecideError } from "../../../../errors.ts";
import { loadOptional } from "../../../../files/optional-dependency.ts";
import { Condition, NEW_LEDGER } from "../ledger.ts";
import type { LedgerOptions } from "../ledger.ts";
import { LEDGER, LOST, OPEN, STATE } from "./redis-scripts.ts";

export interface RedisStoreOptions {
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
  readonly #client: Redis;
  readonly #options: RedisStoreOptions;
  readonly #running = new Set<Promise<unknown>>();
  readonly #condition: Condition;
  /** The ledger's id, by which we notice that Redis lost it. */
  #id = "";
  #warning: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(client: Redis, options: RedisStoreOptions) {
    this.#client = client;
    this.#options = options;
    this.#condition = new Condition(options.onNotice);
  }

  /** @throws {DecideError} `invalid_request` for an invalid URL; `backend_unavailable` if Redis cannot be reached or may evict keys. */
  static async open(url: string, options: RedisStoreOptions): Promise<RedisStore> {
    const store = new RedisStore(await connect(url, options.timeoutMs), options);
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

  async use<T>(ask: (client: Redis) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new DecideError("closed", "The ledger of credits has been closed.");
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

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#running);
    this.#client.disconnect();
  }

  #eval(script: string, keys: string[], args: string[]): Promise<unknown> {
    return this.use((client) => client.eval(script, keys.length, ...keys, ...args));
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

const MAX_RECONNECT_DELAY_MS = 1000;

async function connect(url: string, timeoutMs: number): Promise<Redis> {
  const { Redis } = await loadOptional("A ledger in Redis", "ioredis", () => import("ioredis"));
  if (!URL.canParse(url))
    throw new DecideError("invalid_request", "The Redis URL is not valid: redis://user:password@host:port/database, or rediss:// for TLS.");
  let isReady = false;
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    disableClientInfo: true,
    // What cannot be done now is refused now, and what was under way when the connection was lost is not done twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // A server that does not answer does not close its side either.
    disconnectTimeout: 0,
    // The first attempt must succeed; a connection lost later is retried until it is back.
    retryStrategy: (attempts) => (isReady ? Math.min(50 * 2 ** attempts, MAX_RECONNECT_DELAY_MS) : null),
  });
  let lastError: unknown;
  // Callers get a rejection. Without a listener, the client would print the error.
  client.on("error", (error) => (lastError = error));
  try {
    await settledWithin(timeoutMs, client.connect());
    // A wrong password is told only now.
    await settledWithin(timeoutMs, client.ping());
  } catch (error) {
    // One that has ended already would keep the process for some time.
    if (client.status !== "end") client.disconnect();
    throw redisError(lastError ?? error);
  }
  isReady = true;
  return client;
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

/**
 * Errors of Redis that waiting does not cure. The others may pass: a lost connection, full memory or disk, a server that is starting or changing
 * its role.
 */
const LASTING = /^(?:WRONGTYPE|NOAUTH|WRONGPASS|NOPERM|NOPROTO)/u;

/** An error of Redis or its client as a DecideError. A DecideError is returned as it is. */
export function redisError(error: unknown): DecideError {
  if (DecideError.isInstance(error)) return error;
  if (isLost(error)) {
    const message =
      "The Redis server no longer holds these credits: its data was lost or replaced. Nothing is charged any more. Restore its data, or start again with what it holds now.";
    return new DecideError("backend_unavailable", message, { cause: error });
  }
  if (error instanceof Error && LASTING.test(error.message)) {
    const message =
      "The Redis server that holds the credits refused the command. Check the user's permissions, the server's version (6 or newer) and its keys.";
    return new DecideError("backend_unavailable", message, { cause: error });
  }
  const message =
    "The Redis server that holds the credits cannot be reached or cannot write at the moment. Try again, and check the server.";
  return new DecideError("backend_unavailable", message, { cause: error, retryable: true });
}

/** Whether a script found that this Redis does not hold the ledger that was opened. */
function isLost(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(LOST);
}
