import { settledWithin } from "../../../../library/async/timeout.ts";
import { DecideError } from "../../../../errors.ts";
import { loadOptional } from "../../../../files/optional-dependency.ts";
import { redisError } from "./redis-error.ts";

/** What a ledger needs of a client of the package `redis`, as made by createClient(), createCluster() or createClientPool(). */
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

/** A client that the ledger created itself, and must end. */
export interface OwnRedisClient extends RedisClient {
  /** Drops a connection that does not answer, and starts connecting again. */
  reconnect(): void;
  end(): void;
}

const MAX_RECONNECT_DELAY_MS = 1000;

/**
 * @throws {DecideError} `invalid_request` for an invalid URL; `backend_unavailable` if the package `redis` is missing, or if the server does not
 *   answer in time.
 */
export async function connectRedis(url: string, timeoutMs: number): Promise<OwnRedisClient> {
  const { createClient } = await loadOptional("A ledger in Redis", "redis", () => import("redis"));
  let isReady = false;
  const options = {
    url,
    // A charge that cannot be made now is refused now.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: timeoutMs,
      // The first attempt must succeed; a connection lost later is retried until it is back.
      reconnectStrategy: (retries: number) => isReady && Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    },
  };
  const client = clientOf(() => createClient(options));
  // Callers get a rejection. Without a listener, the error event would end the process.
  client.on("error", () => undefined);
  try {
    await settledWithin(timeoutMs, client.connect());
  } catch (error) {
    client.destroy();
    throw redisError(error);
  }
  isReady = true;
  return Object.assign(client, {
    reconnect: () => {
      // When many calls time out at once, only the first one reconnects.
      if (!client.isReady) return;
      client.destroy();
      // It keeps trying until it succeeds or is ended.
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
    // The original error is dropped: it quotes the URL, which may contain a password.
    throw new DecideError("invalid_request", "The Redis URL is not valid: redis://user:password@host:port/database, or rediss:// for TLS.");
  }
}
