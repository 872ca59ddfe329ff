/**
 * The keys of a ledger in Redis. They share one hash tag, so a cluster keeps them on one node, where a script may use them together.
 *
 * `{umpire}:balances`: a hash, account -> nanocredits. `{umpire}:entries`: a stream with one entry for each charge or top-up.
 * `{umpire}:charged:<sha256>`: one for each charged request until it is forgotten; its value is the entry's id.
 */
export const BALANCES = "{umpire}:balances";
export const ENTRIES = "{umpire}:entries";
export const CHARGED = "{umpire}:charged:";

// Numbers are written with %.0f, because Lua's default format keeps only 14 digits and balances have up to 16. Every command that can fail, for
// example on a key of the wrong type, comes before the first change to a balance, because Redis does not roll back.

/** KEYS: balances, charged. ARGV: account. Returns 1 or 0. */
export const MAY_CHARGE = `
local balance = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
if balance > 0 or redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
return 0
`;

/** KEYS: balances, entries, charged. ARGV: account, nanocredits, milliseconds to remember, then the entry's fields. Returns a ChargeOutcome. */
export const CHARGE = `
if redis.call('EXISTS', KEYS[3]) == 1 then return 'taken_before' end
local after = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0') - tonumber(ARGV[2])
if after < 0 then return 'insufficient' end
local balance = string.format('%.0f', after)
local id = redis.call('XADD', KEYS[2], '*', 'balance_after', balance, unpack(ARGV, 4))
redis.call('HSET', KEYS[1], ARGV[1], balance)
redis.call('SET', KEYS[3], id, 'PX', ARGV[3])
return 'taken'
`;

/** KEYS: balances, entries. ARGV: account, nanocredits, the largest balance allowed, then the entry's fields. Returns id and balance, or nil. */
export const TOP_UP = `
local before = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
if before > tonumber(ARGV[3]) - tonumber(ARGV[2]) then return false end
local balance = string.format('%.0f', before + tonumber(ARGV[2]))
local id = redis.call('XADD', KEYS[2], '*', 'balance_after', balance, unpack(ARGV, 4))
redis.call('HSET', KEYS[1], ARGV[1], balance)
return {id, balance}
`;
