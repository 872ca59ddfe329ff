import { expect, test } from "vitest";
import { integrityOf } from "../charged.ts";
import { LedgerProgram } from "../ledger-program.ts";
import { ledgerProcesses } from "../ledger-processes.ts";
import { all, expectSound } from "../ledger-suite.ts";
import { SqliteLedgers } from "./sqlite-ledgers.ts";

const ledgers = SqliteLedgers.forTests();

ledgerProcesses(() => Promise.resolve(ledgers.newPlace()));

test("killing processes that charge never loses a confirmed charge, nor takes one twice", async () => {
  const file = ledgers.newFile();
  const ledger = await ledgers.open(file);
  await ledger.topUp("mail", 1_000_000_000);
  const program = await LedgerProgram.make(`
    const ledger = await openLedger(place);
    const [name, first] = args;
    for (let number = Number(first); ; number++) {
      const outcome = await ledger.charge(chargeNumber(name + "-" + number));
      print(number + " " + outcome);
    }`);
  // Four processes at once, killed five times each. Each new one repeats the charge that its predecessor may or may not have made.
  const told = await Promise.all(
    ["a", "b", "c", "d"].map(async (name) => {
      const numbers: number[] = [];
      for (let kills = 0; kills < 5; kills++) {
        const running = program.start(file, [name, String(numbers.length)]);
        await expect.poll(() => running.lines.length, { interval: 1 }).toBeGreaterThan(0);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
        await running.kill();
        for (const [index, line] of running.lines.entries()) {
          expect(line).toMatch(index === 0 ? /^\d+ taken(?:_before)?$/u : /^\d+ taken$/u);
          numbers.push(Number.parseInt(line));
        }
      }
      return { name, numbers };
    }),
  );
  const entries = await all(ledger);
  expectSound(entries);
  const ids = new Set(entries.map(({ requestId }) => requestId));
  for (const { name, numbers } of told) {
    expect(numbers).toEqual(numbers.map((_, index) => index));
    for (const number of numbers) expect(ids).toContain(`r${name}-${number}`);
    // The last charge may have been taken without a confirmation.
    const charged = [...ids].filter((id) => id?.startsWith(`r${name}-`)).length;
    expect(charged - numbers.length).toBeOneOf([0, 1]);
  }
  expect(integrityOf(file)).toBe("ok");
});

test("eight processes can create the same file at once", async () => {
  const file = ledgers.newFile();
  const program = await LedgerProgram.make(`
    const ledger = await openLedger(place);
    await ledger.topUp("mail", 1);
    await ledger.close();`);
  await Promise.all(Array.from({ length: 8 }, () => program.start(file).finished()));
  expect(await (await ledgers.open(file)).accounts()).toEqual([{ account: "mail", nanocredits: 8 }]);
});
