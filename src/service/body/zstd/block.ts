import type { BoundedOutput } from "../bounded-output.ts";
import { MAX_BLOCK_BYTES } from "./block-limit.ts";
import { check } from "./damaged.ts";
import type { HuffmanTable } from "./huffman.ts";
import { readLiterals } from "./literals.ts";
import { readSequences } from "./sequences.ts";
import type { SequenceTables } from "./sequences.ts";

/** State that each block of a frame passes to the next. */
export interface FrameState {
  /** Position in the output where the frame begins: no match may start before it. */
  readonly start: number;
  /** The last three offsets, newest first. */
  offsets: readonly [number, number, number];
  huffman: HuffmanTable | undefined;
  tables: SequenceTables | undefined;
}

/** Decompresses one block of literals and sequences. @throws {Damaged} */
export function decompressBlock(block: Uint8Array, frame: FrameState, output: BoundedOutput): void {
  const { bytes: literals, sizeBytes, table } = readLiterals(block, frame.huffman);
  frame.huffman = table;
  const end = output.sizeBytes + MAX_BLOCK_BYTES;
  let taken = 0;
  frame.tables = readSequences(block.subarray(sizeBytes), frame.tables, (literalsLength, coded, matchLength) => {
    check(taken + literalsLength <= literals.length && output.sizeBytes + literalsLength + matchLength <= end);
    output.add(literals.subarray(taken, (taken += literalsLength)));
    const offset = offsetOf(coded, literalsLength, frame);
    check(offset > 0 && offset <= output.sizeBytes - frame.start);
    output.repeat(offset, matchLength);
  });
  check(output.sizeBytes + literals.length - taken <= end);
  output.add(literals.subarray(taken));
}

/** Decodes an offset, which may refer to one of the last three (RFC 8878, section 3.1.1.5), and updates those. */
function offsetOf(coded: number, literalsLength: number, frame: FrameState): number {
  const [first, second, third] = frame.offsets;
  if (coded > 3) {
    frame.offsets = [coded - 3, first, second];
    return coded - 3;
  }
  switch (coded - (literalsLength === 0 ? 0 : 1)) {
    case 0:
      return first;
    case 1:
      frame.offsets = [second, first, third];
      return second;
    case 2:
      frame.offsets = [third, first, second];
      return third;
    default:
      frame.offsets = [first - 1, first, second];
      return first - 1;
  }
}
