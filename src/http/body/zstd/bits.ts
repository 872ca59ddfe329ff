import { check } from "./damaged.ts";

/** The most bits that one read of four bytes surely holds, wherever in a byte it starts. */
const AT_ONCE = 24;

/** Position of the highest bit that is set, 0 for 1; -1 for 0. */
export function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}

/** Bits `from` to `from + count` of the bytes, read as little-endian; those before the first byte are 0. `count`: 0 to 24. */
export function bitsAt(bytes: Uint8Array, from: number, count: number): number {
  const at = from >> 3;
  const four = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  return (four >>> (from & 7)) & ((1 << count) - 1);
}

/** A bitstream that is read from its end to its start. Its last byte ends with a 1 and zeros that are none of it. */
export class BackwardBits {
  readonly bytes: Uint8Array;
  /** How many bits are left. Below 0: more were taken than there were. */
  left: number;

  /** @throws {Damaged} where there is no end mark. */
  constructor(bytes: Uint8Array) {
    const last = bytes.at(-1) ?? 0;
    check(last !== 0);
    this.bytes = bytes;
    this.left = (bytes.length - 1) * 8 + highestBit(last);
  }

  /** The next bits, 0 to 31 of them; zeros once there are none left. */
  read(count: number): number {
    if (count > AT_ONCE) return this.read(count - AT_ONCE) * 2 ** AT_ONCE + this.read(AT_ONCE);
    this.left -= count;
    return bitsAt(this.bytes, this.left, count);
  }
}
