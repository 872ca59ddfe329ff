import type { BoundedOutput } from "../bounded-output.ts";
import { decompressBlock } from "./block.ts";
import type { FrameState } from "./block.ts";
import { MAX_BLOCK_BYTES } from "./block-limit.ts";
import { check } from "./damaged.ts";

const [MAGIC, SKIPPABLE_MAGIC] = [0xfd2fb528, 0x184d2a50];
const [SINGLE_SEGMENT_FLAG, RESERVED_FLAG, CHECKSUM_FLAG] = [0x20, 0x08, 0x04];
/** Blocks in one body. A block of 16 bytes can contain tables that take 20 µs to build. Compressors fill their blocks and need 8 for a megabyte. */
const MAX_BLOCKS = 4096;
const [RAW_BLOCK, RLE_BLOCK, COMPRESSED_BLOCK] = [0, 1, 2];

/**
 * Decompresses zstd, one frame or several (RFC 8878). The sizes of input and output bound its work, whatever the bytes say. Checksums are not verified:
 * TCP and TLS have their own.
 * @throws {Damaged} for bytes that are not valid zstd; and whatever `output` throws.
 */
export function decompressZstd(bytes: Uint8Array, output: BoundedOutput): void {
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

/** @returns the size of the frame, which may be more than the bytes that are there. */
function decompressFrame(bytes: Uint8Array, output: BoundedOutput, blocks: { left: number }): number {
  const start = output.sizeBytes;
  const { contentBytes, headerBytes, checksumBytes } = readHeader(bytes);
  // Refuses an output that is too large before any work is done.
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

/** Reads a frame's header (RFC 8878, section 3.1.1.1). Its window size is ignored, because the whole output is kept anyway. */
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
  // No dictionary is available.
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

/** Little-endian; a missing byte counts as 0. */
function integerAt(bytes: Uint8Array, at: number, sizeBytes: number): number {
  let value = 0;
  for (let i = 0; i < sizeBytes; i++) value += (bytes[at + i] ?? 0) * 256 ** i;
  return value;
}
