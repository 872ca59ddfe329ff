import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { NEW_LEDGER } from "../../../../../src/service/node/ledger/ledger.ts";
import type { AdminLedger, LedgerNotice } from "../../../../../src/service/node/ledger/ledger.ts";
import { openRedisLedger } from "../../../../../src/service/node/ledger/redis/redis-ledger.ts";
import { decideError } from "../../../../support/rejection.ts";
import { chargeNumber } from "../charges.ts";
import { ledgerProcesses } from "../ledger-processes.ts";
import { all, expectSound, ledgerSuite } from "../ledger-suite.ts";
import type { LedgerPlace } from "../ledger-suite.ts";
import { RedisServer, lacksRedis } from "../redis-server.ts";

const UNREACHABLE = { code: "backend_unavailable", status: 503, retryable: true };

describe.skipIf(lacksRedis())("a ledger in Redis", () => {
  let server: RedisServer;
  let databases = 0;
  const opened: AdminLedger[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
  });

  afterEach(async () => {
    for (const ledger of opened.splice(0)) await ledger.close();
  });

  afterAll(() => server.end());

  async function open(url: string, options: Parameters<typeof openRedisLedger>[1] = {}): Promise<AdminLedger> {
    const ledger = await openRedisLedger(url, options);
    opened.push(ledger);
    return ledger;
  }

  const newPlace = (): Promise<LedgerPlace> => {
    const place = server.url(++databases);
    return Promise.resolve({ place, open: (options) => open(place, options) });
  };
  ledgerSuite(newPlace);
  ledgerProcesses(newPlace);

  test("while Redis is down, charges are refused at once; once it is back, nothing is lost and charging works again", async () => {
    // A charge that waited for the timeout would wait longer than a test may take.
    const ledger = await open(server.url(++databases), { timeoutMs: 1_000_000 });
    await ledger.topUp("mail", 100_000);
    // Some charges are under way when it dies: each is taken or refused, and none hangs.
    const underWay = Array.from({ length: 200 }, (_, number) =>
      ledger.charge(chargeNumber(number)).catch((error: unknown) => {
        expect(error).toMatchObject(UNREACHABLE);
        return "refused";
      }),
    );
    await underWay[50];
    await server.kill();
    const outcomes = await Promise.all(underWay);
    for (let i = 0; i < 10; i++) expect(await decideError(() => ledger.charge(chargeNumber("x")))).toMatchObject(UNREACHABLE);
    expect(await decideError(() => ledger.mayCharge(chargeNumber("x")))).toMatchObject(UNREACHABLE);
    await server.run();
    await expect.poll(() => ledger.accounts().catch(() => "not yet")).toBeInstanceOf(Array);
    for (const [number, outcome] of outcomes.entries())
      expect(await ledger.charge(chargeNumber(number))).toBeOneOf(outcome === "taken" ? ["taken_before"] : ["taken", "taken_before"]);
    expect(await ledger.accounts()).toEqual([{ account: "mail", nanocredits: 80_000 }]);
    expectSound(await all(ledger));
  });

  test("if Redis does not answer, a charge is refused after the timeout, and later ones at once until it answers", async () => {
    const ledger = await open(server.url(++databases), { timeoutMs: 300 });
    await ledger.topUp("mail", 1000);
    server.signal("SIGSTOP");
    // The clock of the timeout stands still unless the test turns it.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let isRefused = false;
      const first = decideError(() => ledger.charge(chargeNumber(1))).finally(() => (isRefused = true));
      await vi.advanceTimersByTimeAsync(299);
      await new Promise(setImmediate);
      expect(isRefused).toBe(false);
      vi.advanceTimersByTime(1);
      expect(await first).toMatchObject(UNREACHABLE);
      for (const number of [2, 3, 4]) expect(await decideError(() => ledger.charge(chargeNumber(number)))).toMatchObject(UNREACHABLE);
      const opened = { isOver: false };
      const opening = decideError(() => open(server.url(), { timeoutMs: 300 })).finally(() => (opened.isOver = true));
      while (!opened.isOver) {
        vi.advanceTimersByTime(300);
        await new Promise(setImmediate);
      }
      expect(await opening).toMatchObject(UNREACHABLE);
    } finally {
      vi.useRealTimers();
      server.signal("SIGCONT");
    }
    await expect.poll(() => ledger.mayCharge(chargeNumber(1)).catch(() => "not yet")).toBe(true);
    // The first charge may have reached Redis, which then took it when it continued. Its retry costs nothing.
    expect(await ledger.charge(chargeNumber(1))).toBeOneOf(["taken", "taken_before"]);
    expect(await ledger.accounts()).toEqual([{ account: "mail", nanocredits: 900 }]);
  });

  test("a full Redis refuses charges without any change, and a Redis that may evict keys is not used", async () => {
    const url = server.url(++databases);
    const [ledger, admin] = [await open(url), new Redis(url)];
    try {
      await ledger.topUp("mail", 1000);
      const before = [await ledger.accounts(), await all(ledger)];
      await admin.config("SET", "maxmemory", "1");
      expect(await decideError(() => ledger.charge(chargeNumber(1)))).toMatchObject(UNREACHABLE);
      expect([await ledger.accounts(), await all(ledger)]).toEqual(before);
      await admin.config("SET", "maxmemory", "0", "maxmemory-policy", "allkeys-lru");
      const refused = await decideError(() => open(url));
      expect(refused).toMatchObject({ code: "backend_unavailable", retryable: false });
      expect(refused.message).toContain("noeviction");
      await admin.config("SET", "maxmemory-policy", "noeviction");
      expect(await ledger.charge(chargeNumber(1))).toBe("taken");
    } finally {
      await admin.config("SET", "maxmemory", "0", "maxmemory-policy", "noeviction");
      admin.disconnect();
    }
  });

  /** A ledger that looks at the server's state often, and what it tells its owner. */
  async function watched(url: string): Promise<{ ledger: AdminLedger; notices: LedgerNotice[] }> {
    const notices: LedgerNotice[] = [];
    const ledger = await open(url, { intervalMs: 10, onNotice: (notice) => notices.push(notice) });
    expect(notices.splice(0)).toEqual([NEW_LEDGER]);
    return { ledger, notices };
  }

  test("a Redis that lost its data does not say that nobody has credits: it is refused, and told once, until the data is back", async () => {
    const url = server.url(++databases);
    const { ledger, notices } = await watched(url);
    const second = await open(url);
    await ledger.topUp("mail", 1000);
    const hold = await ledger.hold({ ...chargeNumber(1), leaseMs: 60_000 });
    const admin = new Redis(url);
    try {
      const saved = await Promise.all((await admin.keys("*")).map(async (key) => [key, await admin.dumpBuffer(key)] as const));
      await admin.flushdb();
      const lost = {
        code: "backend_unavailable",
        status: 503,
        retryable: false,
        message: expect.stringContaining("lost or replaced") as string,
      };
      for (const used of [ledger, second])
        for (const use of [
          () => used.mayCharge(chargeNumber(1)),
          () => used.charge(chargeNumber(1), hold),
          () => used.hold({ ...chargeNumber(2), leaseMs: 1 }),
          () => used.topUp("mail", 1),
        ])
          expect(await decideError(use)).toMatchObject(lost);
      expect(await admin.keys("*")).toEqual([]);
      expect(notices).toEqual([{ level: "error", message: lost.message }]);
      for (const [key, value] of saved) await admin.restore(key, 0, value);
      await expect.poll(() => ledger.charge(chargeNumber(1), hold).catch(() => "not yet")).toBe("taken");
      expect(notices.map(({ level }) => level)).toEqual(["error", "info"]);
      // A new ledger in its place, as after a restart with an empty Redis, is another one.
      await admin.flushdb();
      const next = await open(url);
      await next.topUp("mail", 5);
      expect(await decideError(() => ledger.charge(chargeNumber(2)))).toMatchObject(lost);
      expect(await next.accounts()).toEqual([{ account: "mail", nanocredits: 5 }]);
    } finally {
      admin.disconnect();
    }
  });

  test("a ledger that is only read writes nothing to Redis", async () => {
    const url = server.url(++databases);
    const ledger = await open(url, { create: false });
    expect([await ledger.accounts(), await all(ledger)]).toEqual([[], []]);
    expect(await decideError(() => ledger.topUp("mail", 1))).toMatchObject({ code: "backend_unavailable" });
    const admin = new Redis(url);
    expect(await admin.keys("*")).toEqual([]);
    admin.disconnect();
  });

  test("what Redis is set to is watched: one that may evict keys is refused until that is mended, one without a log is warned of", async () => {
    const url = server.url(++databases);
    const { ledger, notices } = await watched(url);
    await ledger.topUp("mail", 1000);
    const admin = new Redis(url);
    try {
      await admin.config("SET", "maxmemory-policy", "allkeys-lru");
      await expect.poll(() => notices.length).toBe(1);
      const refused = { code: "backend_unavailable", retryable: false, message: expect.stringContaining("noeviction") as string };
      expect(await decideError(() => ledger.charge(chargeNumber(1)))).toMatchObject(refused);
      await admin.config("SET", "maxmemory-policy", "noeviction", "appendonly", "no");
      await expect.poll(() => notices.length).toBe(3);
      expect(await ledger.charge(chargeNumber(1))).toBe("taken");
      expect(notices).toEqual([
        { level: "error", message: refused.message },
        { level: "info", message: "The credits can be used again." },
        { level: "warn", message: expect.stringContaining("Set appendonly to yes") as string },
      ]);
      // Told at the start, too.
      const told: LedgerNotice[] = [];
      await open(url, { onNotice: (notice) => told.push(notice) });
      expect(told.map(({ level }) => level)).toEqual(["warn"]);
    } finally {
      await admin.config("SET", "maxmemory-policy", "noeviction", "appendonly", "yes");
      admin.disconnect();
    }
  });

  test("what one server holds back binds another, and ends by itself if that server dies", async () => {
    const url = server.url(++databases);
    const [one, two] = [await open(url), await open(url)];
    await one.topUp("mail", 100);
    const others = async (): Promise<number> => {
      const hold = await two.hold({ ...chargeNumber(3), nanocredits: 0, leaseMs: 1 });
      return hold.othersNanocredits;
    };
    await one.hold({ ...chargeNumber(1), nanocredits: 70, leaseMs: 60_000 });
    expect(await others()).toBe(70);
    await one.hold({ ...chargeNumber(2), nanocredits: 20, leaseMs: 1 });
    await one.close();
    await expect.poll(others).toBe(70);
  });

  test("all keys share one hash tag, and a charged request is forgotten after a day", async () => {
    const url = server.url(++databases);
    const client = new Redis(url);
    const ledger = await open(url);
    await ledger.topUp("mail", 1000);
    await ledger.charge(chargeNumber(1));
    await ledger.close();
    const keys = await client.keys("*");
    expect(keys).toHaveLength(4);
    for (const key of keys) expect(key).toMatch(/^\{umpire\}:/u);
    const charged = keys.find((key) => key.includes(":charged:")) ?? "";
    // An entry's id starts with the milliseconds at which it was added. Both times are those of the server.
    const rememberedMs = (await client.pexpiretime(charged)) - Number.parseInt((await client.get(charged)) ?? "");
    expect(Math.round(rememberedMs / 1000)).toBe(24 * 3600);
    client.disconnect();
  });

  test("errors about an unreachable Redis or an invalid URL do not contain the URL, which may have a password", async () => {
    const nobody = await decideError(() => open("redis://umpire:secret@127.0.0.1:1"));
    expect(nobody).toMatchObject(UNREACHABLE);
    const noUrl = await decideError(() => open("redis://umpire:secret@127.0.0.1:no"));
    expect(noUrl).toMatchObject({ code: "invalid_request" });
    const refused = await decideError(() => open(server.url().replace("//", "//umpire:secret@")));
    expect(refused).toMatchObject({ code: "backend_unavailable", retryable: false });
    for (const error of [nobody, noUrl, refused]) {
      expect(error.message).not.toContain("secret");
      expect(error.cause instanceof Error ? error.cause.message : "").not.toContain("secret");
    }
  });
});
