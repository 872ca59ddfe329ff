import { expect, test } from "vitest";
import { LedgerProgram } from "./ledger-program.ts";
import { all, expectSound } from "./ledger-suite.ts";
import type { LedgerPlace } from "./ledger-suite.ts";

/** What holds for all kinds of ledger when several processes use one. @param newPlace returns an empty place */
export function ledgerProcesses(newPlace: () => Promise<LedgerPlace>): void {
  test("four processes charging at once take the whole balance, no more, and no request twice", async () => {
    const where = await newPlace();
    const ledger = await where.open();
    await ledger.topUp("mail", 100 * 45 + 99);
    // Each charges the same 60 requests, in its own order, two at a time. All begin when the last one has started.
    const program = await LedgerProgram.make(`
  const ledger = await openLedger(place);
  const numbers = Array.from({ length: 60 }, (_, i) => (i * 7 + 15 * Number(args[0])) % 60);
  const outcomes = [];
  const chargeAll = async () => {
    for (let number; (number = numbers.pop()) !== undefined;) outcomes.push(await ledger.charge(chargeNumber(number)));
  };
  await ledger.topUp("start", 1);
  while ((await ledger.accounts()).find(({ account }) => account === "start").nanocredits < 4);
  await Promise.all([chargeAll(), chargeAll()]);
  await ledger.close();
  for (const outcome of outcomes) print(outcome);`);
    const programs = Array.from({ length: 4 }, (_, i) => program.start(where.place, [String(i)]));
    const outcomes = (await Promise.all(programs.map((running) => running.finished()))).flat();
    expect(outcomes).toHaveLength(4 * 60);
    expect(outcomes.filter((outcome) => outcome === "taken")).toHaveLength(45);
    expect((await ledger.accounts())[0]).toEqual({ account: "mail", nanocredits: 99 });
    expectSound(await all(ledger, { account: "mail" }));
  });
}
