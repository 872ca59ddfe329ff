import { chmod, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DecideResponse } from "umpire";
import { openLedger } from "umpire/serve";
import { afterEach, beforeEach, expect, test } from "vitest";
import { costOf, keyEntries, keysOf, PRICE, secretOf, STATES } from "./ledger/paying-clients.ts";
import { requestAbout, running } from "./running.ts";
import type { Running } from "./running.ts";
import { freeFixedPort, ServerProcess } from "./server-process.ts";

/** What who pays meets at the service's door. */

const STATE = STATES[2] ?? "";
const PRICES = { "*": PRICE };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-paying-"));
});
afterEach(() => rm(folder, { recursive: true }));

const ask = ({ ask }: Running, account: string, requestId: string): Promise<Response> =>
  ask(STATE, { headers: { authorization: `Bearer ${secretOf(account)}`, "x-request-id": requestId } });

test("a key that can pay a request exactly is served, also again for nothing; one that lacks a nanocredit costs no work", async () => {
  await using ledger = await openLedger(join(folder, "credits.db"));
  await using served = await running({ keys: await keysOf(["rich", "exact", "poor", "dust"]), credits: { ledger, prices: PRICES } });
  await ledger.topUp("rich", 1_000_000_000);
  const cost = costOf((await (await ask(served, "rich", "r1")).json()) as DecideResponse);
  await ledger.topUp("exact", cost);
  await ledger.topUp("poor", cost - 1);
  await ledger.topUp("dust", 1);

  expect((await ask(served, "exact", "r2")).status).toBe(200);
  expect((await ask(served, "exact", "r2")).status).toBe(200);
  for (const account of ["poor", "dust"]) {
    const refused = await ask(served, account, `r-${account}`);
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      error: { code: "insufficient_credits", message: expect.stringContaining("too few") as string },
    });
    // An answer would have had tokens.
    const line = served.log.find((logged) => logged.includes(`"r-${account}"`));
    expect(line).toContain('"status":402');
    expect(line).not.toContain("inputTokens");
  }
  // With another nanocredit, it is served.
  await ledger.topUp("poor", 1);
  expect((await ask(served, "poor", "r4")).status).toBe(200);
  expect((await ledger.accounts()).filter(({ account }) => account !== "rich")).toEqual([
    { account: "dust", nanocredits: 1 },
    { account: "exact", nanocredits: 0 },
    { account: "poor", nanocredits: 0 },
  ]);
});

test("while the ledger's file is away, who pays gets 503 and the log says so once; others are served. Without its key file, nobody is", async () => {
  const [keys, credits] = [join(folder, "keys.json"), join(folder, "credits.db")];
  await writeFile(keys, JSON.stringify({ keys: await keyEntries(["mail", "free"]) }));
  await chmod(keys, 0o644);
  await using ledger = await openLedger(credits);
  await ledger.topUp("mail", 1_000_000_000);
  const server = await ServerProcess.start(await freeFixedPort(), ["--keys", keys, "--credits", credits, "--price", "0.1/0.4"]);
  const statusFor = async (account: string): Promise<number> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${secretOf(account)}` };
    const init = { method: "POST", headers, body: JSON.stringify(requestAbout(STATE)) };
    return (await fetch(`${server.url}/decision/v1/model`, init)).status;
  };
  const logged = (part: string): number => server.log.filter((line) => line.includes(part) && !line.includes("requestId")).length;
  try {
    if (process.platform !== "win32") expect(logged("may read the key file")).toBe(1);
    expect(await statusFor("mail")).toBe(200);
    await rename(credits, `${credits}.away`);
    for (let i = 0; i < 3; i++) expect(await statusFor("mail")).toBe(503);
    expect(await statusFor("free")).toBe(200);
    await rename(`${credits}.away`, credits);
    expect(await statusFor("mail")).toBe(200);
    await rm(keys);
    await expect.poll(() => statusFor("free"), { timeout: 60_000 }).toBe(503);
  } finally {
    await server.end("SIGTERM");
  }
  expect(logged("no longer at its place")).toBe(1);
  expect(logged("can be used again")).toBe(1);
  expect(logged("nobody is let in")).toBe(1);
});
