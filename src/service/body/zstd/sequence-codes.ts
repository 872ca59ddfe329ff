import { tableOf } from "./fse.ts";
import type { FseTable } from "./fse.ts";

/** How one of the three numbers of a sequence is coded (RFC 8878, section 3.1.1.3.2.1). */
export interface SequenceCodes {
  readonly maxLog: number;
  readonly maxSymbol: number;
  readonly predefined: FseTable;
}

/** For each code: the smallest number it stands for, and how many more bits follow. */
export interface CodeValues {
  readonly bases: Uint32Array;
  readonly bits: Uint8Array;
}

export const LITERALS_LENGTHS: SequenceCodes = {
  maxLog: 9,
  maxSymbol: 35,
  predefined: tableOf([4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1], 6),
};

export const OFFSETS: SequenceCodes = {
  maxLog: 8,
  maxSymbol: 31,
  predefined: tableOf([1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1], 5),
};

export const MATCH_LENGTHS: SequenceCodes = {
  maxLog: 9,
  maxSymbol: 52,
  predefined: tableOf([1, 4, 3, 2, 2, 2, 2, 2, 2, ...Array<number>(37).fill(1), ...Array<number>(7).fill(-1)], 6),
};

export const LITERALS_LENGTH_VALUES = valuesOf(0, [
  ...Array<number>(16).fill(0),
  1,
  1,
  1,
  1,
  2,
  2,
  3,
  3,
  4,
  6,
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  15,
  16,
]);

export const MATCH_LENGTH_VALUES = valuesOf(3, [
  ...Array<number>(32).fill(0),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
]);

/** Each code's range begins where that of the code before it ends. */
function valuesOf(first: number, bits: readonly number[]): CodeValues {
  let base = first;
  return { bits: Uint8Array.from(bits), bases: Uint32Array.from(bits, (count) => (base += 1 << count) - (1 << count)) };
}
