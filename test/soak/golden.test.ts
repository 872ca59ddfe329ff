import { createDecider } from "umpire";
import { expect, it } from "vitest";
import { LONGEST_QUICK_TOKENS, comparedWith, difference, golden } from "../support/golden.ts";

it.each([
  ["fp32", 1e-5],
  ["int8", 0.06],
] as const)("the golden vectors of the longest states are answered in %s within %f of every probability", async (precision, most) => {
  await using decider = await createDecider({ precision });
  const long = golden.cases.filter(({ stateTokens }) => stateTokens > LONGEST_QUICK_TOKENS);
  expect(long.length).toBeGreaterThan(2);
  for (const goldenCase of long) {
    const answers = comparedWith(goldenCase, await decider.decide(goldenCase.request));
    expect(answers.filter((answer) => !(difference(answer) <= most))).toEqual([]);
  }
});
