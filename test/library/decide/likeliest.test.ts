import { describe, expect, it } from "vitest";
import { likeliest } from "../../../src/library/decide/likeliest.ts";

describe("the likeliest", () => {
  it("is the first of the largest", () => {
    expect(likeliest(Float64Array.of(0.2, 0.2, 0.2))).toBe(0);
    expect(likeliest(Float64Array.of(0.1, 0.45, 0.45))).toBe(1);
    expect(likeliest(Float64Array.of(0, 0, 1))).toBe(2);
  });
});
