import type { Redis } from "ioredis";
import { BadInput } from "../../cli/bad-input.ts";
import { CommandFailed } from "../../cli/command-failed.ts";
import { loadPeer } from "../peer.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_RECONNECT_DELAY_MS = 1000;

/** Says something to the person who watches, in a sentence. */
export type OnNotice = (message: string) => void;

/**
 * Connects to the Redis of a queue. Once it was there, it may go and come back: whatever is asked meanwhile waits.
 * @param url redis:// or rediss://
 * @throws {BadInput} for another URL; {CommandFailed} if it cannot be reached, or if the package for it is not installed
 */
export async function connectRedis(url: string, onNotice: OnNotice): Promise<Redis> {
  const place = placeIn(url);
  const { Redis } = await loadPeer("A queue", "ioredis", () => import("ioredis"));
  let wasReady = false;
  let isLost = false;
  let lastError: unknown;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // BullMQ asks for it: what waits for a job waits for ever.
    maxRetriesPerRequest: null,
    // The first attempt must succeed.
    retryStrategy: (attempts) => (wasReady ? Math.min(50 * 2 ** attempts, MAX_RECONNECT_DELAY_MS) : null),
  });
  redis.on("error", (error) => (lastError = error));
  redis.on("close", () => {
    if (!wasReady || isLost || redis.status === "end") return;
    isLost = true;
    onNotice(`The Redis server at ${place} is gone. Waiting until it is back.`);
  });
  redis.on("ready", () => {
    if (isLost) onNotice(`The Redis server at ${place} is back.`);
    [wasReady, isLost] = [true, false];
  });
  try {
    await redis.connect();
    // A wrong password is told only now.
    await redis.ping();
  } catch (error) {
    // One that has ended already would keep the process for two more seconds.
    if (redis.status !== "end") redis.disconnect();
    throw new CommandFailed(whyNotConnected(place, lastError ?? error), { cause: error });
  }
  return redis;
}

/** Host and port, for messages: the URL may have a password. */
function placeIn(url: string): string {
  const { protocol, host } = URL.canParse(url) ? new URL(url) : { protocol: "", host: "" };
  if ((protocol !== "redis:" && protocol !== "rediss:") || host === "")
    throw new BadInput("--queue must be the URL of a Redis: redis://user:password@host:6379/0, or rediss:// for TLS.");
  return host;
}

function whyNotConnected(place: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (/^(?:NOAUTH|WRONGPASS|NOPERM)/u.test(message))
    return `The Redis server at ${place} refuses this user. Give user and password in the URL: redis://user:password@host:6379`;
  return `The Redis server at ${place} cannot be reached${code === undefined ? "" : ` (${code})`}. Is it running there?`;
}

/**
 * A queue must outlive a restart of its Redis. What is lost is put there again, but the workers stand idle until that is noticed.
 * @param isVolatileAllowed whether a Redis is taken that forgets all when it ends
 * @throws {BadInput} for such a Redis
 */
export async function checkKeeps(redis: Pick<Redis, "info">, isVolatileAllowed: boolean, onNotice: OnNotice): Promise<void> {
  // Not by CONFIG GET, which services that run a Redis for others forbid.
  const info = await redis.info().catch(() => "");
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}:(\\S+)`, "mu").exec(info)?.[1];
  const keepsLog = valueOf("aof_enabled");
  if (keepsLog === undefined)
    onNotice("The Redis server does not say whether it keeps an append-only file. Without one, it loses the queue at a restart.");
  if (keepsLog === "0" && !isVolatileAllowed)
    throw new BadInput(
      "The Redis server keeps no append-only file, and loses the queue at a restart. Set its appendonly to yes, also in its configuration file; or give --allow-volatile-queue.",
    );
  const policy = valueOf("maxmemory_policy");
  if (policy !== undefined && policy !== "noeviction")
    onNotice(`The Redis server may drop parts of the queue when its memory is full (${policy}). Set its maxmemory-policy to noeviction.`);
}
