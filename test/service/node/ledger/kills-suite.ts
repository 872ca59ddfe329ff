import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { createDecider } from "umpire";
import { openLedger } from "umpire/serve";
import { expect, test } from "vitest";
import { chargedOnce, integrityOf } from "./charged.ts";
import { ACCOUNTS, FaultyPlace, PRICES, stopped, untilAnswered } from "./faulty-place.ts";
import { PayingClient, isAnswered, isRepeated, keyEntries, keysOf, statusesOf } from "./paying-clients.ts";
import type { PaidRequest } from "./paying-clients.ts";
import { running } from "../running.ts";
import { ServerProcess, freeFixedPort } from "../server-process.ts";

/** What must hold when the worker, or the whole server, dies under load again and again. */
export function killsSuite({ workerKills, serverKills }: { readonly workerKills: number; readonly serverKills: number }): void {
  const place = FaultyPlace.forTests();

  test(`a worker killed ${workerKills} times under load fails only the request it was running, which is not charged`, async () => {
    const workers: Worker[] = [];
    const onWorker = (worker: Worker): void => void workers.push(worker);
    process.on("worker", onWorker);
    await using ledger = await openLedger(await place.ledgerFile("worker-killed.db"));
    await using decider = createDecider({ threads: 1 });
    await using served = await running({ decider, keys: await keysOf(ACCOUNTS), credits: { ledger, prices: PRICES } });
    const clients = ACCOUNTS.map((account) => new PayingClient(account, served.server.url));
    const runs = clients.map((client) => client.run());
    const requests = (): PaidRequest[] => clients.flatMap((client) => client.requests);
    const lost = (): PaidRequest[] => requests().filter((request) => statusesOf([request]).includes(503));
    const losses = (): number => statusesOf(requests()).filter((status) => status === 503).length;
    let kills = 0;
    try {
      // Sometimes a worker has just answered, and its death loses nothing. Both kinds of requests are to be lost: those that are sent once, and others.
      while (losses() < workerKills || new Set(lost().map(isRepeated)).size < 2) {
        // More answers than can have been on their way at the last kill, so the new worker is running.
        await untilAnswered(clients, clients.length);
        kills++;
        await sleep((kills * 7) % 50);
        await workers.at(-1)?.terminate();
        expect(losses()).toBeLessThanOrEqual(kills);
      }
      await untilAnswered(clients, 20);
    } finally {
      process.off("worker", onWorker);
      await stopped(clients, runs);
    }
    expect(new Set(statusesOf(requests()))).toEqual(new Set([200, 503]));
    for (const { outcomes } of lost()) expect(outcomes[0]).toMatchObject({ status: 503, body: { error: { code: "worker_lost" } } });
    // The lost requests that were not repeated show whether a request without an answer was charged.
    expect(lost().filter((request) => !isAnswered(request)).length).toBeGreaterThan(0);
    expect(lost().filter(isAnswered).length).toBeGreaterThan(0);
    place.expectRightAnswers(requests());
    const charged = await chargedOnce(ledger, requests(), place.answers);
    expect(charged).toEqual(
      new Set(
        requests()
          .filter(isAnswered)
          .map(({ id }) => id),
      ),
    );
    expect(await served.metrics()).toContain(`umpire_workers_started_total ${kills + 1}\n`);
  });

  test(`a server killed ${serverKills} times under load has charged every answer its clients saw, and otherwise only answers on their way`, async () => {
    const keyFile = join(place.folder, "killed.json");
    await writeFile(keyFile, JSON.stringify({ keys: await keyEntries(ACCOUNTS) }));
    const ledgerPath = await place.ledgerFile("server-killed.db");
    const port = await freeFixedPort();
    const start = (): Promise<ServerProcess> =>
      ServerProcess.start(port, ["--keys", keyFile, "--credits", ledgerPath, "--price", "0.1/0.4"]);
    let server = await start();
    const clients = ACCOUNTS.map((account) => new PayingClient(account, server.url));
    const runs = clients.map((client) => client.run());
    const requests = (): PaidRequest[] => clients.flatMap((client) => client.requests);
    const onTheWay = new Set<string>();
    try {
      for (let kill = 1; kill <= serverKills; kill++) {
        if (kill > 1) server = await start();
        await untilAnswered(clients, clients.length);
        await sleep((kill * 37) % 200);
        for (const { requests } of clients) onTheWay.add(requests.at(-1)?.id ?? "");
        await server.end("SIGKILL");
      }
    } finally {
      await server.end("SIGKILL");
      await stopped(clients, runs);
    }

    const broken = requests().filter((request) => statusesOf([request]).includes("broken"));
    expect(new Set(statusesOf(requests()))).toEqual(new Set([200, "broken"]));
    expect(broken.filter(isAnswered).length).toBeGreaterThan(0);
    place.expectRightAnswers(requests());
    expect(integrityOf(ledgerPath)).toBe("ok");
    const charged = await place.chargedIn(ledgerPath, requests());
    const seen = requests().filter(isAnswered);
    expect(seen.filter(({ id }) => !charged.has(id))).toEqual([]);
    const unseen = [...charged].filter((id) => !seen.some((request) => request.id === id));
    expect(unseen.filter((id) => !onTheWay.has(id))).toEqual([]);

    // Repeated after all restarts: requests already charged are answered but not charged again, the others are charged now.
    server = await start();
    try {
      const again = [...broken, ...seen.filter((_, i) => i % 20 === 0)];
      const clientOf = new Map(clients.map((client) => [client.account, client]));
      for (const request of again) await clientOf.get(request.account)?.ask(request);
      expect(again.map(({ outcomes }) => outcomes.at(-1))).toEqual(
        again.map(({ state }) => ({ status: 200, body: place.answers.get(state) })),
      );
    } finally {
      expect(await server.end("SIGTERM")).toBe(0);
    }
    expect(await place.chargedIn(ledgerPath, requests())).toEqual(new Set([...charged, ...broken.map(({ id }) => id)]));
  });
}
