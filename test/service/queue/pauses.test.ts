import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MS_PER_BYTE, Service, advance } from "./service.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const LONG = { sizeBytes: 62_000, takesMs: 30_000 };
const SHORT = { sizeBytes: 400, takesMs: 40 };

describe("beside a key that keeps one long request open, which is stopped each time", () => {
  it("another key's short requests are all answered, and wait for little more than one run of the model", async () => {
    const service = new Service(200);
    const done = Promise.all([service.flood({ key: "heavy", ...LONG }, 60_000), service.every(300, { key: "light", ...SHORT }, 60_000)]);
    await advance(90_000);
    await done;
    const light = service.of("light");
    expect(light).toHaveLength(200);
    expect(new Set(light.map(({ status }) => status))).toEqual(new Set(["answered"]));
    expect(Math.max(...light.map(({ tookMs }) => tookMs))).toBeLessThan(500);
    // The long ones have their 8 seconds of work each, all the same.
    expect(service.of("heavy").filter(({ status }) => status === "input_too_long").length).toBeGreaterThanOrEqual(6);
  });

  it("no other request begins before its last run has ended, and that run is part of its key's time", async () => {
    const service = new Service(1000, { runMs: 1500 });
    const heavy = service.ask({ key: "heavy", ...LONG });
    await advance(100);
    const other = service.ask({ key: "other", sizeBytes: 20_000, takesMs: 500 });
    await advance(1400);
    await heavy;
    // The reply leaves at once.
    expect(service.of("heavy")).toEqual([{ key: "heavy", status: "input_too_long", tookMs: 1500 }]);
    expect(service.usedMs.get("other")).toBeUndefined();
    await advance(1100);
    await other;
    expect(service.of("other")).toMatchObject([{ status: "answered", tookMs: 2400 }]);
  });

  it("it may try again as soon as nothing else runs, although it is known to take longer than the deadline", async () => {
    const service = new Service(200);
    for (let i = 0; i < 2; i++) {
      const heavy = service.ask({ key: "heavy", ...LONG });
      await advance(8300);
      await heavy;
    }
    expect(service.of("heavy").map(({ status }) => status)).toEqual(["input_too_long", "input_too_long"]);
  });

  it("hanging up ends the request, paused or not, and leaves nothing behind", async () => {
    for (const afterMs of [100, 250, 900]) {
      const service = new Service(200);
      const caller = new AbortController();
      const heavy = service.ask({ key: "heavy", ...LONG, signal: caller.signal });
      await advance(90);
      const light = service.ask({ key: "light", ...SHORT, takesMs: 400 });
      await advance(afterMs - 90);
      caller.abort();
      await heavy;
      await advance(1000);
      await light;
      expect(service.of("light")).toMatchObject([{ status: "answered" }]);
      expect(service.queue.load).toEqual({ waiting: 0, running: 0 });
      const next = service.ask({ key: "next", ...SHORT });
      await advance(40);
      await next;
      expect(service.of("next")).toMatchObject([{ status: "answered", tookMs: 40 }]);
    }
  });
});

describe("a long request", () => {
  it("waits for the other long ones, of its own key and of others, and not in pieces", async () => {
    const service = new Service(100);
    const all = Promise.all(["a", "a", "b"].map((key) => service.ask({ key, sizeBytes: 9500, takesMs: 1000 })));
    await advance(3000);
    await all;
    expect(service.mostHeld).toBe(1);
    expect(service.outcomes.map(({ key, tookMs }) => `${key} ${tookMs}`)).toEqual(["a 1000", "b 2000", "a 3000"]);
  });

  it("is paused only for a key that has used less time", async () => {
    const service = new Service(100);
    const done = Promise.all([
      service.flood({ key: "long", sizeBytes: 30_000, takesMs: 3000 }, 60_000),
      service.flood({ key: "short", ...SHORT }, 60_000),
    ]);
    await advance(80_000);
    await done;
    const [long = 0, short = 0] = [service.usedMs.get("long"), service.usedMs.get("short")];
    expect(short / long).toBeGreaterThan(0.8);
    expect(short / long).toBeLessThan(1.2);
  });
});

it("whatever the keys ask, they get the same share of the time; a light key is never refused; little is held; nothing is lost", async () => {
  const greedy = fc.record({ sizeBytes: fc.integer({ min: 2000, max: 60_000 }), slowness: fc.constantFrom(0.2, 1, 5) });
  await fc.assert(
    fc.asyncProperty(fc.array(greedy, { minLength: 2, maxLength: 4 }), fc.integer({ min: 100, max: 400 }), async (keys, stepMs) => {
      const service = new Service(stepMs, { deadlineMs: 1e9, runMs: 2000 });
      const untilMs = performance.now() + 40_000;
      const done = Promise.all([
        ...keys.map(({ sizeBytes, slowness }, i) =>
          service.flood({ key: `greedy ${i}`, sizeBytes, takesMs: Math.ceil(sizeBytes * MS_PER_BYTE * slowness) }, untilMs),
        ),
        service.every(1000, { key: "light", ...SHORT, takesMs: 20 }, untilMs),
      ]);
      await advance(40_000);
      // While all of them ask. Afterwards, what they still have waiting runs.
      const used = keys.map((_, i) => service.usedMs.get(`greedy ${i}`) ?? 0);
      await advance(60_000);
      await done;
      // A key may be ahead by what it runs at one time: 2 seconds, and the run that was under way.
      expect(Math.max(...used) - Math.min(...used)).toBeLessThan(2 * (2000 + stepMs));
      expect(service.of("light")).toHaveLength(40);
      expect(new Set(service.of("light").map(({ status }) => status))).toEqual(new Set(["answered"]));
      expect(service.mostHeld).toBeLessThanOrEqual(3);
      expect(service.queue.load).toEqual({ waiting: 0, running: 0 });
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
