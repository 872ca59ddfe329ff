import { beforeAll, expect, test } from "vitest";
import { lacks } from "../../../support/needs.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { LedgerProgram } from "./ledger-program.ts";
import { lacksMounts, onSmallDisk } from "./small-disk.ts";

/** Charges until charges are refused, makes space, and charges again. Prints the results. */
const PROGRAM = `
  import { execFileSync } from "node:child_process";
  import { rmSync, writeFileSync } from "node:fs";
  import { join } from "node:path";
  const [limit] = args;
  const filler = join(place, "filler");
  if (limit === "space") writeFileSync(filler, "x".repeat(600_000));
  const ledger = await openLedger(join(place, "credits.db"));
  await ledger.topUp("mail", 1_000_000_000);
  const taken = [];
  const refusals = [];
  for (let number = 0; refusals.length < 5; number++) {
    try {
      await ledger.charge(chargeNumber(number));
      taken.push("r" + number);
    } catch ({ code, status, retryable }) {
      refusals.push({ code, status, retryable });
    }
  }
  const canStillRead = await ledger.mayCharge(chargeNumber("new"));
  if (limit === "space") rmSync(filler);
  else execFileSync("prlimit", ["--fsize=unlimited", "--pid", String(process.pid)]);
  const after = await Promise.all(["a", "b"].map((id) => ledger.charge(chargeNumber(id))));
  const charged = [];
  for await (const { requestId } of ledger.entries()) if (requestId !== undefined) charged.push(requestId);
  const [{ nanocredits }] = await ledger.accounts();
  await ledger.close();
  const { default: Database } = await import("libsql");
  const integrity = new Database(join(place, "credits.db")).prepare("PRAGMA integrity_check").get([]).integrity_check;
  print(JSON.stringify({ taken, refusals, canStillRead, after, charged, nanocredits, integrity }));`;

interface Seen {
  readonly taken: readonly string[];
  readonly refusals: readonly unknown[];
  readonly charged: readonly string[];
  readonly nanocredits: number;
}

let program: LedgerProgram;
beforeAll(async () => {
  program = await LedgerProgram.make(PROGRAM);
});

test.skipIf(lacksMounts())("on a full disk, charges are refused and none is lost; once there is space, charging works again", async () => {
  const folder = tempDir();
  await expectRefusalsThenMore(folder, "space", [...onSmallDisk(), folder]);
});

test.skipIf(lacks("prlimit"))(
  "while the file may not grow, charges are refused and none is lost; afterwards, charging works again",
  async () => {
    await expectRefusalsThenMore(tempDir(), "fsize", ["prlimit", "--fsize=200000:unlimited"]);
  },
);

async function expectRefusalsThenMore(folder: string, limit: string, prefix: readonly string[]): Promise<void> {
  const lines = await program.start(folder, [limit], prefix).finished();
  const seen = JSON.parse(lines.join("")) as Seen;
  expect(seen.taken.length).toBeGreaterThan(10);
  expect(seen.refusals).toEqual(Array.from({ length: 5 }, () => ({ code: "backend_unavailable", status: 503, retryable: true })));
  expect(seen).toMatchObject({ canStillRead: true, after: ["taken", "taken"], integrity: "ok" });
  expect(seen.charged).toEqual([...seen.taken, "ra", "rb"]);
  expect(seen.nanocredits).toBe(1_000_000_000 - 100 * seen.charged.length);
}
