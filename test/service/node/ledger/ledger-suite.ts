import fc from "fast-check";
import { expect, test } from "vitest";
import type { Hold } from "../../../../src/service/billing/credits.ts";
import type { AdminLedger, EntryFilter, LedgerEntry, LedgerOptions } from "../../../../src/service/node/ledger/ledger.ts";
import { decideError } from "../../../support/rejection.ts";
import { chargeNumber } from "./charges.ts";

/** A place for a ledger, for one test. */
export interface LedgerPlace {
  readonly place: string;
  /** Opens the ledger. It is closed when the test ends. */
  open(options?: LedgerOptions): Promise<AdminLedger>;
}

/** The behaviour that all kinds of ledger share. @param newPlace returns an empty place */
export function ledgerSuite(newPlace: () => Promise<LedgerPlace>): void {
  test("a charge is taken once however often it is retried, and never beyond the balance", async () => {
    const ledger = await (await newPlace()).open();
    expect(await ledger.mayCharge(chargeNumber(1))).toBe(false);
    expect(await ledger.charge(chargeNumber(1))).toBe("insufficient");
    await ledger.topUp("mail", 150, "invoice 17");
    expect(await ledger.mayCharge(chargeNumber(1))).toBe(true);
    expect(await ledger.charge(chargeNumber(1))).toBe("taken");
    expect(await ledger.charge(chargeNumber(1))).toBe("taken_before");
    expect(await ledger.charge(chargeNumber(2))).toBe("insufficient");
    expect(await ledger.charge(chargeNumber(3, { nanocredits: 50 }))).toBe("taken");
    // The balance is spent, but retries of charged requests may pass.
    expect(await ledger.mayCharge(chargeNumber(2))).toBe(false);
    expect(await ledger.mayCharge(chargeNumber(1))).toBe(true);
    expect(await ledger.charge(chargeNumber(4, { nanocredits: 0 }))).toBe("taken");
    expect(await ledger.accounts()).toEqual([{ account: "mail", nanocredits: 0 }]);
  });

  const LEASE_MS = 60_000;

  test("what is held back for one request is not there for another of the account, until it is released or charged", async () => {
    const ledger = await (await newPlace()).open();
    await ledger.topUp("mail", 250);
    const hold = (number: number, nanocredits: number, account = "mail"): Promise<Hold> =>
      ledger.hold({ ...chargeNumber(number, { account }), nanocredits, leaseMs: LEASE_MS });
    const first = await hold(1, 100);
    expect(first).toMatchObject({ account: "mail", availableNanocredits: 250, othersNanocredits: 0, isPaid: false });
    // It asks for more than there is, and holds the rest.
    const second = await hold(2, 1000);
    expect(second).toMatchObject({ availableNanocredits: 150, othersNanocredits: 100 });
    expect(await hold(3, 1)).toMatchObject({ availableNanocredits: 0, othersNanocredits: 250 });
    expect(await hold(4, 1, "chat")).toMatchObject({ availableNanocredits: 0, othersNanocredits: 0 });
    await ledger.release(second);
    await ledger.release(second);
    expect(await ledger.charge(chargeNumber(1, { nanocredits: 30 }), first)).toBe("taken");
    const third = await hold(5, 1);
    expect(third).toMatchObject({ availableNanocredits: 220, othersNanocredits: 0 });
    // The balance stayed as it was.
    expect((await ledger.accounts())[0]).toEqual({ account: "mail", nanocredits: 220 });
    // A request that has been charged needs no hold.
    expect(await hold(1, 100)).toMatchObject({ isPaid: true });
    expect(await ledger.charge(chargeNumber(1), third)).toBe("taken_before");
    expect(await ledger.charge(chargeNumber(6, { nanocredits: 220 }), await hold(6, 220))).toBe("taken");
    expect((await ledger.accounts())[0]).toEqual({ account: "mail", nanocredits: 0 });
  });

  test("a hold that nobody ends does so by itself", async () => {
    const ledger = await (await newPlace()).open();
    await ledger.topUp("mail", 100);
    const hold = (number: number, leaseMs: number): Promise<Hold> => ledger.hold({ ...chargeNumber(number), nanocredits: 40, leaseMs });
    await hold(1, LEASE_MS);
    await hold(2, 1);
    // Holds of other requests are looked at, and do not count once their time is over.
    await expect
      .poll(async () => {
        const next = await hold(3, LEASE_MS);
        await ledger.release(next);
        return next.othersNanocredits;
      })
      .toBe(40);
  });

  test("an invalid hold is refused", async () => {
    const ledger = await (await newPlace()).open();
    for (const change of [{ nanocredits: -1 }, { nanocredits: NaN }, { leaseMs: 0.5 }])
      expect(await decideError(() => ledger.hold({ ...chargeNumber(1), leaseMs: 1, ...change }))).toMatchObject({ code: "internal" });
  });

  test("the same request id with another body or account is another request", async () => {
    const ledger = await (await newPlace()).open();
    await ledger.topUp("mail", 1000);
    await ledger.topUp("chat", 1000);
    const others = [{}, { bodySha256: "1".repeat(64) }, { account: "chat" }];
    for (const other of others) expect(await ledger.charge(chargeNumber(1, other))).toBe("taken");
    for (const other of others) expect(await ledger.charge(chargeNumber(1, other))).toBe("taken_before");
    expect(await ledger.accounts()).toEqual([
      { account: "chat", nanocredits: 900 },
      { account: "mail", nanocredits: 800 },
    ]);
  });

  test("a charged request is forgotten after its time", async () => {
    const ledger = await (await newPlace()).open({ rememberedMs: 150 });
    await ledger.topUp("mail", 1000);
    expect(await ledger.charge(chargeNumber(1))).toBe("taken");
    // A slow machine may need longer than that for the second charge. Other tests repeat one soon.
    await new Promise((resolve) => setTimeout(resolve, 170));
    expect(await ledger.charge(chargeNumber(1))).toBe("taken");
  });

  test("balances are exact up to the largest that an account can hold, and cannot exceed it", async () => {
    const ledger = await (await newPlace()).open();
    const max = Number.MAX_SAFE_INTEGER;
    expect((await ledger.topUp("mail", max - 1)).balanceAfter).toBe(max - 1);
    expect(await decideError(() => ledger.topUp("mail", 2))).toMatchObject({ code: "invalid_request" });
    expect((await ledger.topUp("mail", 1)).balanceAfter).toBe(max);
    expect(await ledger.charge(chargeNumber(1, { nanocredits: 3 }))).toBe("taken");
    expect(await ledger.accounts()).toEqual([{ account: "mail", nanocredits: max - 3 }]);
    expect(await ledger.charge(chargeNumber(2, { nanocredits: max - 2 }))).toBe("insufficient");
    expect(await ledger.charge(chargeNumber(3, { nanocredits: max - 3 }))).toBe("taken");
    expect((await all(ledger)).map(({ balanceAfter }) => balanceAfter)).toEqual([max - 1, max, max - 3, 0]);
  });

  test("every charge and top-up becomes an entry with all its details", async () => {
    const ledger = await (await newPlace()).open();
    const startMs = Date.now();
    const added = await ledger.topUp("mail", 1000, 'a "b", ç');
    await ledger.charge(chargeNumber(1));
    await ledger.topUp("chat", 5);
    const entries = await all(ledger);
    const endMs = Date.now();
    const charged = { requestId: "r1", model: "umpire-2", inputTokens: 144, outputTokens: 1 };
    expect(entries.map(({ id: _, timeMs: __, ...entry }) => entry)).toEqual([
      { account: "mail", kind: "top_up", nanocredits: 1000, balanceAfter: 1000, note: 'a "b", ç' },
      { account: "mail", kind: "charge", nanocredits: -100, balanceAfter: 900, ...charged },
      { account: "chat", kind: "top_up", nanocredits: 5, balanceAfter: 5 },
    ]);
    expect(entries[0]).toEqual(added);
    for (const { timeMs } of entries) {
      expect(timeMs).toBeGreaterThanOrEqual(startMs - 1);
      expect(timeMs).toBeLessThanOrEqual(endMs + 1);
    }
    expect(await all(ledger, { account: "mail" })).toEqual(entries.slice(0, 2));
    expect(await all(ledger, { sinceMs: (entries[2]?.timeMs ?? 0) + 1 })).toEqual([]);
    expect(await all(ledger, { sinceMs: entries[0]?.timeMs })).toEqual(entries);
  });

  test("more entries than a page holds arrive once each and in order, also for two readers at a time", async () => {
    const ledger = await (await newPlace()).open();
    await ledger.topUp("mail", 1_000_000);
    const numbers = Array.from({ length: 1234 }, (_, number) => number);
    await Promise.all(numbers.map((number) => ledger.charge(chargeNumber(number))));
    const [one, two] = await Promise.all([all(ledger), all(ledger, { account: "mail" })]);
    expect(one.slice(1).map(({ requestId }) => requestId)).toEqual(numbers.map((number) => `r${number}`));
    expect(two).toEqual(one);
  });

  test("an invalid top-up or charge is refused and changes nothing", async () => {
    const ledger = await (await newPlace()).open();
    for (const nanocredits of [0, -1, 0.5, NaN, Infinity, 2 ** 53])
      expect(await decideError(() => ledger.topUp("mail", nanocredits))).toMatchObject({ code: "invalid_request" });
    for (const account of ["", "a b", "x".repeat(65), "mail\n"])
      expect(await decideError(() => ledger.topUp(account, 1))).toMatchObject({ code: "invalid_request" });
    for (const note of ["x".repeat(201), "a\nb"])
      expect(await decideError(() => ledger.topUp("mail", 1, note))).toMatchObject({ code: "invalid_request" });
    for (const nanocredits of [-1, 0.5, NaN])
      expect(await decideError(() => ledger.charge(chargeNumber(1, { nanocredits })))).toMatchObject({ code: "internal" });
    expect([await ledger.accounts(), await all(ledger)]).toEqual([[], []]);
  });

  test("in any order, a balance equals its top-ups minus its charges, and each request is charged once", async () => {
    const step = fc.oneof(
      { weight: 1, arbitrary: fc.record({ topUp: fc.integer({ min: 1, max: 500 }) }) },
      { weight: 4, arbitrary: fc.record({ request: fc.integer({ min: 0, max: 5 }), nanocredits: fc.integer({ min: 0, max: 200 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ step, waits: fc.boolean() }), { minLength: 10, maxLength: 40 }), async (steps) => {
        const ledger = await (await newPlace()).open();
        const taken = new Map<number, number>();
        let added = 0;
        const asked = [];
        for (const { step, waits } of steps) {
          asked.push(
            "topUp" in step
              ? ledger.topUp("mail", step.topUp).then(() => void (added += step.topUp))
              : ledger.charge(chargeNumber(step.request, { nanocredits: step.nanocredits })).then((outcome) => {
                  if (outcome === "taken_before") expect(taken.has(step.request)).toBe(true);
                  if (outcome !== "taken") return;
                  expect(taken.has(step.request)).toBe(false);
                  taken.set(step.request, step.nanocredits);
                }),
          );
          if (waits) await asked.at(-1);
        }
        await Promise.all(asked);
        const balance = added - [...taken.values()].reduce((a, b) => a + b, 0);
        expect((await ledger.accounts())[0]?.nanocredits ?? 0).toBe(balance);
        expectSound(await all(ledger));
        await ledger.close();
      }),
      { numRuns: 20 },
    );
  });

  test("close completes the operations under way and refuses later ones", async () => {
    const place = await newPlace();
    const ledger = await place.open();
    const added = ledger.topUp("mail", 7);
    await Promise.all([ledger.close(), ledger.close()]);
    expect((await added).balanceAfter).toBe(7);
    expect(await decideError(() => ledger.charge(chargeNumber(1)))).toMatchObject({ code: "closed" });
    expect(await decideError(() => ledger.mayCharge(chargeNumber(1)))).toMatchObject({ code: "closed" });
    expect(await (await place.open()).accounts()).toEqual([{ account: "mail", nanocredits: 7 }]);
  });
}

export async function all(ledger: AdminLedger, filter?: EntryFilter): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const entry of ledger.entries(filter)) entries.push(entry);
  return entries;
}

/** Checks the entries of one account: they add up one after the other, never below zero, and contain no request twice. */
export function expectSound(entries: readonly LedgerEntry[]): void {
  let balance = 0;
  for (const { nanocredits, balanceAfter } of entries) {
    balance += nanocredits;
    expect(balanceAfter).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  const requests = entries.flatMap(({ requestId }) => requestId ?? []);
  expect(new Set(requests).size).toBe(requests.length);
}
