import { MAX_BLOCK_BYTES } from "./block-limit.ts";
import { check } from "./damaged.ts";
import { readHuffman, readHuffmanTable } from "./huffman.ts";
import type { HuffmanTable } from "./huffman.ts";

const [RAW, RLE, COMPRESSED] = [0, 1, 2];

export interface Literals {
  readonly bytes: Uint8Array;
  /** Size of the section in the block. */
  readonly sizeBytes: number;
  /** The next block may use it again. */
  readonly table: HuffmanTable | undefined;
}

/** Reads a block's literals section (RFC 8878, section 3.1.1.3.1). @throws {Damaged} */
export function readLiterals(block: Uint8Array, table: HuffmanTable | undefined): Literals {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0] = block;
  const type = b0 & 3;
  const format = (b0 >> 2) & 3;
  if (type === RAW || type === RLE) {
    const [size, start] = format === 3 ? [(b0 >> 4) | (b1 << 4) | (b2 << 12), 3] : format === 1 ? [(b0 >> 4) | (b1 << 4), 2] : [b0 >> 3, 1];
    const end = start + (type === RAW ? size : 1);
    check(size <= MAX_BLOCK_BYTES && end <= block.length);
    const bytes = type === RAW ? block.subarray(start, end) : new Uint8Array(size).fill(block[start] ?? 0);
    return { bytes, sizeBytes: end, table };
  }
  const [size, packedBytes, start] =
    format === 3
      ? [(b0 >> 4) | (b1 << 4) | ((b2 & 63) << 12), (b2 >> 6) | (b3 << 2) | (b4 << 10), 5]
      : format === 2
        ? [(b0 >> 4) | (b1 << 4) | ((b2 & 3) << 12), (b2 >> 2) | (b3 << 6), 4]
        : [(b0 >> 4) | ((b1 & 63) << 4), (b1 >> 6) | (b2 << 2), 3];
  const end = start + packedBytes;
  check(size <= MAX_BLOCK_BYTES && end <= block.length);
  let packed = block.subarray(start, end);
  if (type === COMPRESSED) {
    const read = readHuffmanTable(packed);
    table = read.table;
    packed = packed.subarray(read.sizeBytes);
  }
  check(table !== undefined);
  const bytes = new Uint8Array(size);
  if (format === 0) readHuffman(table, packed, bytes);
  else readFourStreams(table, packed, bytes);
  return { bytes, sizeBytes: end, table };
}

/** Reads four bitstreams with a quarter of the literals each. The sizes of the first three come before them. */
function readFourStreams(table: HuffmanTable, packed: Uint8Array, bytes: Uint8Array): void {
  const [a0 = 0, a1 = 0, b0 = 0, b1 = 0, c0 = 0, c1 = 0] = packed;
  const quarter = (bytes.length + 3) >> 2;
  check(3 * quarter <= bytes.length);
  let at = 6;
  for (const [i, sizeBytes] of [a0 | (a1 << 8), b0 | (b1 << 8), c0 | (c1 << 8), packed.length].entries()) {
    const end = i === 3 ? packed.length : at + sizeBytes;
    check(end <= packed.length);
    readHuffman(table, packed.subarray(at, end), bytes.subarray(i * quarter, i === 3 ? bytes.length : (i + 1) * quarter));
    at = end;
  }
}
