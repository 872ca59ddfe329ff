import { expect, it } from "vitest";
import { usefulThreads } from "../../../src/library/platform/platform.ts";

it.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 2],
  [6, 3],
  [8, 4],
  [64, 4],
])("on %i processors a run has %i threads", (processors, threads) => {
  expect(usefulThreads(processors)).toBe(threads);
});
