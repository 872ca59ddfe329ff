import { bitsAt, highestBit } from "./bits.ts";
import { check } from "./damaged.ts";

/** A decoding table of finite state entropy coding (RFC 8878, section 4.1): for each state, its symbol and how to read the next state. */
export interface FseTable {
  /** Base-2 logarithm of the number of states. */
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

const MIN_LOG = 5;
/** The share of a symbol less likely than one state. It has one state, at the end of the table. */
const LESS_THAN_ONE = -1;

/** A table with a single symbol, which takes no bits. */
export function constantTable(symbol: number): FseTable {
  return { log: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), bases: new Uint16Array(1) };
}

/**
 * Reads the description of a table with symbols from 0 to `maxSymbol` and at most 2 ** `maxLog` states.
 * @throws {Damaged}
 */
export function readFseTable(
  bytes: Uint8Array,
  maxLog: number,
  maxSymbol: number,
): { readonly table: FseTable; readonly sizeBytes: number } {
  let at = 0;
  const take = (count: number): number => bitsAt(bytes, (at += count) - count, count);
  const log = take(4) + MIN_LOG;
  check(log <= maxLog);
  const shares: number[] = [];
  for (let left = 1 << log; left > 0;) {
    check(shares.length <= maxSymbol);
    // Of the values 0 to left + 1, the lowest take one bit less.
    const count = highestBit(left + 1);
    const short = (2 << count) - 2 - left;
    let value = take(count);
    if (value >= short) value += take(1) === 0 ? 0 : (1 << count) - short;
    const share = value - 1;
    shares.push(share);
    left -= Math.abs(share);
    for (let zeros = share === 0 ? 3 : 0; zeros === 3;) {
      zeros = take(2);
      for (let i = 0; i < zeros; i++) shares.push(0);
    }
  }
  const sizeBytes = Math.ceil(at / 8);
  check(shares.length <= maxSymbol + 1 && sizeBytes <= bytes.length);
  return { table: tableOf(shares, log), sizeBytes };
}

/** Builds the table in which each symbol has its share of the 2 ** `log` states. */
export function tableOf(shares: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const [symbols, bits, bases] = [new Uint8Array(size), new Uint8Array(size), new Uint16Array(size)];
  let end = size;
  for (const [symbol, share] of shares.entries()) if (share === LESS_THAN_ONE) symbols[--end] = symbol;
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  for (const [symbol, share] of shares.entries()) {
    for (let i = 0; i < share; i++) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= end);
    }
  }
  const next = Uint16Array.from(shares, Math.abs);
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] ?? 0;
    const value = next[symbol] ?? 0;
    next[symbol] = value + 1;
    const count = log - highestBit(value);
    bits[state] = count;
    bases[state] = (value << count) - size;
  }
  return { log, symbols, bits, bases };
}
