import { expect, test } from "vitest";
import { creditsText, nanocreditsFrom } from "../../../../src/tools/cli/input/credit-amounts.ts";

test.each([
  ["1", 1_000_000_000],
  ["0.1", 100_000_000],
  ["0.000000001", 1],
  ["9007199.254740991", Number.MAX_SAFE_INTEGER],
  ["1234567.000000089", 1_234_567_000_000_089],
])("an amount is read and shown without rounding: %s", (text, nanocredits) => {
  expect(nanocreditsFrom(text)).toBe(nanocredits);
  expect(creditsText(nanocredits)).toBe(text);
  expect(creditsText(-nanocredits)).toBe(`-${text}`);
});

test("an amount may have decimals of zero, which are not shown again", () => {
  expect(nanocreditsFrom("12.500")).toBe(12_500_000_000);
  expect(creditsText(12_500_000_000)).toBe("12.5");
  expect(creditsText(0)).toBe("0");
});

test.each(["0", "0.0", "-1", "1e3", "1,5", ".5", "0.0000000001", "9007199.254740992", "99999999"])(
  "an invalid amount is refused: %s",
  (text) => {
    expect(() => nanocreditsFrom(text)).toThrow("at most 9007199.254740991");
  },
);
