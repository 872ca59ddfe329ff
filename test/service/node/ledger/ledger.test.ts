import { expect, test } from "vitest";
import { checkBalance, checkCharge, checkTopUp } from "../../../../src/service/node/ledger/ledger.ts";
import { decideError } from "../../../support/rejection.ts";
import { chargeNumber } from "./charges.ts";

const MAX = Number.MAX_SAFE_INTEGER;

test("valid top-ups, charges and balances pass", () => {
  checkTopUp("a", 1, undefined);
  checkTopUp("A_b.c-9".padEnd(64, "x"), MAX, "é".repeat(200));
  checkTopUp("mail", 1, "");
  checkCharge(chargeNumber(1, { nanocredits: 0, inputTokens: 0, outputTokens: 0 }));
  checkBalance(MAX);
});

test.each<[string, [string, number, string?], string]>([
  ["a name that no key can have", ["a b", 1], "account must be the name of a key"],
  ["an amount of 0", ["mail", 0], `nanocredits must be a whole number from 1 to ${MAX}, but is 0`],
  ["a part of a nanocredit", ["mail", 0.5], `nanocredits must be a whole number from 1 to ${MAX}, but is 0.5`],
  ["an amount that cannot be counted exactly", ["mail", MAX + 1], "nanocredits must be a whole number"],
  ["a long note", ["mail", 1, "x".repeat(201)], "note must be at most 200 characters"],
  ["a note with a line break", ["mail", 1, "secret\n"], "note must be at most 200 characters, without line breaks"],
])("a top-up with %s is refused without quoting it", async (_, topUp, message) => {
  const error = await decideError(() => {
    checkTopUp(...(topUp as [string, number, string]));
  });
  expect(error).toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining(`The top-up is not valid: ${message}`) as string,
  });
  expect(error.message).not.toContain("secret");
});

test("all that is wrong with a top-up is named at once", async () => {
  const { issues, message } = await decideError(() => {
    checkTopUp("", -1, "\u0000");
  });
  expect(issues?.map(({ loc }) => loc)).toEqual([
    ["topUp", "account"],
    ["topUp", "nanocredits"],
    ["topUp", "note"],
  ]);
  expect(message).toContain("(the first of 3 issues)");
});

test.each([{ nanocredits: -1 }, { inputTokens: 0.5 }, { outputTokens: NaN }])(
  "an invalid charge, %j, is a mistake of ours",
  async (wrong) => {
    expect(
      await decideError(() => {
        checkCharge(chargeNumber(1, wrong));
      }),
    ).toMatchObject({ code: "internal" });
  },
);

test("a balance that could not be counted exactly is refused", async () => {
  expect(
    await decideError(() => {
      checkBalance(MAX + 1);
    }),
  ).toMatchObject({ code: "invalid_request" });
});
