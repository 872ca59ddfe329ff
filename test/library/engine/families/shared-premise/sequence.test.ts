import { describe, expect, it } from "vitest";
import {
  maskOf,
  maskSize,
  sequenceOf,
  tokensIn,
  togetherOf,
  toBatches,
  toRuns,
} from "../../../../../src/library/engine/families/shared-premise/sequence.ts";
import type { Sequence } from "../../../../../src/library/engine/families/shared-premise/sequence.ts";
import fc from "fast-check";

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
    const sequence = sequenceOf({ window: [7, 8] }, SPECIAL);
    expect(sequence.ids).toEqual([101, 7, 8, 102]);
    expect(sequence.positions).toEqual([0, 1, 2, 3]);
    expect(sequence.types).toEqual([0, 0, 0, 0]);
    expect(sequence.firstTokens).toEqual([0]);
    expect(drawn(sequence, 0)).toEqual(["xxxx", "xxxx", "xxxx", "xxxx"]);
    expect(drawn(sequence, 1, true)).toEqual([".xxxx", ".xxxx", ".xxxx", ".xxxx"]);
  });

  it("of a question has its options behind it, whose positions follow its own", () => {
    const sequence = sequenceOf({ question: [7], options: [[8], [], [9, 9]] }, SPECIAL);
    expect(sequence.ids).toEqual([101, 7, 102, 101, 8, 102, 101, 102, 101, 9, 9, 102]);
    expect(sequence.positions).toEqual([0, 1, 2, 3, 4, 5, 3, 4, 3, 4, 5, 6]);
    expect(sequence.types).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    expect(sequence.firstTokens).toEqual([3, 6, 8]);
    expect(tokensIn(sequence, "question")).toBe(3);
  });

  it("shows an option the past, its question and itself, and the question no option", () => {
    const rows = drawn(sequenceOf({ question: [7], options: [[8], []] }, SPECIAL), 2);
    expect(rows.slice(0, 3)).toEqual(Array(3).fill("xxxxx....."));
    expect(rows.slice(3, 6)).toEqual(Array(3).fill("xxxxxxxx.."));
    expect(rows.slice(6)).toEqual(Array(2).fill("xxxxx...xx"));
  });

  it("without a question has options alone, whose positions begin at 0", () => {
    const sequence = sequenceOf({ question: [], options: [[8], [9]] }, SPECIAL);
    expect(tokensIn(sequence, "question")).toBe(0);
    expect(sequence.positions).toEqual([0, 1, 2, 0, 1, 2]);
    expect(sequence.firstTokens).toEqual([0, 3]);
    expect(drawn(sequence, 1)[0]).toBe("xxxx...");
  });
});

describe("sequences of one run", () => {
  const sequences = [
    sequenceOf({ question: [7], options: [[8], []] }, SPECIAL),
    sequenceOf({ question: [], options: [[9, 9]] }, SPECIAL),
    sequenceOf({ question: [5, 6], options: [[1]] }, SPECIAL),
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

const tokens = (maxLength: number): fc.Arbitrary<number[]> => fc.array(fc.nat({ max: 50 }), { maxLength });
const anyOptions = fc.array(tokens(30), { minLength: 1, maxLength: 60 });
const stateTokens = fc.nat({ max: 20_000 });
/** With the two special tokens of a segment. */
const tokensOf = (segments: readonly (readonly number[])[]): number => segments.reduce((sum, ids) => sum + ids.length + 2, 0);

describe("the batches of a question's options", () => {
  it("hold each text once", () => {
    fc.assert(
      fc.property(anyOptions, tokens(200), stateTokens, (options, question, state) => {
        const read = toBatches(options, question, state).flat().map(String);
        expect(new Set(read).size).toBe(read.length);
        expect(new Set(read)).toEqual(new Set(options.map(String)));
      }),
    );
  });

  it("do not depend on the order of the options", () => {
    fc.assert(
      fc.property(anyOptions, tokens(200), stateTokens, (options, question, state) => {
        expect(toBatches(options.toReversed(), question, state)).toEqual(toBatches(options, question, state));
      }),
    );
  });

  it("take at most 128 tokens with the question, or twice the question, unless one option takes more", () => {
    fc.assert(
      fc.property(anyOptions, tokens(200), stateTokens, (options, question, state) => {
        const asked = question.length === 0 ? 0 : question.length + 2;
        for (const batch of toBatches(options, question, state)) {
          expect(batch.length).toBeGreaterThan(0);
          if (batch.length > 1) expect(asked + tokensOf(batch)).toBeLessThanOrEqual(Math.max(128, 2 * asked));
        }
      }),
    );
  });

  it("are few on short states, and more where memory would cost too much", () => {
    const ten = Array.from({ length: 10 }, (_, i) => [i, i]);
    expect(toBatches(ten, [1, 2, 3], 100)).toHaveLength(1);
    const many = Array.from({ length: 255 }, (_, i) => Array.from({ length: 20 }, () => i));
    expect(toBatches(many, [1, 2, 3], 100)).toHaveLength(51);
    expect(toBatches(many, [1, 2, 3], 16_000).length).toBeGreaterThan(51);
  });
});

describe("the runs of questions", () => {
  it("have 192 tokens at most, and a run of just as many is one", () => {
    expect(runsOf([96, 96], 10)).toEqual([[96, 96]]);
    expect(runsOf([96, 97], 10)).toEqual([[96], [97]]);
  });

  const lengths = fc.array(fc.integer({ min: 2, max: 400 }), { maxLength: 60 });
  const runsOf = (sizes: readonly number[], state: number): number[][] =>
    toRuns(
      sizes.map((size) => ({ sequence: { ids: new Array<number>(size).fill(7) } })),
      state,
    ).map((run) => run.map(({ sequence }) => sequence.ids.length));
  const scoresOf = (sizes: readonly number[], state: number): number => sizes.reduce((sum, size) => sum + size * (state + size), 0);
  const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);
  const fits = (sizes: readonly number[], state: number): boolean => sumOf(sizes) <= 192 && scoresOf(sizes, state) <= 2 ** 20;

  it("hold all of them, in order", () => {
    fc.assert(
      fc.property(lengths, stateTokens, (sizes, state) => {
        expect(runsOf(sizes, state).flat()).toEqual(sizes);
      }),
    );
  });

  it("take at most 192 tokens and as many attention scores as one question may have, unless one alone takes more, and no fewer than they could", () => {
    fc.assert(
      fc.property(lengths, stateTokens, (sizes, state) => {
        const runs = runsOf(sizes, state);
        for (const [i, run] of runs.entries()) {
          expect(run.length === 1 || fits(run, state)).toBe(true);
          const [next] = runs[i + 1] ?? [];
          if (next !== undefined) expect(fits([...run, next], state)).toBe(false);
        }
      }),
    );
  });
});
