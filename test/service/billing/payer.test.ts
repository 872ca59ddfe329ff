import { describe, expect, it } from "vitest";
import { parseRequest } from "../../../src/library/decide/request.ts";
import type { DecideResponse } from "../../../src/library/decide/types.ts";
import { DecideError } from "../../../src/errors.ts";
import type { ApiKey } from "../../../src/service/auth/keys.ts";
import type { Charge, ChargeId, ChargeOutcome, Credits, Hold, HoldRequest, Ledger } from "../../../src/service/billing/credits.ts";
import { payerOf } from "../../../src/service/billing/payer.ts";
import type { PaidRequest, Payer } from "../../../src/service/billing/payer.ts";
import { decideError } from "../../support/rejection.ts";

const KEY: ApiKey = { name: "desk", sha256: "0".repeat(64) };
const ANSWER = { model: "umpire-2", answers: {}, usage: { input_tokens: 30, output_tokens: 2 } } as DecideResponse;
const PRICES = { "umpire-2": { inputPerMillion: 0.1, outputPerMillion: 0.5 } };
const ID = { account: "desk", requestId: "r1", bodySha256: "abc" };
/** 10 bytes of text, and an answer of one token. */
const BODY = { model: "latest", state: "Ça va", questions: { q: { type: "noul", instructions: "Yes?" } } };
/** 10 tokens at 100 nanocredits, one at 500. */
const GREATEST = 1500;
const REQUEST: PaidRequest = {
  key: KEY,
  requestId: "r1",
  body: { sha256: () => Promise.resolve("abc") },
  parsed: parseRequest(BODY),
  decider: { models: () => Promise.resolve([{ id: "umpire-2", description: "", releaseDate: "2026-01-01", isDefault: true }]) },
  runMs: 8000,
};
const LIMITS = { inputTokens: 1000, signal: new AbortController().signal, timeLimit: new AbortController().signal };
const TOO_LONG = new DecideError("input_too_long", "Too long.", { issues: [{ loc: ["body"], msg: "is too long", type: "too_long" }] });

/** A ledger that always answers the same and records what it is asked. */
class FakeLedger implements Ledger {
  readonly asked: (ChargeId | Charge | HoldRequest)[] = [];
  /** Holds that have not ended. */
  readonly held = new Set<Hold>();
  readonly #outcome: ChargeOutcome;
  readonly #found: Partial<Hold>;

  constructor(outcome: ChargeOutcome = "taken", found: Partial<Hold> = {}) {
    this.#outcome = outcome;
    this.#found = found;
  }

  mayCharge(id: ChargeId): Promise<boolean> {
    this.asked.push(id);
    return Promise.resolve(this.#outcome !== "insufficient");
  }

  hold(request: HoldRequest): Promise<Hold> {
    this.asked.push(request);
    const hold = { id: "1", account: "desk", availableNanocredits: 1e9, othersNanocredits: 0, isPaid: false, ...this.#found };
    this.held.add(hold);
    return Promise.resolve(hold);
  }

  charge(charge: Charge, hold?: Hold): Promise<ChargeOutcome> {
    this.asked.push(charge);
    if (hold) this.held.delete(hold);
    return Promise.resolve(this.#outcome);
  }

  release(hold: Hold): Promise<void> {
    this.held.delete(hold);
    return Promise.resolve();
  }
}

async function payer(ledger: Ledger, prices: Credits["prices"] = PRICES, parsed = REQUEST.parsed): Promise<Payer> {
  const found = await payerOf({ ...REQUEST, parsed }, { ledger, prices });
  if (found === undefined) throw new Error("nobody pays");
  return found;
}

const unasked = (): never => expect.fail("no work is done");

describe("nobody pays", () => {
  const credits: Credits = { ledger: new FakeLedger(), prices: PRICES };

  it.each([
    ["for a service without credits", KEY, undefined],
    ["for a service without keys", undefined, credits],
    ["for a key that is free", { ...KEY, paysCredits: false }, credits],
  ])("%s", async (_, key, credits) => {
    expect(await payerOf({ ...REQUEST, key }, credits)).toBeUndefined();
  });
});

describe("a payer", () => {
  it("asks the ledger for the key's account, the request and its body", async () => {
    const ledger = new FakeLedger();
    await (await payer(ledger)).checkBalance();
    expect(ledger.asked).toEqual([ID]);
  });

  it("holds the greatest price back before the work, for longer than that may run, and ends the hold with the charge", async () => {
    const ledger = new FakeLedger();
    const paying = await payer(ledger);
    const limit = await paying.afford(LIMITS, (maxInputTokens) => {
      expect(ledger.held.size).toBe(1);
      return Promise.resolve(maxInputTokens);
    });
    expect(limit).toBe(LIMITS.inputTokens);
    expect(ledger.asked).toEqual([{ ...ID, nanocredits: GREATEST, leaseMs: 38_000 }]);
    expect(ledger.held.size).toBe(1);
    await paying.charge(ANSWER);
    expect(ledger.held.size).toBe(0);
    await paying.release();
  });

  it("of a choice may pay for the longest of its keys", async () => {
    const choice = { type: "choice", instructions: "x", criteria: { a: null, long: "y" } };
    const ledger = new FakeLedger();
    const paying = await payer(ledger, PRICES, parseRequest({ state: "z", questions: { a: choice, b: choice } }));
    await paying.afford(LIMITS, () => Promise.resolve());
    expect(ledger.asked).toMatchObject([{ nanocredits: (1 + 2 * 7) * 100 + 2 * 4 * 500 }]);
  });

  it("ends the hold of work that failed", async () => {
    const ledger = new FakeLedger();
    const paying = await payer(ledger);
    const lost = new DecideError("worker_lost", "It died.");
    expect(await decideError(() => paying.afford(LIMITS, () => Promise.reject(lost)))).toBe(lost);
    await paying.release();
    expect(ledger.held.size).toBe(0);
  });

  it.each([
    ["all of it", GREATEST - 1, 9],
    ["some tokens of input", 1499, 9],
    ["one token of input", 600, 1],
  ])("with less than the greatest price lets the decider count: the account pays for %s", async (_, availableNanocredits, tokens) => {
    const ledger = new FakeLedger("taken", { availableNanocredits });
    const paying = await payer(ledger);
    expect(await paying.afford(LIMITS, (maxInputTokens) => Promise.resolve(maxInputTokens))).toBe(tokens);
    expect(await decideError(() => paying.afford(LIMITS, () => Promise.reject(TOO_LONG)))).toMatchObject({
      code: "insufficient_credits",
      status: 402,
    });
  });

  it.each([0, 499, 599])("with %i nanocredits, too few for any input besides the answer, is refused before the work", async (available) => {
    const paying = await payer(new FakeLedger("taken", { availableNanocredits: available }));
    expect(await decideError(() => paying.afford(LIMITS, unasked))).toMatchObject({ code: "insufficient_credits" });
  });

  it("whose credits its own other requests hold is told to try again, not that it has too few", async () => {
    const paying = await payer(new FakeLedger("taken", { availableNanocredits: 0, othersNanocredits: 7 }));
    expect(await decideError(() => paying.afford(LIMITS, unasked))).toMatchObject({ code: "overloaded", retryAfterSeconds: 1 });
  });

  it("with enough credits is told what the decider says of a request that is too long, or runs for too long", async () => {
    const rich = await payer(new FakeLedger());
    expect(await decideError(() => rich.afford(LIMITS, () => Promise.reject(TOO_LONG)))).toBe(TOO_LONG);
    const poor = await payer(new FakeLedger("taken", { availableNanocredits: 1400 }));
    const run = new AbortController();
    const runs = poor.afford({ ...LIMITS, timeLimit: run.signal }, () => {
      run.abort(TOO_LONG);
      return Promise.reject(TOO_LONG);
    });
    expect(await decideError(() => runs)).toBe(TOO_LONG);
  });

  it("whose request ends while the ledger is asked does no work, and holds nothing", async () => {
    const ledger = new FakeLedger();
    const caller = new AbortController();
    const affords = (await payer(ledger)).afford({ ...LIMITS, signal: caller.signal }, unasked);
    caller.abort(TOO_LONG);
    expect(await decideError(() => affords)).toBe(TOO_LONG);
    expect(ledger.held.size).toBe(0);
  });

  it("that has paid for the request already holds nothing", async () => {
    const paying = await payer(new FakeLedger("taken_before", { isPaid: true, availableNanocredits: 0 }));
    expect(await paying.afford(LIMITS, (maxInputTokens) => Promise.resolve(maxInputTokens))).toBe(LIMITS.inputTokens);
  });

  it("is served by a model whose input is free, whatever its balance", async () => {
    const paying = await payer(new FakeLedger("taken", { availableNanocredits: 1 }), { "*": { inputPerMillion: 0, outputPerMillion: 0 } });
    expect(await paying.afford(LIMITS, (maxInputTokens) => Promise.resolve(maxInputTokens))).toBe(LIMITS.inputTokens);
  });

  it("charges the cost of the answer's tokens, and tells it", async () => {
    const ledger = new FakeLedger();
    // 30 tokens at 100 nanocredits, 2 at 500.
    expect(await (await payer(ledger)).charge(ANSWER)).toBe(4000);
    expect(ledger.asked).toEqual([{ ...ID, model: "umpire-2", inputTokens: 30, outputTokens: 2, nanocredits: 4000 }]);
  });

  it("is charged nothing for a request that was charged before", async () => {
    expect(await (await payer(new FakeLedger("taken_before"))).charge(ANSWER)).toBe(0);
  });

  it("without credits is refused before the work, and after it if another process has spent them", async () => {
    const poor = await payer(new FakeLedger("insufficient"));
    expect(await decideError(() => poor.checkBalance())).toMatchObject({ code: "insufficient_credits", status: 402 });
    expect(await decideError(() => poor.charge(ANSWER))).toMatchObject({ code: "insufficient_credits", status: 402 });
  });

  it("is not served by a model without a price", async () => {
    const ledger = new FakeLedger();
    const other = { other: PRICES["umpire-2"] };
    expect(await decideError(() => payer(ledger, other))).toMatchObject({ code: "model_not_found", status: 404 });
    // The decider says that there is no such model.
    const unknown = await payer(ledger, other, { ...REQUEST.parsed, model: "unknown" });
    expect(await unknown.afford(LIMITS, (maxInputTokens) => Promise.resolve(maxInputTokens))).toBe(LIMITS.inputTokens);
    expect(await decideError(() => unknown.charge(ANSWER))).toMatchObject({ code: "model_not_found", status: 404 });
    expect(ledger.asked).toEqual([]);
  });
});
