import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entailmentAt } from "../../../src/library/engine/batch.ts";

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
