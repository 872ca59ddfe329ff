import { createDecider } from "umpire";
import type { Precision } from "umpire";
import { expect, it } from "vitest";
import { comparedWith, difference, golden, mean, sameDecision, share } from "../support/golden.ts";
import type { Compared, GoldenCase } from "../support/golden.ts";

async function compared(precision: Precision, cases: readonly GoldenCase[]): Promise<Compared[]> {
  await using decider = await createDecider({ device: "wasm", precision });
  const answers: Compared[] = [];
  for (const goldenCase of cases) answers.push(...comparedWith(goldenCase, await decider.decide(goldenCase.request)));
  return answers;
}

it("the golden vectors of up to 100 tokens are answered by wasm in fp32 within 1e-5 of every probability", async () => {
  const answers = await compared(
    "fp32",
    golden.cases.filter(({ stateTokens }) => stateTokens <= 100),
  );
  expect(answers.length).toBeGreaterThan(100);
  expect(answers.filter((answer) => !(difference(answer) <= 1e-5))).toEqual([]);
});

it("the golden vectors of up to 1,024 tokens, four windows, are answered by wasm in int8 within 0.06, 0.01 on average, and with the same decision in 96% of all questions", async () => {
  const answers = await compared(
    "int8",
    golden.cases.filter(({ stateTokens }) => stateTokens <= 1024),
  );
  expect(answers.filter((answer) => !(difference(answer) <= 0.06))).toEqual([]);
  expect(mean(answers.map(difference))).toBeLessThan(0.01);
  expect(share(answers, sameDecision)).toBeGreaterThanOrEqual(0.96);
});
