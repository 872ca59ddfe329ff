import type { Output } from "../decompressed.ts";
import { decompressBlock } from "./block.ts";
import type { FrameState } from "./block.ts";
import { MAX_BLOCK_BYTES } from "./block-limit.ts";
import { check } from "./damaged.ts";

const [MAGIC, SKIPPABLE_MAGIC] = [0xfd2fb528, 0x184d2a50];
const [SINGLE_SEGMENT_FLAG, RESERVED_FLAG, CHECKSUM_FLAG] = [0x20, 0x08, 0x04];
/** Of a body. A block of 16 bytes may bring tables that take 20 µs to make; compressors fill blocks, and need 8 for a megabyte. */
const MAX_BLOCKS = 4096;
const [RAW_BLOCK, RLE_BLOCK, COMPRESSED_BLOCK] = [0, 1, 2];

/**
 * Decompresses zstd, one frame or several (RFC 8878). Its work is bounded by the sizes of what comes in and out, whatever the bytes say. Its checksum is
 * not checked: TCP and TLS have theirs.
 * @throws {Damaged} where the bytes are no zstd, and what `output` throws.
 */
export function decompressZstd(bytes: Uint8Array, output: Output): void {
  check(bytes.length > 0);
  const blocks = { left: MAX_BLOCKS };
  for (let at = 0; at < bytes.length;) {
    const rest = bytes.subarray(at);
    const magic = integerAt(rest, 0, 4);
    if (magic === MAGIC) at += decompressFrame(rest, output, blocks);
    else {
      check(magic - (magic % 16) === SKIPPABLE_MAGIC && rest.length >= 8);
      at += 8 + integerAt(rest, 4, 4);
    }
    check(at <= bytes.length);
  }
}

/** Size of the frame, which may be more than there is. */
function decompressFrame(bytes: Uint8Array, output: Output, blocks: { left: number }): number {
  const start = output.sizeBytes;
  const { contentBytes, headerBytes, checksumBytes } = readHeader(bytes);
  // Refused before the work is done.
  if (contentBytes !== undefined) output.expect(contentBytes);
  const frame: FrameState = { start, offsets: [1, 4, 8], huffman: undefined, tables: undefined };
  let at = headerBytes;
  for (let isLast = false; !isLast;) {
    check(at + 3 <= bytes.length && blocks.left-- > 0);
    const header = integerAt(bytes, at, 3);
    isLast = (header & 1) === 1;
    const type = (header >> 1) & 3;
    const sizeBytes = header >> 3;
    at += 3;
    const end = at + (type === RLE_BLOCK ? 1 : sizeBytes);
    check(sizeBytes <= MAX_BLOCK_BYTES && end <= bytes.length);
    if (type === RAW_BLOCK) output.add(bytes.subarray(at, end));
    else if (type === RLE_BLOCK) output.add(new Uint8Array(sizeBytes).fill(bytes[at] ?? 0));
    else {
      check(type === COMPRESSED_BLOCK);
      decompressBlock(bytes.subarray(at, end), frame, output);
    }
    at = end;
  }
  check(contentBytes === undefined || output.sizeBytes - start === contentBytes);
  return at + checksumBytes;
}

/** A frame's header (RFC 8878, section 3.1.1.1). Its window is of no use here: the whole output is kept. */
function readHeader(bytes: Uint8Array): {
  readonly contentBytes: number | undefined;
  readonly headerBytes: number;
  readonly checksumBytes: number;
} {
  const descriptor = bytes[4] ?? RESERVED_FLAG;
  check((descriptor & RESERVED_FLAG) === 0);
  const single = (descriptor & SINGLE_SEGMENT_FLAG) !== 0;
  const dictionaryAt = 5 + Number(!single);
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  // There is no dictionary.
  check(integerAt(bytes, dictionaryAt, dictionaryBytes) === 0);
  const sizeAt = dictionaryAt + dictionaryBytes;
  const sizeBytes = descriptor >> 6 === 0 ? Number(single) : 1 << (descriptor >> 6);
  const size = integerAt(bytes, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  return {
    contentBytes: sizeBytes === 0 ? undefined : size,
    headerBytes: sizeAt + sizeBytes,
    checksumBytes: (descriptor & CHECKSUM_FLAG) === 0 ? 0 : 4,
  };
}

/** Little-endian; a byte that is not there counts as 0. */
function integerAt(bytes: Uint8Array, at: number, sizeBytes: number): number {
  let value = 0;
  for (let i = 0; i < sizeBytes; i++) value += (bytes[at + i] ?? 0) * 256 ** i;
  return value;
}
