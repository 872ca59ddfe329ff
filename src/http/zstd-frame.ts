/** Little-endian, as RFC 8878 has it. */
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const [CHECKSUM_FLAG, SINGLE_SEGMENT_FLAG] = [0x04, 0x20];
const RLE_BLOCK = 1;

/**
 * The memory that a zstd decoder needs for the window of `bytes`, read off the frame's header (RFC 8878, section 3.1.1); undefined unless they are one whole
 * frame and nothing else, so that no second frame can ask for more.
 */
export function windowBytesOf(bytes: Uint8Array): number | undefined {
  const at = (index: number): number => bytes[index] ?? 0;
  if (MAGIC.some((byte, i) => at(i) !== byte)) return undefined;
  const descriptor = at(4);
  const single = (descriptor & SINGLE_SEGMENT_FLAG) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(single) : 1 << sizeFlag;
  const sizeAt = 5 + Number(!single) + dictionaryBytes;
  if (endOfBlocks(bytes, sizeAt + sizeBytes) + (descriptor & CHECKSUM_FLAG ? 4 : 0) !== bytes.length) return undefined;
  if (!single) {
    const base = 2 ** (10 + (at(5) >> 3));
    return base + (base / 8) * (at(5) & 7);
  }
  let size = sizeBytes === 2 ? 256 : 0;
  for (let i = 0; i < sizeBytes; i++) size += at(sizeAt + i) * 256 ** i;
  return size;
}

/** Where the last block of a frame ends; beyond the end of `bytes` when it is not whole. */
function endOfBlocks(bytes: Uint8Array, start: number): number {
  for (let at = start; at + 3 <= bytes.length;) {
    const header = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    const isLast = (header & 1) === 1;
    at += 3 + (((header >> 1) & 3) === RLE_BLOCK ? 1 : header >> 3);
    if (isLast) return at;
  }
  return Infinity;
}
