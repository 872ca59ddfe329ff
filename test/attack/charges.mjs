import { openLedger } from "umpire/serve";

/** What a ledger has charged: nanocredits by request id, how many are charged twice, sums by account, and whether balances are the sums of entries. */
export async function chargesIn(path) {
  const ledger = await openLedger(path);
  const charges = new Map();
  const sums = new Map();
  const charged = new Map();
  let twice = 0;
  let isExact = true;
  for await (const { kind, account, requestId, nanocredits, balanceAfter } of ledger.entries()) {
    sums.set(account, (sums.get(account) ?? 0) + nanocredits);
    isExact &&= sums.get(account) === balanceAfter;
    if (kind !== "charge") continue;
    if (charges.has(requestId)) twice++;
    charges.set(requestId, -nanocredits);
    charged.set(account, (charged.get(account) ?? 0) - nanocredits);
  }
  for (const { account, nanocredits } of await ledger.accounts()) isExact &&= sums.get(account) === nanocredits;
  await ledger.close();
  return { charges, charged, twice, isExact };
}
