import fc from "fast-check";
import { expect, test } from "vitest";
import { costOf, parsePrices, priceOf } from "../../../src/service/billing/prices.ts";
import { decideError } from "../../support/rejection.ts";

const perMillion = fc.integer({ min: 0, max: 1_000_000_000 }).map((thousandths) => thousandths / 1000);
const tokens = fc.integer({ min: 0, max: 1_000_000 });

test("the cost of a call is exact, in whole nanocredits, at every price with three decimals", () => {
  fc.assert(
    fc.property(perMillion, perMillion, tokens, tokens, (inputPerMillion, outputPerMillion, input_tokens, output_tokens) => {
      const price = parsePrices({ "*": { inputPerMillion, outputPerMillion } })["*"];
      const thousandths = (amount: number): bigint => BigInt(amount.toFixed(3).replace(".", ""));
      const exact = BigInt(input_tokens) * thousandths(inputPerMillion) + BigInt(output_tokens) * thousandths(outputPerMillion);
      const cost = (): number => costOf({ input_tokens, output_tokens }, price ?? expect.fail());
      if (exact > BigInt(Number.MAX_SAFE_INTEGER)) expect(cost).toThrow(expect.objectContaining({ code: "insufficient_credits" }));
      else expect(BigInt(cost())).toBe(exact);
    }),
  );
});

test('a model has its own price, or that of "*", or none', () => {
  const [own, any] = [
    { inputPerMillion: 1, outputPerMillion: 2 },
    { inputPerMillion: 3, outputPerMillion: 4 },
  ];
  expect(priceOf({ "umpire-2": own, "*": any }, "umpire-2")).toBe(own);
  expect(priceOf({ "umpire-2": own, "*": any }, "umpire-1")).toBe(any);
  expect(priceOf({ "umpire-2": own }, "toString")).toBeUndefined();
});

test.each([
  ["an array", [], [[]]],
  ["no prices", {}, [[]]],
  ["a negative price", { a: { inputPerMillion: -1, outputPerMillion: 0 } }, [["a", "inputPerMillion"]]],
  [
    "prices that are not numbers",
    { a: { inputPerMillion: NaN, outputPerMillion: "1" } },
    [
      ["a", "inputPerMillion"],
      ["a", "outputPerMillion"],
    ],
  ],
  [
    "prices that are too high",
    { a: { inputPerMillion: 1e6 + 1, outputPerMillion: Infinity } },
    [
      ["a", "inputPerMillion"],
      ["a", "outputPerMillion"],
    ],
  ],
  [
    "four decimals",
    { a: { inputPerMillion: 0.0001, outputPerMillion: 1.0005 } },
    [
      ["a", "inputPerMillion"],
      ["a", "outputPerMillion"],
    ],
  ],
  [
    "a missing amount and an unknown field",
    { a: { inputPerMillion: 1, output: 1 }, b: 1 },
    [["a", "outputPerMillion"], ["a", "output"], ["b"]],
  ],
])("every issue of invalid prices is named: %s", async (_, prices, places) => {
  const { code, issues } = await decideError(() => parsePrices(prices));
  expect(code).toBe("invalid_request");
  expect(issues?.map(({ loc }) => loc)).toEqual(places.map((path) => ["prices", ...path]));
});
