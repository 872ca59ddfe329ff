import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entailmentAt, remembering, toWindows } from "../../../src/library/engine/batch.ts";

const tokenize = (text: string): readonly number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

describe("a tokenizer that remembers", () => {
  it("gives each text its own tokens, whatever was read before", () => {
    const texts = ["cat", "__proto__", "", "cat cat", "constructor"];
    const alone = texts.map(tokenize);
    const remembered = remembering(tokenize);
    for (let round = 0; round < 2; round++) expect(texts.map((text) => remembered(text))).toEqual(alone);
  });

  it("reads a text once", () => {
    let reads = 0;
    const remembered = remembering((text) => {
      reads++;
      return [text.length];
    });
    expect([remembered("cat"), remembered("cat"), remembered("dog")]).toEqual([[3], [3], [3]]);
    expect(reads).toBe(2);
  });
});

describe("windows", () => {
  it.each<[number, number[]]>([
    [0, [0]],
    [1, [0]],
    [382, [0]],
    [383, [0, 1]],
    [700, [0, 318]],
    [701, [0, 159, 319]],
    [1018, [0, 318, 636]],
  ])("of %i tokens start at %j, 382 tokens each, 64 of them shared", (tokens, starts) => {
    expect(toWindows(tokens, 382, 64)).toEqual(starts.map((start) => ({ start, length: Math.min(tokens, 382) })));
  });

  it("of 16,384 tokens are 52", () => {
    expect(toWindows(16_384, 382, 64)).toHaveLength(52);
  });

  it("cover every token in order, have one length, and overlap by the overlap or more", () => {
    const sizes = fc
      .tuple(fc.integer({ min: 2, max: 500 }), fc.nat(20_000), fc.nat())
      .map(([capacity, tokens, part]) => ({ capacity, tokens, overlap: part % (capacity - 1) }));
    fc.assert(
      fc.property(sizes, ({ capacity, tokens, overlap }) => {
        const windows = toWindows(tokens, capacity, overlap);
        expect(windows[0]?.start).toBe(0);
        expect(new Set(windows.map(({ length }) => length))).toEqual(new Set([Math.min(tokens, capacity)]));
        const last = windows.at(-1);
        expect((last?.start ?? 0) + (last?.length ?? 0)).toBe(tokens);
        // One expectation of all of them: there are hundreds of thousands.
        const wrong = windows.filter(({ start }, i) => {
          const before = windows[i - 1];
          return before !== undefined && !(start > before.start && before.start + before.length - start >= overlap);
        });
        expect(wrong).toEqual([]);
        // No more of them than it takes.
        if (windows.length > 1) expect((windows.length - 2) * (capacity - overlap) + capacity).toBeLessThan(tokens);
      }),
      { numRuns: 300 },
    );
  });
});

const LABELS = ["entailment", "neutral", "contradiction"] as const;
// Beyond this, 1 - p of the test's own formula loses its digits.
const logit = fc.float({ min: -10, max: 10, noNaN: true });

describe("the entailment score", () => {
  it("is the log-odds of entailment among the three labels", () => {
    fc.assert(
      fc.property(logit, logit, logit, (e, n, c) => {
        const p = Math.exp(e) / (Math.exp(e) + Math.exp(n) + Math.exp(c));
        expect(entailmentAt(Float32Array.of(e, n, c), 0, LABELS)).toBeCloseTo(Math.log(p / (1 - p)), 4);
      }),
    );
  });

  it("is that of its row, in the order of the pack's labels", () => {
    const logits = Float32Array.of(9, 9, 9, 1, 2, 3);
    const turned = ["contradiction", "entailment", "neutral"] as const;
    expect(entailmentAt(logits, 1, turned)).toBeCloseTo(2 - Math.log(Math.exp(3) + Math.exp(1)), 6);
  });

  it("of two labels is the difference of their logits, wherever entailment stands", () => {
    expect(entailmentAt(Float32Array.of(2.5, -1.25), 0, ["entailment", "not_entailment"])).toBe(3.75);
    expect(entailmentAt(Float32Array.of(2.5, -1.25), 0, ["not_entailment", "entailment"])).toBe(-3.75);
  });

  it("does not overflow for large logits", () => {
    expect(entailmentAt(Float32Array.of(1000, 999, 0), 0, LABELS)).toBeCloseTo(1, 6);
  });

  it("is refused where it is not a number, and where there is no such row", () => {
    expect(() => entailmentAt(Float32Array.of(NaN, 0, 0), 0, LABELS)).toThrow(expect.objectContaining({ code: "backend_failed" }) as Error);
    expect(() => entailmentAt(Float32Array.of(0, 0, 0), 1, LABELS)).toThrow(expect.objectContaining({ code: "internal" }) as Error);
  });
});
