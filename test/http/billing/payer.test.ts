import { describe, expect, it } from "vitest";
import type { DecideResponse } from "../../../src/decide/types.ts";
import type { ApiKey } from "../../../src/http/auth/keys.ts";
import type { Charge, ChargeId, ChargeOutcome, Credits, Ledger } from "../../../src/http/billing/credits.ts";
import { payerOf } from "../../../src/http/billing/payer.ts";
import type { Payer } from "../../../src/http/billing/payer.ts";
import type { Body } from "../../../src/http/body/body.ts";
import { decideError } from "../../support/rejection.ts";

const KEY: ApiKey = { name: "desk", sha256: "0".repeat(64) };
const BODY: Body = { value: {}, sizeBytes: 2, sha256: () => Promise.resolve("abc") };
const ANSWER = { model: "umpire-2", answers: {}, usage: { input_tokens: 30, output_tokens: 2 } } as DecideResponse;
const PRICES = { "umpire-2": { inputPerMillion: 0.1, outputPerMillion: 0.5 } };

/** A ledger that always answers the same and records what it is asked. */
class FakeLedger implements Ledger {
  readonly asked: (ChargeId | Charge)[] = [];
  readonly #outcome: ChargeOutcome;

  constructor(outcome: ChargeOutcome = "taken") {
    this.#outcome = outcome;
  }

  mayCharge(id: ChargeId): Promise<boolean> {
    this.asked.push(id);
    return Promise.resolve(this.#outcome !== "insufficient");
  }

  charge(charge: Charge): Promise<ChargeOutcome> {
    this.asked.push(charge);
    return Promise.resolve(this.#outcome);
  }
}

async function payer(ledger: Ledger, prices: Credits["prices"] = PRICES): Promise<Payer> {
  const found = await payerOf(KEY, "r1", BODY, { ledger, prices });
  if (found === undefined) throw new Error("nobody pays");
  return found;
}

describe("nobody pays", () => {
  const credits: Credits = { ledger: new FakeLedger(), prices: PRICES };

  it.each([
    ["for a service without credits", KEY, undefined],
    ["for a service without keys", undefined, credits],
    ["for a key that is free", { ...KEY, paysCredits: false }, credits],
  ])("%s", async (_, key, credits) => {
    expect(await payerOf(key, "r1", BODY, credits)).toBeUndefined();
  });
});

describe("a payer", () => {
  it("asks the ledger for the key's account, the request and its body", async () => {
    const ledger = new FakeLedger();
    await (await payer(ledger)).checkBalance();
    expect(ledger.asked).toEqual([{ account: "desk", requestId: "r1", bodySha256: "abc" }]);
  });

  it("charges the cost of the answer's tokens, and tells it", async () => {
    const ledger = new FakeLedger();
    // 30 tokens at 100 nanocredits, 2 at 500.
    expect(await (await payer(ledger)).charge(ANSWER)).toBe(4000);
    expect(ledger.asked).toEqual([
      { account: "desk", requestId: "r1", bodySha256: "abc", model: "umpire-2", inputTokens: 30, outputTokens: 2, nanocredits: 4000 },
    ]);
  });

  it("is charged nothing for a request that was charged before", async () => {
    expect(await (await payer(new FakeLedger("taken_before"))).charge(ANSWER)).toBe(0);
  });

  it("without credits is refused before the work, and after it if the cost is too high", async () => {
    const poor = await payer(new FakeLedger("insufficient"));
    expect(await decideError(() => poor.checkBalance())).toMatchObject({ code: "insufficient_credits", status: 402 });
    expect(await decideError(() => poor.charge(ANSWER))).toMatchObject({ code: "insufficient_credits", status: 402 });
  });

  it("is not charged by a model without a price", async () => {
    const ledger = new FakeLedger();
    const error = await decideError(async () => (await payer(ledger, { other: PRICES["umpire-2"] })).charge(ANSWER));
    expect(error).toMatchObject({ code: "model_not_found", status: 404 });
    expect(ledger.asked).toEqual([]);
  });
});
