import { describe, expect, it } from "vitest";
import {
  maskOf,
  maskSize,
  questionSequence,
  questionTokens,
  togetherOf,
  windowSequence,
} from "../../../../../src/library/engine/families/shared-premise/sequence.ts";
import type { Sequence } from "../../../../../src/library/engine/families/shared-premise/sequence.ts";

const SPECIAL = { clsId: 101, sepId: 102 };
/** A row a token: `x` is what it sees. */
const drawn = (sequence: Sequence, pastRows: number, isPastMasked = false): string[] => {
  const mask = maskOf(sequence, pastRows, isPastMasked);
  const width = pastRows + sequence.ids.length;
  return Array.from({ length: sequence.ids.length }, (_, row) =>
    Array.from(mask.subarray(row * width, (row + 1) * width), (value) => (value === 0 ? "x" : ".")).join(""),
  );
};

describe("a sequence", () => {
  it("of a window is one segment", () => {
    const sequence = windowSequence([7, 8], SPECIAL);
    expect(sequence.ids).toEqual([101, 7, 8, 102]);
    expect(sequence.positions).toEqual([0, 1, 2, 3]);
    expect(sequence.types).toEqual([0, 0, 0, 0]);
    expect(sequence.firstTokens).toEqual([0]);
    expect(drawn(sequence, 0)).toEqual(["xxxx", "xxxx", "xxxx", "xxxx"]);
    expect(drawn(sequence, 1, true)).toEqual([".xxxx", ".xxxx", ".xxxx", ".xxxx"]);
  });

  it("of a question has its options behind it, whose positions follow its own", () => {
    const sequence = questionSequence([7], [[8], [], [9, 9]], SPECIAL);
    expect(sequence.ids).toEqual([101, 7, 102, 101, 8, 102, 101, 102, 101, 9, 9, 102]);
    expect(sequence.positions).toEqual([0, 1, 2, 3, 4, 5, 3, 4, 3, 4, 5, 6]);
    expect(sequence.types).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    expect(sequence.firstTokens).toEqual([3, 6, 8]);
    expect(questionTokens(sequence)).toBe(3);
  });

  it("shows an option the past, its question and itself, and the question no option", () => {
    const rows = drawn(questionSequence([7], [[8], []], SPECIAL), 2);
    expect(rows.slice(0, 3)).toEqual(Array(3).fill("xxxxx....."));
    expect(rows.slice(3, 6)).toEqual(Array(3).fill("xxxxxxxx.."));
    expect(rows.slice(6)).toEqual(Array(2).fill("xxxxx...xx"));
  });

  it("without a question has options alone, whose positions begin at 0", () => {
    const sequence = questionSequence([], [[8], [9]], SPECIAL);
    expect(questionTokens(sequence)).toBe(0);
    expect(sequence.positions).toEqual([0, 1, 2, 0, 1, 2]);
    expect(sequence.firstTokens).toEqual([0, 3]);
    expect(drawn(sequence, 1)[0]).toBe("xxxx...");
  });
});

describe("sequences of one run", () => {
  const sequences = [
    questionSequence([7], [[8], []], SPECIAL),
    questionSequence([], [[9, 9]], SPECIAL),
    questionSequence([5, 6], [[1]], SPECIAL),
  ];
  const PAST = 2;
  const together = togetherOf(sequences, PAST);

  it("lie one behind the other, with the positions that they have by themselves", () => {
    expect(together.ids).toEqual(sequences.flatMap(({ ids }) => ids));
    expect(together.positions).toEqual(sequences.flatMap(({ positions }) => positions));
    expect(together.types).toEqual(sequences.flatMap(({ types }) => types));
  });

  it("have places, by which each is found with its first tokens and its mask", () => {
    expect(together.places).toHaveLength(3);
    for (const [i, sequence] of sequences.entries()) {
      const [token = NaN, tokenEnd, firstToken, firstTokenEnd, mask, maskEnd] = together.places[i] ?? [];
      expect(together.ids.slice(token, tokenEnd)).toEqual(sequence.ids);
      expect(together.firstTokens.slice(firstToken, firstTokenEnd)).toEqual(sequence.firstTokens.map((first) => token + first));
      expect(together.mask.slice(mask, maskEnd)).toEqual(maskOf(sequence, PAST, false));
    }
    expect(together.mask).toHaveLength(sequences.reduce((sum, { ids }) => sum + maskSize(ids.length, PAST), 0));
  });
});
