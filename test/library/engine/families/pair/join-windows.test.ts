import { expect, it } from "vitest";
import { joinWindows } from "../../../../../src/library/engine/families/pair/join-windows.ts";

it("the score of an option is that of the window that entails it most", () => {
  expect(joinWindows([-3, 2, -7])).toBe(2);
  expect(joinWindows([-3])).toBe(-3);
});
