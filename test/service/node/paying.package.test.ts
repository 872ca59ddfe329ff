import { join } from "node:path";
import type { DecideResponse } from "umpire";
import { openLedger } from "umpire/serve";
import { expect, test } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";
import { costOf, keysOf, PRICE, secretOf, STATES } from "./ledger/paying-clients.ts";
import { running } from "./running.ts";
import type { Running } from "./running.ts";

/** What who pays meets at the service's door. */

const ask = ({ ask }: Running, account: string, requestId: string): Promise<Response> =>
  ask(STATES[2] ?? "", { headers: { authorization: `Bearer ${secretOf(account)}`, "x-request-id": requestId } });

test("a key that can pay a request exactly is served, also again for nothing; one that lacks a nanocredit costs no work", async () => {
  await using ledger = await openLedger(join(tempDir(), "credits.db"));
  await using served = await running({
    keys: await keysOf(["rich", "exact", "poor", "dust"]),
    credits: { ledger, prices: { "*": PRICE } },
  });
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
