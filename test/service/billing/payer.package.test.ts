import { expect, test } from "vitest";
import { parseRequest } from "../../../src/library/decide/request.ts";
import { greatestUsage } from "../../../src/service/billing/payer.ts";
import { sharedDecider } from "../../support/shared-decider.ts";

const CHOICE = { type: "choice", instructions: "Which?", criteria: { a: null, "a_long-key 😀": { with: ["a", 1e20] } } } as const;

test.each([
  ["English", "The parcel came late, and I want my money back!"],
  ["Hangul, which the tokenizer takes apart", "각각의 한국어 문장"],
  ["signs that many tokenizers spell out", "ﷺ ㍍ ½ ᾂ İ 𝔘 e\u0301\u0323"],
  ["signs of one character each", "!?!?()[]中文字-.,;:😀🏳️‍🌈"],
  ["an object with numbers", { amount: 1e20, list: [1e300, -0.000001, null, true] }],
])("no request has more tokens than this says: %s", async (_, state) => {
  const request = {
    state,
    questions: {
      choice: CHOICE,
      noul: { type: "noul", instructions: "각?", criteria: { true: "ΐ", false: null } },
      score: { type: "score", instructions: "How?", criteria: ["low", "각"] },
    },
  } as const;
  const { usage } = await sharedDecider.decide(request);
  const greatest = greatestUsage(parseRequest(request));
  expect(usage.input_tokens).toBeLessThanOrEqual(greatest.input_tokens);
  expect(usage.output_tokens).toBeLessThanOrEqual(greatest.output_tokens);
});
