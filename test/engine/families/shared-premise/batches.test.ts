import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBatches } from "../../../../src/engine/families/shared-premise/batches.ts";

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
