import { expect, it } from "vitest";
import { fromBase64, toBase64 } from "../../../src/library/lessons/lesson-format.ts";

it("float32 values are little-endian, whatever the machine", () => {
  const text = "AACAPwAAAMA=";
  expect(toBase64([1, -2])).toBe(text);
  expect(fromBase64(text, 2)).toEqual(Float32Array.of(1, -2));
});
