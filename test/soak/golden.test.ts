import { createDecider } from "umpire";
import { expect, it } from "vitest";
import { LONGEST_QUICK_TOKENS, comparedWith, difference, golden } from "../support/golden.ts";

it.each([
  ["fp32", -1, 1e-5],
  // npm test asks about the others.
  ["int8", LONGEST_QUICK_TOKENS, 0.06],
] as const)(
  "the golden vectors are answered in %s, of states above %i tokens, within %f of every probability",
  async (precision, above, most) => {
    await using decider = await createDecider({ precision });
    const long = golden.cases.filter(({ stateTokens }) => stateTokens > above);
    expect(long.length).toBeGreaterThan(2);
    for (const goldenCase of long) {
      const answers = comparedWith(goldenCase, await decider.decide(goldenCase.request));
      expect(answers.filter((answer) => !(difference(answer) <= most))).toEqual([]);
    }
  },
);
