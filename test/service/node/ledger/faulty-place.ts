import { join } from "node:path";
import type { DecideRequest, DecideResponse } from "umpire";
import { openLedger } from "umpire/serve";
import { beforeAll, expect, vi } from "vitest";
import { sharedDecider } from "../../../support/shared-decider.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { requestAbout } from "../running.ts";
import { chargedOnce } from "./charged.ts";
import { PRICE, STATES, answersOf, isAnswered } from "./paying-clients.ts";
import type { PaidRequest, PayingClient } from "./paying-clients.ts";

export const ACCOUNTS = ["mail", "shop", "blog", "docs"];
export const PRICES = { "*": PRICE };
const TOP_UP = 1_000_000_000_000;
/** Long, so that a busy machine does not fail the tests. */
export const WAIT = { timeout: 120_000, interval: 2 };

/** What tests with faults share: a folder for ledgers, and the right answers. */
export class FaultyPlace {
  readonly folder = tempDir();
  /** The right answer for each state. */
  readonly answers = new Map<string, DecideResponse>();

  /** Call it at the top of a test file. */
  static forTests(): FaultyPlace {
    const place = new FaultyPlace();
    beforeAll(async () => {
      for (const state of STATES) place.answers.set(state, await sharedDecider.decide(requestAbout(state) as DecideRequest));
    });
    return place;
  }

  /** Creates a ledger file in which every account has more credits than it will spend. */
  async ledgerFile(name: string): Promise<string> {
    const path = join(this.folder, name);
    await using ledger = await openLedger(path);
    await topUpAll(ledger);
    return path;
  }

  expectRightAnswers(requests: readonly PaidRequest[]): void {
    const seen = answersOf(requests);
    expect(seen.length).toBeGreaterThan(0);
    for (const { state, body } of seen) expect(body).toEqual(this.answers.get(state));
  }

  /** The ids of the requests that the ledger at `path` has charged. */
  async chargedIn(path: string, requests: readonly PaidRequest[]): Promise<Set<string>> {
    await using ledger = await openLedger(path);
    return await chargedOnce(ledger, requests, this.answers);
  }
}

export async function topUpAll(ledger: Awaited<ReturnType<typeof openLedger>>): Promise<void> {
  for (const account of ACCOUNTS) await ledger.topUp(account, TOP_UP);
}

/** Waits until the clients together have got `count` more answers. */
export async function untilAnswered(clients: readonly PayingClient[], count: number): Promise<void> {
  const answered = (): number => clients.reduce((sum, { requests }) => sum + requests.filter(isAnswered).length, 0);
  const enough = answered() + count;
  await vi.waitUntil(() => answered() >= enough, WAIT);
}

export async function stopped(clients: readonly PayingClient[], runs: readonly Promise<void>[]): Promise<void> {
  for (const client of clients) client.stop();
  await Promise.all(runs);
}
