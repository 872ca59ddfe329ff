import { BackwardBits } from "./bits.ts";
import { check } from "./damaged.ts";
import { constantTable, readFseTable } from "./fse.ts";
import type { FseTable } from "./fse.ts";
import { LITERALS_LENGTHS, LITERALS_LENGTH_VALUES, MATCH_LENGTHS, MATCH_LENGTH_VALUES, OFFSETS } from "./sequence-codes.ts";
import type { CodeValues, SequenceCodes } from "./sequence-codes.ts";

const [PREDEFINED, RLE, COMPRESSED] = [0, 1, 2];
/** With a greater code, an offset would be larger than any output. */
const MAX_OFFSET_CODE = 30;

export interface SequenceTables {
  readonly literalsLengths: FseTable;
  readonly offsets: FseTable;
  readonly matchLengths: FseTable;
}

/** Copies literals, then a match from earlier output. `offset` is still coded: 1 to 3 refer to offsets of earlier sequences. */
export type OnSequence = (literalsLength: number, offset: number, matchLength: number) => void;

/**
 * Reads the sequences section of a block (RFC 8878, section 3.1.1.3.2).
 * @returns the tables, which the next block may use again.
 * @throws {Damaged}
 */
export function readSequences(section: Uint8Array, last: SequenceTables | undefined, onSequence: OnSequence): SequenceTables | undefined {
  const { count, sizeBytes } = readCount(section);
  if (count === 0) {
    check(sizeBytes === section.length);
    return last;
  }
  const modes = section[sizeBytes] ?? 0;
  check((modes & 3) === 0);
  let at = sizeBytes + 1;
  const table = (codes: SequenceCodes, mode: number, before: FseTable | undefined): FseTable => {
    const read = readTable(section.subarray(at), codes, mode & 3, before);
    at += read.sizeBytes;
    return read.table;
  };
  const literalsLengths = table(LITERALS_LENGTHS, modes >> 6, last?.literalsLengths);
  const offsets = table(OFFSETS, modes >> 4, last?.offsets);
  const matchLengths = table(MATCH_LENGTHS, modes >> 2, last?.matchLengths);
  readStream(new BackwardBits(section.subarray(at)), count, { literalsLengths, offsets, matchLengths }, onSequence);
  return { literalsLengths, offsets, matchLengths };
}

function readCount([b0 = 0, b1 = 0, b2 = 0]: Uint8Array): { readonly count: number; readonly sizeBytes: number } {
  if (b0 < 128) return { count: b0, sizeBytes: 1 };
  return b0 < 255 ? { count: ((b0 - 128) << 8) + b1, sizeBytes: 2 } : { count: b1 + (b2 << 8) + 0x7f00, sizeBytes: 3 };
}

function readTable(
  bytes: Uint8Array,
  { maxLog, maxSymbol, predefined }: SequenceCodes,
  mode: number,
  before: FseTable | undefined,
): { readonly table: FseTable; readonly sizeBytes: number } {
  if (mode === PREDEFINED) return { table: predefined, sizeBytes: 0 };
  if (mode === COMPRESSED) return readFseTable(bytes, maxLog, maxSymbol);
  if (mode === RLE) {
    const [symbol] = bytes;
    check(symbol !== undefined && symbol <= maxSymbol);
    return { table: constantTable(symbol), sizeBytes: 1 };
  }
  check(before !== undefined);
  return { table: before, sizeBytes: 0 };
}

function readStream(stream: BackwardBits, count: number, tables: SequenceTables, onSequence: OnSequence): void {
  const { literalsLengths, offsets, matchLengths } = tables;
  const valueOf = ({ bases, bits }: CodeValues, code: number): number => (bases[code] ?? 0) + stream.read(bits[code] ?? 0);
  const next = ({ bases, bits }: FseTable, state: number): number => (bases[state] ?? 0) + stream.read(bits[state] ?? 0);
  let literalsState = stream.read(literalsLengths.log);
  let offsetState = stream.read(offsets.log);
  let matchState = stream.read(matchLengths.log);
  for (let i = 1; i <= count; i++) {
    const offsetCode = offsets.symbols[offsetState] ?? 0;
    check(offsetCode <= MAX_OFFSET_CODE);
    const offset = 2 ** offsetCode + stream.read(offsetCode);
    const matchLength = valueOf(MATCH_LENGTH_VALUES, matchLengths.symbols[matchState] ?? 0);
    const literalsLength = valueOf(LITERALS_LENGTH_VALUES, literalsLengths.symbols[literalsState] ?? 0);
    if (i < count) {
      literalsState = next(literalsLengths, literalsState);
      matchState = next(matchLengths, matchState);
      offsetState = next(offsets, offsetState);
    }
    // Checked before anything is copied: otherwise a few bytes could ask for hours of work.
    check(stream.left >= 0);
    onSequence(literalsLength, offset, matchLength);
  }
  check(stream.left === 0);
}
