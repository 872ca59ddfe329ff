import { expect, it } from "vitest";
import { joinWindows } from "../../../../../src/library/engine/families/gliclass/join-windows.ts";

it("a label's score is the highest of its windows", () => {
  expect(joinWindows([Float32Array.of(1, -2), Float32Array.of(-3, 4), Float32Array.of(0, 0)])).toEqual(Float32Array.of(1, 4));
  expect(joinWindows([Float32Array.of(-5)])).toEqual(Float32Array.of(-5));
});

it("a score that is no number is not hidden by others", () => {
  expect(joinWindows([Float32Array.of(1), Float32Array.of(NaN)])).toEqual(Float32Array.of(NaN));
  expect(joinWindows([Float32Array.of(NaN), Float32Array.of(1)])).toEqual(Float32Array.of(NaN));
});
