import { BackwardBits, bitsAt, highestBit } from "./bits.ts";
import { check } from "./damaged.ts";
import { readFseTable } from "./fse.ts";

/** A decoding table of literals (RFC 8878, section 4.2): for each value of the next `log` bits, the symbol and how many of the bits it takes. */
export interface HuffmanTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
}

const MAX_LOG = 11;
const MAX_SYMBOLS = 256;
const [WEIGHTS_MAX_LOG, WEIGHTS_MAX_SYMBOL] = [6, MAX_LOG + 1];
/** If the first byte is at least this, uncompressed weights follow, half a byte each. */
const PLAIN_WEIGHTS = 128;

/** @throws {Damaged} */
export function readHuffmanTable(bytes: Uint8Array): { readonly table: HuffmanTable; readonly sizeBytes: number } {
  const [first = 0] = bytes;
  const plain = first >= PLAIN_WEIGHTS;
  const sizeBytes = 1 + (plain ? Math.ceil((first - PLAIN_WEIGHTS + 1) / 2) : first);
  check(sizeBytes <= bytes.length);
  const packed = bytes.subarray(1, sizeBytes);
  const weights = plain
    ? Array.from({ length: first - PLAIN_WEIGHTS + 1 }, (_, i) => ((packed[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15)
    : readWeights(packed);
  return { table: tableOf(weights), sizeBytes };
}

/** Reads compressed weights, which two states produce in turn. */
function readWeights(bytes: Uint8Array): number[] {
  const { table, sizeBytes } = readFseTable(bytes, WEIGHTS_MAX_LOG, WEIGHTS_MAX_SYMBOL);
  const stream = new BackwardBits(bytes.subarray(sizeBytes));
  const weights: number[] = [];
  let [state, other] = [stream.read(table.log), stream.read(table.log)];
  check(stream.left >= 0);
  for (;;) {
    weights.push(table.symbols[state] ?? 0);
    check(weights.length < MAX_SYMBOLS);
    const next = (table.bases[state] ?? 0) + stream.read(table.bits[state] ?? 0);
    [state, other] = [other, next];
    if (stream.left < 0) break;
  }
  weights.push(table.symbols[state] ?? 0);
  return weights;
}

function tableOf(weights: number[]): HuffmanTable {
  check(weights.length < MAX_SYMBOLS && weights.every((weight) => weight <= MAX_LOG));
  const sum = weights.reduce((total, weight) => total + ((1 << weight) >> 1), 0);
  const log = highestBit(sum) + 1;
  check(sum > 0 && log <= MAX_LOG);
  // The weight of the last symbol is not sent: it completes the sum to a power of two.
  const missing = (1 << log) - sum;
  check((missing & (missing - 1)) === 0);
  weights.push(highestBit(missing) + 1);
  const [symbols, bits] = [new Uint8Array(1 << log), new Uint8Array(1 << log)];
  let at = 0;
  for (let weight = 1; weight <= log; weight++) {
    for (const [symbol, its] of weights.entries()) {
      if (its !== weight) continue;
      const end = at + (1 << (weight - 1));
      symbols.fill(symbol, at, end);
      bits.fill(log + 1 - weight, at, end);
      at = end;
    }
  }
  return { log, symbols, bits };
}

/** Fills `output` with the symbols of one bitstream. @throws {Damaged} if the bitstream does not end with `output`. */
export function readHuffman({ log, symbols, bits }: HuffmanTable, bytes: Uint8Array, output: Uint8Array): void {
  let { left } = new BackwardBits(bytes);
  for (let i = 0; i < output.length && left > 0; i++) {
    const next = bitsAt(bytes, left - log, log);
    output[i] = symbols[next] ?? 0;
    left -= bits[next] ?? 0;
    if (left === 0) check(i === output.length - 1);
  }
  check(left === 0);
}
