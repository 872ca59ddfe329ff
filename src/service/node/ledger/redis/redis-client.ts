import type { Redis } from "ioredis";
import { settledWithin } from "../../../../library/async/signals.ts";
import { DecideError } from "../../../../errors.ts";
import { loadOptional } from "../../../../files/optional-dependency.ts";
import { LOST } from "./redis-scripts.ts";

const MAX_RECONNECT_DELAY_MS = 1000;

/** @throws {DecideError} `invalid_request` for an invalid URL; `backend_unavailable` if Redis cannot be reached. */
export async function connect(url: string, timeoutMs: number): Promise<Redis> {
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

/** Errors of Redis that waiting does not cure. The others may pass: a lost connection, full memory or disk, a server that is starting or changing its role. */
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
export function isLost(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(LOST);
}
