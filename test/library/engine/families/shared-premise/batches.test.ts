import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBatches, toRuns } from "../../../../../src/library/engine/families/shared-premise/batches.ts";

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
