import { DecideError } from "../../errors.ts";
import { loadOptional } from "./optional-package.ts";

/** What a ledger uses of a client of the package `redis`: createClient(), createCluster() and createClientPool() make such ones. */
export interface RedisClient {
  eval(script: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown>;
  hGetAll(key: string): Promise<{ readonly [field: string]: string }>;
  xRange(
    key: string,
    start: string,
    end: string,
    options: { readonly COUNT: number },
  ): Promise<readonly { readonly id: string; readonly message: { readonly [field: string]: string } }[] | null>;
}

/** A client that the ledger made itself, and ends. */
export interface OwnRedisClient extends RedisClient {
  /** Ends a connection that does not answer, and begins to connect anew. */
  reconnect(): void;
  end(): void;
}

const MAX_RECONNECT_DELAY_MS = 1000;

/** @throws DecideError `backend_unavailable` without the package `redis`, or when the server does not answer in time or is not fit for a ledger. */
export async function connectRedis(url: string, timeoutMs: number): Promise<OwnRedisClient> {
  const { createClient } = await loadOptional("redis", () => import("redis"));
  let isReady = false;
  const options = {
    url,
    // A charge that cannot be made now is refused now.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: timeoutMs,
      // The first connection must succeed; a lost one is tried for until there is one.
      reconnectStrategy: (retries: number) => isReady && Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    },
  };
  const client = clientOf(() => createClient(options));
  // Whoever uses the client is told by a rejection; without a listener the process would end.
  client.on("error", () => undefined);
  try {
    await withinTime(client.connect(), timeoutMs);
    checkEviction(await withinTime(client.info("memory"), timeoutMs));
  } catch (error) {
    client.destroy();
    throw redisError(error);
  }
  isReady = true;
  return Object.assign(client, {
    reconnect: () => {
      // Of many calls that were not answered the first one does it.
      if (!client.isReady) return;
      client.destroy();
      // It tries until it succeeds or is ended.
      client.connect().catch(() => undefined);
    },
    end: () => {
      client.destroy();
    },
  });
}

function clientOf<T>(create: () => T): T {
  try {
    return create();
  } catch {
    // Its error has the URL, and a URL may have a password.
    throw new DecideError("invalid_request", "The Redis URL is not valid: redis://user:password@host:port/database, or rediss:// for TLS.");
  }
}

/** A Redis that may forget keys when its memory is full would forget balances and charges. */
function checkEviction(info: string): void {
  const policy = /^maxmemory_policy:(\S+)/mu.exec(info)?.[1] ?? "noeviction";
  if (policy !== "noeviction")
    throw new DecideError(
      "backend_unavailable",
      "The Redis server may evict keys, and credits with them. Set its maxmemory-policy to noeviction.",
    );
}

/** Rejects with `TimedOut` where there is no answer in time. */
export async function withinTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TimedOut(`no answer within ${timeoutMs} ms`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([answer, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

/** What Redis refuses, and what waiting does not heal: the rest are connections, a full memory or disk, a server that starts or changes its role. */
const LASTING = /^(?:WRONGTYPE|NOAUTH|WRONGPASS|NOPERM|NOPROTO)/u;

/** An error of Redis or of its client in the words of the service; a DecideError stays what it is. */
export function redisError(error: unknown): DecideError {
  if (DecideError.isInstance(error)) return error;
  if (error instanceof Error && LASTING.test(error.message)) {
    const message = "The Redis server that holds the credits refused. Look at its user's rights, its version (6 or newer) and its keys.";
    return new DecideError("backend_unavailable", message, { cause: error });
  }
  const message = "The Redis server that holds the credits cannot be reached or cannot write now. Try again; look at the server.";
  return new DecideError("backend_unavailable", message, { cause: error, retryable: true });
}
