import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBatches } from "../../../../src/engine/families/shared-premise/batches.ts";

const anyOptions = fc.array(fc.array(fc.nat({ max: 50 }), { maxLength: 30 }), { minLength: 1, maxLength: 60 });

describe("the batches of a question's options", () => {
  it("hold each text once", () => {
    fc.assert(
      fc.property(anyOptions, fc.nat({ max: 5000 }), (options, cached) => {
        const read = toBatches(options, cached).flat().map(String);
        expect(new Set(read).size).toBe(read.length);
        expect(new Set(read)).toEqual(new Set(options.map(String)));
      }),
    );
  });

  it("do not depend on the order of the options", () => {
    fc.assert(
      fc.property(anyOptions, fc.nat({ max: 5000 }), (options, cached) => {
        expect(toBatches(options.toReversed(), cached)).toEqual(toBatches(options, cached));
      }),
    );
  });

  it("are few where the options are of like length, and more where padding or memory would cost too much", () => {
    const like = Array.from({ length: 10 }, (_, i) => [i, i]);
    expect(toBatches(like, 100)).toHaveLength(1);
    expect(toBatches([...like, Array.from({ length: 100 }, () => 1)], 100)).toHaveLength(2);
    const many = Array.from({ length: 255 }, (_, i) => Array.from({ length: 20 }, () => i));
    expect(toBatches(many, 16_000).length).toBeGreaterThan(toBatches(many, 100).length);
  });
});
