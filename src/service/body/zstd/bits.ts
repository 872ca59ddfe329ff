import { check } from "./damaged.ts";

/** Number of bits that a read of four bytes always contains, wherever in the first byte it starts. */
const AT_ONCE = 24;

/** Position of the highest set bit: 0 for 1, -1 for 0. */
export function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}

/** `count` bits (0 to 24) from bit `from` on, little-endian. Bits before the first byte are 0. */
export function bitsAt(bytes: Uint8Array, from: number, count: number): number {
  const at = from >> 3;
  const four = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  return (four >>> (from & 7)) & ((1 << count) - 1);
}

/** A bitstream that is read from its end to its start. In the last byte, the highest set bit marks the end and is not part of the stream. */
export class BackwardBits {
  readonly bytes: Uint8Array;
  /** Number of bits left; negative once more bits were read than there are. */
  left: number;

  /** @throws {Damaged} if there is no end mark. */
  constructor(bytes: Uint8Array) {
    const last = bytes.at(-1) ?? 0;
    check(last !== 0);
    this.bytes = bytes;
    this.left = (bytes.length - 1) * 8 + highestBit(last);
  }

  /** The next `count` bits (0 to 31); zeros once none are left. */
  read(count: number): number {
    if (count > AT_ONCE) return this.read(count - AT_ONCE) * 2 ** AT_ONCE + this.read(AT_ONCE);
    this.left -= count;
    return bitsAt(this.bytes, this.left, count);
  }
}
