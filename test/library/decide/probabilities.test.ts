import { describe, expect, it } from "vitest";
import { argmax } from "../../../src/library/decide/questions/question-kind.ts";

describe("the index of the largest probability", () => {
  it("is the first of the largest", () => {
    expect(argmax(Float64Array.of(0.2, 0.2, 0.2))).toBe(0);
    expect(argmax(Float64Array.of(0.1, 0.45, 0.45))).toBe(1);
    expect(argmax(Float64Array.of(0, 0, 1))).toBe(2);
  });
});
