import { chmod, copyFile, link, mkdir, mkdtemp, open as openFile, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "libsql";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openSqliteLedger } from "../../../../src/serve/ledger/sqlite/sqlite-ledger.ts";
import { NEW_LEDGER } from "../../../../src/serve/ledger/ledger.ts";
import type { AdminLedger, LedgerNotice } from "../../../../src/serve/ledger/ledger.ts";
import { decideError } from "../../../support/rejection.ts";
import { chargeNumber } from "../charges.ts";
import { LedgerProgram } from "../ledger-program.ts";
import { all, expectSound, ledgerSuite } from "../ledger-suite.ts";

let folder: string;
let files = 0;
const opened: AdminLedger[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-credits-"));
});

afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
});

afterAll(() => rm(folder, { recursive: true }));

function newFile(): string {
  return join(folder, `${files++}.db`);
}

async function open(file: string, options: Parameters<typeof openSqliteLedger>[1] = {}): Promise<AdminLedger> {
  const ledger = await openSqliteLedger(file, options);
  opened.push(ledger);
  return ledger;
}

ledgerSuite(() => {
  const file = newFile();
  return Promise.resolve({ place: file, open: (options) => open(file, options) });
});

test("killing processes that charge never loses a confirmed charge, nor takes one twice", async () => {
  const file = newFile();
  const ledger = await open(file);
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
  expect(integrity(file)).toBe("ok");
});

test("eight processes can create the same file at once", async () => {
  const file = newFile();
  const program = await LedgerProgram.make(`
    const ledger = await openLedger(place);
    await ledger.topUp("mail", 1);
    await ledger.close();`);
  await Promise.all(Array.from({ length: 8 }, () => program.start(file).finished()));
  expect(await (await open(file)).accounts()).toEqual([{ account: "mail", nanocredits: 8 }]);
});

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
  const place = await mkdtemp(join(folder, "gone-"));
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
  const place = await mkdtemp(join(folder, "back-"));
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
  const error = await decideError(() => open(join(folder, "no/such/folder.db")));
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

function integrity(file: string): unknown {
  const database = new Database(file);
  try {
    return (database.prepare("PRAGMA integrity_check").get([]) as { readonly integrity_check: string }).integrity_check;
  } finally {
    database.close();
  }
}
