import { expect, it } from "vitest";
import { macroF1 } from "../../../src/library/statistics/metrics.ts";

it("a label that is given but never right is not a class, but lowers the others' F1", () => {
  const answers = [
    { right: 0, given: 0 },
    { right: 0, given: 2 },
  ];
  // Of label 0: 1 hit, 2 right, 1 given.
  expect(macroF1(answers, 3)).toBeCloseTo(2 / 3, 12);
});
