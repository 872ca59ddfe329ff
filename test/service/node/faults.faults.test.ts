import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openLedger } from "umpire/serve";
import { expect, test, vi } from "vitest";
import { lacks } from "../../support/needs.ts";
import { chargedOnce, integrityOf } from "./ledger/charged.ts";
import { ACCOUNTS, FaultyPlace, PRICES, WAIT, stopped, topUpAll, untilAnswered } from "./ledger/faulty-place.ts";
import { killsSuite } from "./ledger/kills-suite.ts";
import { PayingClient, STATES, isAnswered, keyEntries, keysOf, secretOf, statusesOf } from "./ledger/paying-clients.ts";
import type { PaidRequest } from "./ledger/paying-clients.ts";
import { rawClient } from "./server/raw-client.ts";
import { RedisServer, lacksRedis } from "./ledger/redis-server.ts";
import { LONG_STATE, requestAbout, running } from "./running.ts";
import { ServerProcess, freeFixedPort } from "./server-process.ts";
import { lacksMounts, onSmallDisk } from "./ledger/small-disk.ts";

const LEDGER_AWAY = { error: { code: "backend_unavailable" } };

const place = FaultyPlace.forTests();

// test/soak kills them more often.
killsSuite({ workerKills: 8, serverKills: 4 });

test.skipIf(lacksMounts())(
  "on a full disk, requests that cost credits are refused and others answered; once there is space, all are answered",
  async () => {
    const disk = join(place.folder, "disk");
    await mkdir(disk);
    await place.ledgerFile("disk.db");
    await expectRefusedMeanwhile({
      ledgerPath: join(disk, "credits.db"),
      // Starts with the ledger that was created next to the folder.
      prefix: [...onSmallDisk('cp "$0.db" "$0/credits.db"'), disk],
      // A copy, because SQLite would follow the link `root` out of the mount.
      seenAt: (pid) => {
        const copy = join(place.folder, "disk-copy.db");
        for (const end of ["", "-wal"]) copyFileSync(`/proc/${pid}/root${disk}/credits.db${end}`, copy + end);
        return copy;
      },
      fill: (pid) => void spawnSync("dd", ["if=/dev/zero", `of=/proc/${pid}/root${disk}/filler`, "bs=4096"]),
      free: (pid) => rm(`/proc/${pid}/root${disk}/filler`),
    });
  },
);

test.skipIf(lacks("prlimit"))(
  "while the ledger's file may not grow, requests that cost credits are refused and others answered; afterwards all are answered",
  async () => {
    const ledgerPath = await place.ledgerFile("limited.db");
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
  },
);

interface Disk {
  readonly ledgerPath: string;
  readonly prefix: readonly string[];
  /** The path at which this process can read the ledger of an idle server. */
  readonly seenAt: (pid: number) => string;
  readonly fill: (pid: number) => void;
  readonly free: (pid: number) => void | Promise<void>;
}

async function expectRefusedMeanwhile({ ledgerPath, prefix, seenAt, fill, free }: Disk): Promise<void> {
  const keyFile = join(place.folder, "disk.json");
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
    place.expectRightAnswers(paying.requests);
    const seen = seenAt(server.pid);
    expect(await place.chargedIn(seen, paying.requests)).toEqual(new Set(paying.requests.map(({ id }) => id)));
    expect(integrityOf(seen)).toBe("ok");
  } finally {
    await server.end("SIGTERM");
  }
}

test.skipIf(lacksRedis())(
  "while Redis is down, requests that cost credits are refused and others answered; afterwards all are answered, and charged once",
  async () => {
    const redis = await RedisServer.start();
    try {
      await using ledger = await openLedger(redis.url());
      await topUpAll(ledger);
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
      place.expectRightAnswers(requests);
      const charged = await chargedOnce(ledger, requests, place.answers);
      expect(requests.filter(isAnswered).filter(({ id }) => !charged.has(id))).toEqual([]);
      // Redis may have taken a charge whose answer was lost.
      const told = new Set(requests.filter(isAnswered).map(({ id }) => id));
      expect([...charged].filter((id) => !told.has(id)).length).toBeLessThanOrEqual(clients.length);
    } finally {
      await redis.end();
    }
  },
);

test("a client that hangs up pays nothing, and the next client is answered", async () => {
  await using ledger = await openLedger(await place.ledgerFile("hung-up.db"));
  await using served = await running({ keys: await keysOf(ACCOUNTS), credits: { ledger, prices: PRICES } });
  const body = JSON.stringify(requestAbout(LONG_STATE));
  const head = `POST /decision/v1/model HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${secretOf("mail")}\r\n`;
  const next = new PayingClient("shop", served.server.url);
  for (const id of ["hung-up-1", "hung-up-2"]) {
    const client = await rawClient(served.server.port);
    client.write(`${head}X-Request-Id: ${id}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await served.untilWorking();
    client.socket.destroy();
    const request: PaidRequest = { id: `next-${id}`, account: "shop", state: STATES[0] ?? "", outcomes: [] };
    next.requests.push(request);
    await next.ask(request);
    expect(served.log.find((line) => line.includes(`"${id}"`))).toContain('"status":499');
  }
  place.expectRightAnswers(next.requests);
  expect(await served.metrics()).toMatch(/umpire_requests_running 0\n/u);
  expect(await chargedOnce(ledger, next.requests, place.answers)).toEqual(new Set(next.requests.map(({ id }) => id)));
});
