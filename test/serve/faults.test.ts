import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { createDecider } from "umpire";
import type { DecideResponse } from "umpire";
import { openLedger } from "umpire/serve";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { chargedOnce, integrityOf } from "./ledger/charged.ts";
import { PRICE, PayingClient, STATES, answersOf, isAnswered, keyEntries, keysOf, secretOf, statusesOf } from "./ledger/paying-clients.ts";
import type { PaidRequest } from "./ledger/paying-clients.ts";
import { rawClient } from "./server/raw-client.ts";
import { RedisServer } from "./ledger/redis-server.ts";
import { requestAbout, running } from "./running.ts";
import { ServerProcess, freeFixedPort } from "./server-process.ts";
import { mayMount, onSmallDisk } from "./ledger/small-disk.ts";

const WORKER_KILLS = 50;
const SERVER_KILLS = 20;
const ACCOUNTS = ["mail", "shop", "blog", "docs"];
const TOP_UP = 1_000_000_000_000;
const PRICES = { "*": PRICE };
/** Long, so that a busy machine does not fail the tests. */
const WAIT = { timeout: 30_000, interval: 2 };
const LEDGER_AWAY = { error: { code: "backend_unavailable" } };

let folder: string;
/** The right answer for each state. */
const answers = new Map<string, DecideResponse>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-faults-"));
  await using decider = createDecider({ threads: 1 });
  for (const state of STATES) answers.set(state, await decider.decide(requestAbout(state) as Parameters<typeof decider.decide>[0]));
});

afterAll(() => rm(folder, { recursive: true }));

/** Creates a ledger file in which every account has more credits than it will spend. */
async function ledgerFile(name: string): Promise<string> {
  const path = join(folder, name);
  await using ledger = await openLedger(path);
  for (const account of ACCOUNTS) await ledger.topUp(account, TOP_UP);
  return path;
}

function expectRightAnswers(requests: readonly PaidRequest[]): void {
  const seen = answersOf(requests);
  expect(seen.length).toBeGreaterThan(0);
  for (const { state, body } of seen) expect(body).toEqual(answers.get(state));
}

/** Waits until the clients together have got `count` more answers. */
async function untilAnswered(clients: readonly PayingClient[], count: number): Promise<void> {
  const answered = (): number => clients.reduce((sum, { requests }) => sum + requests.filter(isAnswered).length, 0);
  const enough = answered() + count;
  await vi.waitUntil(() => answered() >= enough, WAIT);
}

async function stopped(clients: readonly PayingClient[], runs: readonly Promise<void>[]): Promise<void> {
  for (const client of clients) client.stop();
  await Promise.all(runs);
}

test(`a worker killed ${WORKER_KILLS} times under load fails only the request it was running, which is not charged`, async () => {
  const workers: Worker[] = [];
  const onWorker = (worker: Worker): void => void workers.push(worker);
  process.on("worker", onWorker);
  await using ledger = await openLedger(await ledgerFile("worker-killed.db"));
  await using served = await running({ keys: await keysOf(ACCOUNTS), credits: { ledger, prices: PRICES } });
  const clients = ACCOUNTS.map((account) => new PayingClient(account, served.server.url));
  const runs = clients.map((client) => client.run());
  const requests = (): PaidRequest[] => clients.flatMap((client) => client.requests);
  const losses = (): number => statusesOf(requests()).filter((status) => status === 503).length;
  let kills = 0;
  try {
    // Sometimes a worker has just answered, and its death loses nothing.
    while (losses() < WORKER_KILLS) {
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
  expect(kills).toBeLessThan(WORKER_KILLS * 1.5);
  const lost = requests().filter((request) => statusesOf([request]).includes(503));
  for (const { outcomes } of lost) expect(outcomes[0]).toMatchObject({ status: 503, body: { error: { code: "worker_lost" } } });
  // The lost requests that were not repeated show whether a request without an answer was charged.
  expect(lost.filter((request) => !isAnswered(request)).length).toBeGreaterThan(0);
  expect(lost.filter(isAnswered).length).toBeGreaterThan(0);
  expectRightAnswers(requests());
  const charged = await chargedOnce(ledger, requests(), answers);
  expect(charged).toEqual(
    new Set(
      requests()
        .filter(isAnswered)
        .map(({ id }) => id),
    ),
  );
  expect(await served.metrics()).toContain(`umpire_workers_started_total ${kills + 1}\n`);
});

test(`a server killed ${SERVER_KILLS} times under load has charged every answer its clients saw, and otherwise only answers on their way`, async () => {
  const keyFile = join(folder, "killed.json");
  await writeFile(keyFile, JSON.stringify({ keys: await keyEntries(ACCOUNTS) }));
  const ledgerPath = await ledgerFile("server-killed.db");
  const port = await freeFixedPort();
  const start = (): Promise<ServerProcess> => ServerProcess.start(port, ["--keys", keyFile, "--credits", ledgerPath, "--price", "0.1/0.4"]);
  let server = await start();
  const clients = ACCOUNTS.map((account) => new PayingClient(account, server.url));
  const runs = clients.map((client) => client.run());
  const requests = (): PaidRequest[] => clients.flatMap((client) => client.requests);
  const onTheWay = new Set<string>();
  try {
    for (let kill = 1; kill <= SERVER_KILLS; kill++) {
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
  expectRightAnswers(requests());
  expect(integrityOf(ledgerPath)).toBe("ok");
  const charged = await chargedIn(ledgerPath, requests());
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
    expect(again.map(({ outcomes }) => outcomes.at(-1))).toEqual(again.map(({ state }) => ({ status: 200, body: answers.get(state) })));
  } finally {
    expect(await server.end("SIGTERM")).toBe(0);
  }
  expect(await chargedIn(ledgerPath, requests())).toEqual(new Set([...charged, ...broken.map(({ id }) => id)]));
});

async function chargedIn(path: string, requests: readonly PaidRequest[]): Promise<Set<string>> {
  await using ledger = await openLedger(path);
  return await chargedOnce(ledger, requests, answers);
}

test.skipIf(!mayMount)(
  "on a full disk, requests that cost credits are refused and others answered; once there is space, all are answered",
  async () => {
    const place = join(folder, "disk");
    await mkdir(place);
    await ledgerFile("disk.db");
    await expectRefusedMeanwhile({
      ledgerPath: join(place, "credits.db"),
      // Starts with the ledger that was created next to the folder.
      prefix: [...onSmallDisk('cp "$0.db" "$0/credits.db"'), place],
      // A copy, because SQLite would follow the link `root` out of the mount.
      seenAt: (pid) => {
        const copy = join(folder, "disk-copy.db");
        for (const end of ["", "-wal"]) copyFileSync(`/proc/${pid}/root${place}/credits.db${end}`, copy + end);
        return copy;
      },
      fill: (pid) => void spawnSync("dd", ["if=/dev/zero", `of=/proc/${pid}/root${place}/filler`, "bs=4096"]),
      free: (pid) => rm(`/proc/${pid}/root${place}/filler`),
    });
  },
);

test("while the ledger's file may not grow, requests that cost credits are refused and others answered; afterwards all are answered", async () => {
  const ledgerPath = await ledgerFile("limited.db");
  const limit = (pid: number, bytes: number | "unlimited"): void => {
    execFileSync("prlimit", [`--fsize=${bytes}:unlimited`, "--pid", String(pid)]);
  };
  await expectRefusedMeanwhile({
    ledgerPath,
    prefix: [],
    seenAt: () => ledgerPath,
    fill: (pid) => {
      limit(pid, statSync(`${ledgerPath}-wal`).size);
    },
    free: (pid) => {
      limit(pid, "unlimited");
    },
  });
});

interface Disk {
  readonly ledgerPath: string;
  readonly prefix: readonly string[];
  /** The path at which this process can read the ledger of an idle server. */
  readonly seenAt: (pid: number) => string;
  readonly fill: (pid: number) => void;
  readonly free: (pid: number) => void | Promise<void>;
}

async function expectRefusedMeanwhile({ ledgerPath, prefix, seenAt, fill, free }: Disk): Promise<void> {
  const keyFile = join(folder, "disk.json");
  await writeFile(keyFile, JSON.stringify({ keys: await keyEntries(["mail", "free"]) }));
  const args = ["--keys", keyFile, "--credits", ledgerPath, "--price", "0.1/0.4"];
  const server = await ServerProcess.start(await freeFixedPort(), args, prefix);
  try {
    const [paying, unpaying] = [new PayingClient("mail", server.url), new PayingClient("free", server.url)];
    const ask = async (client: PayingClient, id: string): Promise<PaidRequest> => {
      const request = { id, account: client.account, state: STATES[0] ?? "", outcomes: [] };
      client.requests.push(request);
      await client.ask(request);
      return request;
    };
    for (let i = 0; i < 5; i++) await ask(paying, `before-${i}`);
    fill(server.pid);
    // The rest of the file's last page may still hold some charges.
    for (let i = 0; statusesOf(paying.requests).at(-1) === 200 && i < 200; i++) await ask(paying, `last-${i}`);
    const refused = [paying.requests.at(-1), await ask(paying, "full-1"), await ask(paying, "full-2")];
    for (const request of refused) expect(request?.outcomes).toMatchObject([{ status: 503, body: LEDGER_AWAY }]);
    expect(isAnswered(await ask(unpaying, "free"))).toBe(true);
    await free(server.pid);
    // Repeats the request, as a client would.
    for (const request of refused) if (request) await paying.ask(request);
    expect(refused.map((request) => statusesOf(request ? [request] : []))).toEqual(refused.map(() => [503, 200]));
    for (let i = 0; i < 5; i++) expect(isAnswered(await ask(paying, `after-${i}`))).toBe(true);
    expectRightAnswers(paying.requests);
    const seen = seenAt(server.pid);
    expect(await chargedIn(seen, paying.requests)).toEqual(new Set(paying.requests.map(({ id }) => id)));
    expect(integrityOf(seen)).toBe("ok");
  } finally {
    await server.end("SIGTERM");
  }
}

test("while Redis is down, requests that cost credits are refused and others answered; afterwards all are answered, and charged once", async () => {
  const redis = await RedisServer.start();
  try {
    await using ledger = await openLedger(redis.url());
    for (const account of ACCOUNTS) await ledger.topUp(account, TOP_UP);
    const keys = await keysOf([...ACCOUNTS, "free"]);
    await using served = await running({ keys, credits: { ledger, prices: PRICES } });
    const clients = ACCOUNTS.map((account) => new PayingClient(account, served.server.url));
    const runs = clients.map((client) => client.run());
    try {
      await untilAnswered(clients, 20);
      await redis.kill();
      const statuses = (): unknown[] => statusesOf(clients.flatMap(({ requests }) => requests));
      await vi.waitUntil(() => statuses().filter((status) => status === 503).length > 20, WAIT);
      const free = await served.ask(STATES[0] ?? "", { headers: { authorization: `Bearer ${secretOf("free")}` } });
      expect(free.status).toBe(200);
      await redis.run();
      await untilAnswered(clients, 20);
    } finally {
      await stopped(clients, runs);
    }

    const requests = clients.flatMap((client) => client.requests);
    expect(new Set(statusesOf(requests))).toEqual(new Set([200, 503]));
    for (const { outcomes } of requests)
      for (const outcome of outcomes) if (outcome !== "broken" && outcome.status === 503) expect(outcome.body).toMatchObject(LEDGER_AWAY);
    expectRightAnswers(requests);
    const charged = await chargedOnce(ledger, requests, answers);
    expect(requests.filter(isAnswered).filter(({ id }) => !charged.has(id))).toEqual([]);
    // Redis may have taken a charge whose answer was lost.
    const told = new Set(requests.filter(isAnswered).map(({ id }) => id));
    expect([...charged].filter((id) => !told.has(id)).length).toBeLessThanOrEqual(clients.length);
  } finally {
    await redis.end();
  }
});

test("a client that hangs up pays nothing, and its work ends, so the next client is answered soon", async () => {
  await using ledger = await openLedger(await ledgerFile("hung-up.db"));
  await using served = await running({ keys: await keysOf(ACCOUNTS), credits: { ledger, prices: PRICES } });
  // At least two seconds of work.
  const body = JSON.stringify(requestAbout("the parcel came late ".repeat(3000)));
  const head = `POST /decision/v1/model HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secretOf("mail")}\r\n`;
  const next = new PayingClient("shop", served.server.url);
  for (const afterMs of [0, 20, 60, 140, 300]) {
    const client = await rawClient(served.server.port);
    client.write(`${head}X-Request-Id: hung-up-${afterMs}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await vi.waitUntil(async () => (await served.metrics()).includes("umpire_requests_running 1"), WAIT);
    const request: PaidRequest = { id: `next-${afterMs}`, account: "shop", state: STATES[0] ?? "", outcomes: [] };
    next.requests.push(request);
    await sleep(afterMs);
    client.socket.destroy();
    const startMs = performance.now();
    await next.ask(request);
    expect(performance.now() - startMs).toBeLessThan(1000);
    expect(served.log.find((line) => line.includes(`"hung-up-${afterMs}"`))).toContain('"status":499');
  }
  expectRightAnswers(next.requests);
  expect(await served.metrics()).toMatch(/umpire_requests_running 0\n/u);
  expect(await chargedOnce(ledger, next.requests, answers)).toEqual(new Set(next.requests.map(({ id }) => id)));
});
