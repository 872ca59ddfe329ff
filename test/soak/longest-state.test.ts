import { createDecider } from "umpire";
import { expect, it } from "vitest";
import { catTokens } from "../support/long-requests.ts";

it("a state of as many tokens as the budget allows is answered, not refused", async () => {
  await using decider = await createDecider();
  const { limits } = await decider.info();
  const { answers, usage } = await decider.decide({
    state: catTokens(limits.stateTokens),
    questions: { cats: { type: "noul", criteria: { true: catTokens(1) } } },
  });
  expect(usage.input_tokens).toBe(limits.stateTokens + 1);
  expect(answers.cats.noul).toBeGreaterThan(0);
});
