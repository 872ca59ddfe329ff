import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FairQueue } from "../../../src/service/queue/fair-queue.ts";
import { decideError } from "../../support/rejection.ts";
import { MS_PER_BYTE, Service, advance } from "./service.ts";

const LONG = { sizeBytes: 62_000, takesMs: 30_000 };
const SHORT = { sizeBytes: 400, takesMs: 40 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each([2, 3])("a queue of %i workers", (workers) => {
  it("runs so many requests at a time, and the next as soon as one of them ends", async () => {
    const service = new Service(100, { deadlineMs: 1e9 }, workers);
    const all = Promise.all(Array.from({ length: 2 * workers }, (_, at) => service.ask({ key: `k${at}`, sizeBytes: 9500, takesMs: 1000 })));
    expect(service.queue.load).toEqual({ waiting: workers, running: workers });
    await advance(2000);
    await all;
    expect(service.mostWorking).toBe(workers);
    expect(service.outcomes.map(({ tookMs }) => tookMs)).toEqual([
      ...Array<number>(workers).fill(1000),
      ...Array<number>(workers).fill(2000),
    ]);
  });

  it("lets short requests go ahead of a key that keeps all workers busy", async () => {
    const service = new Service(200, {}, workers);
    const done = Promise.all([service.flood({ key: "heavy", ...LONG }, 60_000), service.every(300, { key: "light", ...SHORT }, 60_000)]);
    await advance(90_000);
    await done;
    const light = service.of("light");
    expect(light).toHaveLength(200);
    expect(new Set(light.map(({ status }) => status))).toEqual(new Set(["answered"]));
    expect(Math.max(...light.map(({ tookMs }) => tookMs))).toBeLessThan(500);
    expect(service.of("heavy").filter(({ status }) => status === "input_too_long").length).toBeGreaterThanOrEqual(6 * workers);
  });

  it("pauses all of them while one that is stopped ends its last run, and gives the place to the next", async () => {
    const service = new Service(1000, { runMs: 1500, deadlineMs: 1e9 }, workers);
    const others = Array.from({ length: workers - 1 }, (_, at) => service.ask({ key: `other ${at}`, sizeBytes: 9500, takesMs: 1200 }));
    const heavy = service.ask({ key: "heavy", ...LONG });
    await advance(100);
    const next = service.ask({ key: "next", sizeBytes: 9500, takesMs: 500 });
    await advance(6000);
    await Promise.all([...others, heavy, next]);
    expect(service.of("heavy")).toMatchObject([{ status: "input_too_long", tookMs: 1500 }]);
    expect(service.of("next")).toMatchObject([{ status: "answered" }]);
    expect(service.queue.load).toEqual({ waiting: 0, running: 0 });
  });

  it("begins nothing beside one that prepares by pausing it, and goes on once it works", async () => {
    const queue = new FairQueue(
      { waitingRequests: 9, waitingBytes: 1e9, deadlineMs: 1e9, runMs: 1e6 },
      () => performance.now(),
      () => Promise.resolve(() => undefined),
      () => workers,
    );
    const turn = (key: string): { key: string; sizeBytes: number; signal: AbortSignal } => ({
      key,
      sizeBytes: 60_000,
      signal: new AbortController().signal,
    });
    const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    const preparing = queue.run(turn("slow to load"), async ({ work }) => {
      await wait(3000);
      await work(() => wait(10));
    });
    const working = Array.from({ length: workers - 1 }, (_, at) => queue.run(turn(`w${at}`), ({ work }) => work(() => wait(5000))));
    await advance(1000);
    const short = queue.run({ ...turn("short"), sizeBytes: 400 }, ({ work }) => work(() => wait(10)));
    await advance(1000);
    expect(queue.load).toEqual({ waiting: 1, running: workers });
    await advance(9000);
    await Promise.all([preparing, ...working, short]);
    expect(queue.load).toEqual({ waiting: 0, running: 0 });
  });

  it("predicts the wait until the first worker is free", async () => {
    const service = new Service(100, { deadlineMs: 1000 }, workers);
    const taught = service.ask({ key: "a", sizeBytes: 500, takesMs: 100 });
    await advance(100);
    await taught;
    const one = { key: "a", sizeBytes: 500, takesMs: 100 };
    // A wait of up to 80% of the deadline may be predicted.
    const accepted = Array.from({ length: 8 * workers }, () => service.ask(one));
    const refused = decideError(() => service.queue.run({ ...one, signal: new AbortController().signal }, () => Promise.resolve()));
    expect((await refused).code).toBe("overloaded");
    await advance(900);
    await Promise.all(accepted);
    expect(Math.max(...service.of("a").map(({ tookMs }) => tookMs))).toBe(800);
    expect(new Set(service.of("a").map(({ status }) => status))).toEqual(new Set(["answered"]));
  });

  it("whatever the keys ask: never more at a time, the same share of the time, no light key refused, nothing lost", async () => {
    const greedy = fc.record({ sizeBytes: fc.integer({ min: 2000, max: 60_000 }), slowness: fc.constantFrom(0.2, 1, 5) });
    await fc.assert(
      fc.asyncProperty(fc.array(greedy, { minLength: workers, maxLength: 4 }), fc.integer({ min: 100, max: 400 }), async (keys, stepMs) => {
        const service = new Service(stepMs, { deadlineMs: 1e9, runMs: 2000 }, workers);
        const untilMs = performance.now() + 20_000;
        const done = Promise.all([
          ...keys.map(({ sizeBytes, slowness }, i) =>
            service.flood({ key: `greedy ${i}`, sizeBytes, takesMs: Math.ceil(sizeBytes * MS_PER_BYTE * slowness) }, untilMs),
          ),
          service.every(1000, { key: "light", ...SHORT, takesMs: 20 }, untilMs),
        ]);
        await advance(20_000);
        // While all of them ask. Afterwards, what they still have waiting runs.
        const used = keys.map((_, i) => service.usedMs.get(`greedy ${i}`) ?? 0);
        await advance(40_000);
        await done;
        // A key may be ahead by what it runs at one time, on each worker: 2 seconds, and the run that was under way.
        expect(Math.max(...used) - Math.min(...used)).toBeLessThan(2 * workers * (2000 + stepMs));
        expect(service.of("light")).toHaveLength(20);
        expect(new Set(service.of("light").map(({ status }) => status))).toEqual(new Set(["answered"]));
        expect(service.mostWorking).toBeLessThanOrEqual(workers);
        expect(service.mostHeld).toBeLessThanOrEqual(3 * workers);
        expect(service.queue.load).toEqual({ waiting: 0, running: 0 });
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });
});

it("whatever is asked, aborted and stopped, every request ends once, and the queue is empty afterwards", async () => {
  const step = fc.record({
    key: fc.constantFrom("a", "b", "c"),
    sizeBytes: fc.nat(50_000),
    takesMs: fc.nat(3000),
    leavesAfterMs: fc.option(fc.nat(2000)),
    pauseMs: fc.nat(300),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 25 }), async (workers, steps) => {
      const service = new Service(150, { runMs: 1000, waitingRequests: 8 }, workers);
      const all: Promise<void>[] = [];
      for (const { key, sizeBytes, takesMs, leavesAfterMs, pauseMs } of steps) {
        const caller = new AbortController();
        all.push(service.ask({ key, sizeBytes, takesMs, signal: caller.signal }));
        if (leavesAfterMs !== null)
          setTimeout(() => {
            caller.abort(new Error("left"));
          }, leavesAfterMs);
        await advance(pauseMs);
      }
      await advance(60_000);
      await Promise.all(all);
      expect(service.outcomes).toHaveLength(steps.length);
      for (const { status } of service.outcomes) expect(status).toMatch(/^(answered|gone|input_too_long|overloaded)$/u);
      expect(service.mostWorking).toBeLessThanOrEqual(workers);
      expect(service.queue.load).toEqual({ waiting: 0, running: 0 });
    }),
    { numRuns: 40, endOnFailure: true },
  );
});
