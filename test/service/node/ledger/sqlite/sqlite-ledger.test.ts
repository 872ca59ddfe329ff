import { chmod, copyFile, link, mkdir, open as openFile, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { NEW_LEDGER } from "../../../../../src/service/node/ledger/ledger.ts";
import type { LedgerNotice } from "../../../../../src/service/node/ledger/ledger.ts";
import { decideError } from "../../../../support/rejection.ts";
import { tempDir } from "../../../../support/temp-dir.ts";
import { chargeNumber } from "../charges.ts";
import { ledgerSuite } from "../ledger-suite.ts";
import { SqliteLedgers } from "./sqlite-ledgers.ts";

const ledgers = SqliteLedgers.forTests();
const open = ledgers.open.bind(ledgers);
const newFile = ledgers.newFile.bind(ledgers);

ledgerSuite(() => Promise.resolve(ledgers.newPlace()));

test("while another process locks the file, charges are refused in time and reads go on; then charging works again", async () => {
  const file = newFile();
  // Long enough for a machine that is busy with other things.
  const ledger = await open(file, { busyTimeoutMs: 1000 });
  await ledger.topUp("mail", 1000);
  const holder = new Database(file);
  holder.exec("BEGIN IMMEDIATE");
  let turns = 0;
  const turn = (): void => void (turns++, (turning = setImmediate(turn)));
  let turning = setImmediate(turn);
  const refused = decideError(() => ledger.charge(chargeNumber(1)));
  expect(await ledger.mayCharge(chargeNumber(1))).toBe(true);
  expect(await refused).toMatchObject({ code: "backend_unavailable", status: 503, retryable: true });
  clearImmediate(turning);
  // The event loop went on; if the wait had blocked it, there would be one turn or two.
  expect(turns).toBeGreaterThan(5);
  holder.exec("ROLLBACK");
  holder.close();
  expect(await ledger.charge(chargeNumber(1))).toBe("taken");
});

test("charges that wait for another process's lock are refused together, not one after another", async () => {
  const file = newFile();
  const ledger = await open(file, { busyTimeoutMs: 500 });
  await ledger.topUp("mail", 10_000);
  const holder = new Database(file);
  holder.exec("BEGIN IMMEDIATE");
  const startMs = performance.now();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, number) => ledger.charge(chargeNumber(number))));
  const tookMs = performance.now() - startMs;
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: "backend_unavailable", retryable: true } });
  // One after another they would take 20 times as long as a lock may.
  expect(tookMs).toBeLessThan(10 * 500);
  holder.exec("ROLLBACK");
  holder.close();
  expect(await ledger.charge(chargeNumber(1))).toBe("taken");
  expect(await ledger.accounts()).toEqual([{ account: "mail", nanocredits: 9900 }]);
});

test("a write that is refused changes nothing, and leaves those beside it alone", async () => {
  const ledger = await open(newFile());
  const outcomes = await Promise.allSettled([
    ledger.topUp("mail", 1000),
    ledger.topUp("mail", Number.MAX_SAFE_INTEGER),
    ledger.charge(chargeNumber(1)),
  ]);
  expect(outcomes).toMatchObject([{ status: "fulfilled" }, { reason: { code: "invalid_request" } }, { value: "taken" }]);
  expect(await ledger.accounts()).toEqual([{ account: "mail", nanocredits: 900 }]);
});

test("closing waits for the writes under way", async () => {
  const file = newFile();
  const ledger = await open(file);
  const writes = Promise.all([ledger.topUp("mail", 1000), ledger.charge(chargeNumber(1)), ledger.charge(chargeNumber(2))]);
  await new Promise(setImmediate);
  await Promise.all([ledger.close(), writes]);
  expect(await (await open(file)).accounts()).toEqual([{ account: "mail", nanocredits: 800 }]);
});

test("a file that is damaged, or made by another program or a newer version, is refused and not changed", async () => {
  const [noise, other, newer] = [newFile(), newFile(), newFile()];
  await writeFile(noise, "x".repeat(10_000));
  for (const [file, sql] of [
    [other, "CREATE TABLE mails (text TEXT)"],
    [newer, "PRAGMA user_version = 99"],
  ] as const) {
    const database = new Database(file);
    database.exec(sql);
    database.close();
  }
  for (const file of [noise, other, newer]) {
    const before = await readFile(file);
    expect(await decideError(() => open(file))).toMatchObject({ code: "backend_unavailable", status: 503, retryable: false });
    // The header may change, because it contains the journal mode.
    expect((await readFile(file)).subarray(100)).toEqual(before.subarray(100));
  }
});

test("a ledger that was damaged after its creation refuses to charge", async () => {
  const file = newFile();
  const first = await open(file);
  await first.topUp("mail", 1_000_000);
  await Promise.all(Array.from({ length: 500 }, (_, number) => first.charge(chargeNumber(number))));
  await first.close();
  const handle = await openFile(file, "r+");
  const { size } = await handle.stat();
  await handle.write(Buffer.alloc(size - 4096, 0xff), 0, size - 4096, 4096);
  await handle.close();
  expect(
    await decideError(async () => {
      const ledger = await open(file);
      await ledger.charge(chargeNumber(1000));
    }),
  ).toMatchObject({ code: "backend_unavailable", status: 503, retryable: false });
});

const CHANGES: [what: string, change: (file: string) => Promise<unknown>][] = [
  ["it is deleted", (file) => rm(file)],
  ["it is replaced by another ledger", (file) => rename(file, `${file}.old`).then(() => copyFile(`${file}.old`, file))],
  ["its -wal file is deleted", (file) => rm(`${file}-wal`)],
  ["its -shm file is deleted", (file) => rm(`${file}-shm`)],
  ["its folder is moved", (file) => rename(dirname(file), `${dirname(file)}.moved`)],
];

test.skipIf(process.platform === "win32").each(CHANGES)("nothing is charged any more once %s, which is told once", async (_, change) => {
  const place = tempDir();
  const notices: LedgerNotice[] = [];
  const ledger = await open(join(place, "credits.db"), { onNotice: (notice) => notices.push(notice) });
  await ledger.topUp("mail", 1000);
  const hold = await ledger.hold({ ...chargeNumber(1), leaseMs: 60_000 });
  expect(notices.splice(0)).toEqual([NEW_LEDGER]);
  await change(join(place, "credits.db"));
  for (const use of [
    () => ledger.charge(chargeNumber(1), hold),
    () => ledger.mayCharge(chargeNumber(1)),
    () => ledger.hold({ ...chargeNumber(2), leaseMs: 1 }),
    () => ledger.topUp("mail", 1),
  ])
    expect(await decideError(use)).toMatchObject({ code: "backend_unavailable", status: 503, message: /no longer at its place/u });
  await ledger.release(hold);
  expect(notices).toEqual([{ level: "error", message: expect.stringContaining("no longer at its place") as string }]);
});

test.skipIf(process.platform === "win32")("a file that is put back can be charged again, with what was charged before", async () => {
  const place = tempDir();
  const [file, target, link] = [join(place, "real/credits.db"), join(place, "target"), join(place, "link.db")];
  await mkdir(dirname(file));
  await symlink("real/credits.db", link);
  const notices: LedgerNotice[] = [];
  const ledger = await open(link, { onNotice: (notice) => notices.push(notice) });
  await ledger.topUp("mail", 1000);
  expect(await ledger.charge(chargeNumber(1))).toBe("taken");
  notices.length = 0;
  const away = async (move: () => Promise<void>, back: () => Promise<void>): Promise<void> => {
    await move();
    expect(await decideError(() => ledger.charge(chargeNumber(2)))).toMatchObject({ code: "backend_unavailable" });
    await back();
    expect(await ledger.charge(chargeNumber(1))).toBe("taken_before");
  };
  await away(
    () => rename(dirname(file), target),
    () => rename(target, dirname(file)),
  );
  await away(
    () => rm(link).then(() => writeFile(link, "")),
    () => rm(link).then(() => symlink("real/credits.db", link)),
  );
  expect(notices.map(({ level }) => level)).toEqual(["error", "info", "error", "info"]);
  expect(await ledger.accounts()).toEqual([{ account: "mail", nanocredits: 900 }]);
});

test("a clock that is set back and forth never makes a retry cost again within a day, and no longer after it", async () => {
  const HOUR_MS = 3_600_000;
  let [timeMs, steadyMs] = [Date.UTC(2026, 10, 22), 5000];
  const clock = { timeMs: () => timeMs, steadyMs: () => steadyMs };
  const pass = (ms: number): void => void ((timeMs += ms), (steadyMs += ms));
  const file = newFile();
  const ledger = await open(file, { clock });
  await ledger.topUp("mail", 1000);
  expect(await ledger.charge(chargeNumber("now"))).toBe("taken");
  timeMs += 48 * HOUR_MS;
  expect(await ledger.charge(chargeNumber("now"))).toBe("taken_before");
  expect(await ledger.charge(chargeNumber("in the future"))).toBe("taken");
  timeMs -= 96 * HOUR_MS;
  for (const id of ["now", "in the future"]) expect(await ledger.charge(chargeNumber(id))).toBe("taken_before");
  expect(await ledger.charge(chargeNumber("in the past"))).toBe("taken");
  timeMs += 48 * HOUR_MS;
  pass(23 * HOUR_MS);
  for (const id of ["now", "in the future", "in the past"]) expect(await ledger.charge(chargeNumber(id))).toBe("taken_before");
  // Entries that were there before a program started go by the time at which they were made.
  const later = await open(file, { clock });
  expect(await later.charge(chargeNumber("now"))).toBe("taken_before");
  pass(2 * HOUR_MS);
  expect(await later.charge(chargeNumber("now"))).toBe("taken");
  expect(await ledger.charge(chargeNumber("in the past"))).toBe("taken");
});

test("what one process holds back does not bind another, but no balance is ever spent twice", async () => {
  const file = newFile();
  const [one, two] = [await open(file), await open(file)];
  await one.topUp("mail", 100);
  const hold = await one.hold({ ...chargeNumber(1), leaseMs: 60_000 });
  expect(await two.charge(chargeNumber(2))).toBe("taken");
  expect(await one.charge(chargeNumber(1), hold)).toBe("insufficient");
  expect(await one.accounts()).toEqual([{ account: "mail", nanocredits: 0 }]);
});

test("a file with a second name is refused: programs that use both would damage it", async () => {
  const file = newFile();
  await (await open(file)).close();
  await link(file, `${file}.link`);
  for (const name of [file, `${file}.link`])
    expect(await decideError(() => open(name))).toMatchObject({ code: "backend_unavailable", message: /hard links/u });
});

test("a copy in another mode of SQLite, as VACUUM INTO makes it, can be used", async () => {
  const [file, copy] = [newFile(), newFile()];
  await (await open(file)).topUp("mail", 100);
  const database = new Database(file);
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  expect(await (await open(copy)).charge(chargeNumber(1))).toBe("taken");
});

test("a missing folder is refused with advice", async () => {
  const error = await decideError(() => open(join(tempDir(), "no/such/folder.db")));
  expect(error).toMatchObject({ code: "backend_unavailable", retryable: false });
  expect(error.message).toContain("folder");
});

test.skipIf(process.getuid?.() === 0)("a read-only file refuses to charge", async () => {
  const file = newFile();
  await (await open(file)).close();
  await chmod(file, 0o444);
  expect(await decideError(async () => (await open(file)).charge(chargeNumber(1)))).toMatchObject({
    code: "backend_unavailable",
    retryable: false,
  });
});
