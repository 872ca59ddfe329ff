import { expect, it } from "vitest";
import { isMostlyUnknown } from "../../../src/engine/encoders/unknown.ts";

const UNKNOWN = 3;

it("a text is mostly unknown from a third of its tokens on", () => {
  expect(isMostlyUnknown([UNKNOWN], UNKNOWN)).toBe(true);
  expect(isMostlyUnknown([7, UNKNOWN, 8], UNKNOWN)).toBe(true);
  expect(isMostlyUnknown([7, UNKNOWN, 8, 9], UNKNOWN)).toBe(false);
});

it("a text without tokens, or of a vocabulary that can spell everything, is not", () => {
  expect(isMostlyUnknown([], UNKNOWN)).toBe(false);
  expect(isMostlyUnknown([7, 8], undefined)).toBe(false);
});
