import type { Redis, RedisOptions } from "ioredis";
import { settledWithin } from "../../../../library/async/signals.ts";
import { DecideError } from "../../../../errors.ts";
import { loadOptional } from "../../../../files/optional-dependency.ts";

const MAX_RECONNECT_DELAY_MS = 1000;

/**
 * Connects a client. The first attempt must succeed; a connection that is lost later is retried until it is back.
 * @param make makes the client, with these options among others
 * @param within how long to wait for an answer. Default: as long as the client does
 * @throws what Redis or the system reported last
 */
export async function connectRedis(
  make: (options: Pick<RedisOptions, "lazyConnect" | "retryStrategy">) => Redis,
  within: <T>(answer: Promise<T>) => Promise<T> = (answer) => answer,
): Promise<Redis> {
  let isReady = false;
  const retryStrategy = (attempts: number): number | null => (isReady ? Math.min(50 * 2 ** attempts, MAX_RECONNECT_DELAY_MS) : null);
  const client = make({ lazyConnect: true, retryStrategy });
  let lastError: unknown;
  // Callers get a rejection. Without a listener, the client would print the error.
  client.on("error", (error) => (lastError = error));
  try {
    await within(client.connect());
    // A wrong password is told only now.
    await within(client.ping());
  } catch (error) {
    // One that has ended already would keep the process for some time.
    if (client.status !== "end") client.disconnect();
    throw lastError ?? error;
  }
  isReady = true;
  return client;
}

/** @throws {DecideError} `invalid_request` for an invalid URL; `backend_unavailable` if Redis cannot be reached. */
export async function connect(url: string, timeoutMs: number): Promise<Redis> {
  const { Redis } = await loadOptional("A ledger in Redis", "ioredis", () => import("ioredis"));
  if (!URL.canParse(url))
    throw new DecideError("invalid_request", "The Redis URL is not valid: redis://user:password@host:port/database, or rediss:// for TLS.");
  const make = (options: RedisOptions): Redis =>
    new Redis(url, {
      ...options,
      connectTimeout: timeoutMs,
      disableClientInfo: true,
      // A command that cannot run now is refused now, and one that was under way when the connection was lost does not run twice.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      // A server that does not answer does not close its side either.
      disconnectTimeout: 0,
    });
  return connectRedis(make, (answer) => settledWithin(timeoutMs, answer)).catch((error: unknown) => {
    throw redisError(error);
  });
}

/** Errors of Redis that waiting does not cure. The others may pass: a lost connection, full memory or disk, a server that is starting or changing its role. */
const LASTING = /^(?:WRONGTYPE|NOAUTH|WRONGPASS|NOPERM|NOPROTO)/u;

/** An error of Redis or its client as a DecideError. A DecideError is returned as it is. */
export function redisError(error: unknown): DecideError {
  if (DecideError.isInstance(error)) return error;
  const isLasting = error instanceof Error && LASTING.test(error.message);
  const message = isLost(error)
    ? "The Redis server no longer holds these credits: its data was lost or replaced. Nothing is charged any more. Restore its data, or start again with what it holds now."
    : isLasting
      ? "The Redis server that holds the credits refused the command. Check the user's permissions, the server's version (6 or newer) and its keys."
      : "The Redis server that holds the credits cannot be reached or cannot write at the moment. Try again, and check the server.";
  return new DecideError("backend_unavailable", message, { cause: error, retryable: !isLost(error) && !isLasting });
}

/** Whether a script found that this Redis does not hold the ledger that was opened. */
export function isLost(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(LOST);
}

/**
 * The keys of a ledger in Redis. They share one hash tag, so a cluster keeps them on one node, where a script may use them together.
 *
 * `{umpire}:ledger`: the id of the ledger, written once. `{umpire}:balances`: a hash, account -> nanocredits. `{umpire}:entries`: a stream with one
 * entry for each charge or top-up. `{umpire}:charged:<sha256>`: one for each charged request until it is forgotten; its value is the entry's id.
 * `{umpire}:holds:<account>`: a hash, id of a hold -> nanocredits and the time at which it ends.
 */
export const KEYS = {
  ledger: "{umpire}:ledger",
  balances: "{umpire}:balances",
  entries: "{umpire}:entries",
  charged: "{umpire}:charged:",
  holds: "{umpire}:holds:",
};

/** How an error starts that a script returns because this Redis does not hold the ledger that was opened. */
const LOST = "UMPIRELOST";

/** Every script on the ledger starts so. KEYS[1]: ledger. ARGV[1]: its id. An empty Redis would say that nobody has any credits. */
const SAME_LEDGER = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('${LOST} another ledger, or none') end`;

// Numbers are written with %.0f, because Lua's default format keeps only 14 digits and balances have up to 16. Every command that can fail, for
// example on a key of the wrong type, comes before the first change to a balance, because Redis does not roll back. The first change needs memory, because Redis
// does not refuse those after it when its memory is full. Times are those of the server's clock.
export const SCRIPTS = {
  /** KEYS: ledger. ARGV: a new id, or nothing. Returns the ledger's id, which is the new one if it had none. */
  open: `
local id = redis.call('GET', KEYS[1])
if id or ARGV[1] == '' then return id or '' end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
`,

  /** KEYS: ledger. ARGV: id of the ledger. Returns what INFO says about memory and persistence. */
  state: `
${SAME_LEDGER}
return redis.call('INFO', 'memory') .. redis.call('INFO', 'persistence')
`,

  /** KEYS: ledger, balances, charged. ARGV: id of the ledger, account. Returns 1 or 0. */
  mayCharge: `
${SAME_LEDGER}
local balance = tonumber(redis.call('HGET', KEYS[2], ARGV[2]) or '0')
if balance > 0 or redis.call('EXISTS', KEYS[3]) == 1 then return 1 end
return 0
`,

  /**
   * KEYS: ledger, balances, charged, holds. ARGV: id of the ledger, account, nanocredits, id of the hold, milliseconds of its lease. Returns the balance
   * less what others hold, and what they hold; or nil if the request has been charged.
   */
  hold: `
${SAME_LEDGER}
if redis.call('EXISTS', KEYS[3]) == 1 then return false end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local others, last = 0, now + tonumber(ARGV[5])
local holds = redis.call('HGETALL', KEYS[4])
for i = 1, #holds, 2 do
  local nanocredits, ends = string.match(holds[i + 1], '(%d+) (%d+)')
  if tonumber(ends) > now then
    others, last = others + tonumber(nanocredits), math.max(last, tonumber(ends))
  else
    redis.call('HDEL', KEYS[4], holds[i])
  end
end
local available = math.max(0, tonumber(redis.call('HGET', KEYS[2], ARGV[2]) or '0') - others)
local held = math.min(available, tonumber(ARGV[3]))
redis.call('HSET', KEYS[4], ARGV[4], string.format('%.0f %.0f', held, now + tonumber(ARGV[5])))
redis.call('PEXPIREAT', KEYS[4], string.format('%.0f', last))
return {string.format('%.0f', available), string.format('%.0f', others)}
`,

  /** KEYS: ledger, holds. ARGV: id of the ledger, id of the hold. */
  release: `
${SAME_LEDGER}
return redis.call('HDEL', KEYS[2], ARGV[2])
`,

  /**
   * KEYS: ledger, balances, entries, charged, holds. ARGV: id of the ledger, account, nanocredits, milliseconds to remember, id of the hold or nothing, then
   * the entry's fields. Returns a ChargeOutcome.
   */
  charge: `
${SAME_LEDGER}
local function settled(outcome)
  redis.call('HDEL', KEYS[5], ARGV[5])
  return outcome
end
if redis.call('EXISTS', KEYS[4]) == 1 then return settled('taken_before') end
local after = tonumber(redis.call('HGET', KEYS[2], ARGV[2]) or '0') - tonumber(ARGV[3])
if after < 0 then return settled('insufficient') end
local balance = string.format('%.0f', after)
local id = redis.call('XADD', KEYS[3], '*', 'balance_after', balance, unpack(ARGV, 6))
redis.call('HSET', KEYS[2], ARGV[2], balance)
redis.call('SET', KEYS[4], id, 'PX', ARGV[4])
return settled('taken')
`,

  /**
   * KEYS: ledger, balances, entries. ARGV: id of the ledger, account, nanocredits, the largest balance allowed, then the entry's fields. Returns id and
   * balance, or nil.
   */
  topUp: `
${SAME_LEDGER}
local before = tonumber(redis.call('HGET', KEYS[2], ARGV[2]) or '0')
if before > tonumber(ARGV[4]) - tonumber(ARGV[3]) then return false end
local balance = string.format('%.0f', before + tonumber(ARGV[3]))
local id = redis.call('XADD', KEYS[3], '*', 'balance_after', balance, unpack(ARGV, 5))
redis.call('HSET', KEYS[2], ARGV[2], balance)
return {id, balance}
`,
};
