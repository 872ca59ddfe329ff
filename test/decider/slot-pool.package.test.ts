import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Worker } from "node:worker_threads";
import { createDecider } from "umpire";
import type { LazyDecider } from "umpire";
import { decideError, rejection } from "../support/rejection.ts";

const ask = (state: string) => ({ state, questions: { wet: { type: "noul", instructions: "Is it wet?" } } }) as const;
/** Long enough that hundreds of short ones would fit in. */
const LONG = ask("It rained all day long, and the street was wet. ".repeat(800));
const SHORT = ask("It rained.");

describe("two workers", () => {
  const open: LazyDecider[] = [];
  const deciderWith = (options: Parameters<typeof createDecider>[0]): LazyDecider => {
    const decider = createDecider({ threads: 1, ...options });
    open.push(decider);
    return decider;
  };
  const both = async (): Promise<LazyDecider> => {
    const decider = deciderWith({ workers: 2 });
    await decider.info();
    // The second one loads beside the first.
    await Promise.all([decider.decide(SHORT), decider.decide(SHORT), decider.decide(SHORT)]);
    await expect.poll(() => decider.stats().workers, { timeout: 20_000 }).toBe(2);
    return decider;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((decider) => decider.close()));
  });

  it("answer at the same time: a short call ends while a long one runs", async () => {
    const decider = await both();
    const order: string[] = [];
    const long = decider.decide(LONG).then(() => order.push("long"));
    const short = decider.decide(SHORT).then(() => order.push("short"));
    await Promise.all([long, short]);
    expect(order).toEqual(["short", "long"]);
  });

  it("give the same answers as one, bit for bit", async () => {
    const [one, two] = [deciderWith({}), await both()];
    const requests = Array.from({ length: 12 }, (_, at) => ask(`It rained ${at} times.`));
    const answers = await Promise.all(requests.map((request) => two.decide(request)));
    for (const [at, request] of requests.entries()) expect(answers[at]).toEqual(await one.decide(request));
  });

  it("leave out a call that is aborted in the queue or while it runs, and go on", async () => {
    const decider = await both();
    const controller = new AbortController();
    const aborted = Array.from({ length: 4 }, () => rejection(() => decider.decide(LONG, { signal: controller.signal })));
    const kept = decider.decide(SHORT);
    controller.abort(new Error("enough"));
    for (const one of aborted) expect(await one).toEqual(new Error("enough"));
    expect((await kept).answers.wet).toBeDefined();
  });

  it("finish what was asked before they close", async () => {
    const decider = await both();
    const calls = Array.from({ length: 6 }, () => decider.decide(SHORT));
    await decider.close();
    expect(await Promise.all(calls)).toHaveLength(6);
    expect((await decideError(() => decider.decide(SHORT))).code).toBe("closed");
  });

  it("hold all calls in a pause but those that are made in it", async () => {
    const decider = await both();
    const order: string[] = [];
    const before = [1, 2, 3].map(() => decider.decide(LONG).then(() => order.push("before")));
    const resume = await decider.pause?.();
    await Promise.all([1, 2, 3].map(() => decider.decide(SHORT).then(() => order.push("in it"))));
    resume?.();
    await Promise.all(before);
    expect(order).toEqual(["in it", "in it", "in it", "before", "before", "before"]);
  });

  it("are bounded by one maxPending, and told by info and stats", async () => {
    const decider = deciderWith({ workers: 2, maxPending: 2 });
    expect(decider.stats().workers).toBe(1);
    expect(await decider.info()).toMatchObject({ workers: 2, threads: 1 });
    await expect.poll(() => decider.stats().workers, { timeout: 20_000 }).toBe(2);
    const running = [decider.decide(SHORT), decider.decide(SHORT)];
    expect((await decideError(() => decider.decide(SHORT))).code).toBe("overloaded");
    await Promise.all(running);
  });

  describe("of which one is killed", () => {
    const workers: Worker[] = [];
    const onWorker = (worker: Worker): void => void workers.push(worker);
    beforeEach(() => {
      workers.length = 0;
      process.on("worker", onWorker);
    });
    afterEach(() => {
      process.off("worker", onWorker);
    });

    it("fail its call alone, and are two again", async () => {
      const decider = await both();
      const calls = [1, 2].map(() => decider.decide(LONG));
      const waiting = [1, 2, 3].map(() => decider.decide(SHORT));
      const outcomes = Promise.allSettled(calls);
      await workers[0]?.terminate();
      expect((await outcomes).map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const lost = (await outcomes).find(({ status }) => status === "rejected");
      expect(lost).toMatchObject({ reason: { code: "worker_lost" } });
      expect(await Promise.all(waiting)).toHaveLength(3);
      await expect.poll(() => decider.stats().workers, { timeout: 20_000 }).toBe(2);
      expect(decider.stats().workersStarted).toBe(3);
    });

    it("hold again what it held, and answer the same", async () => {
      const decider = await both();
      await using reading = await decider.read(LONG.state);
      const expected = await reading.decide(LONG.questions);
      await Promise.all(workers.slice(0, 1).map((worker) => worker.terminate()));
      expect(await reading.decide(LONG.questions)).toEqual(expected);
      await Promise.all(workers.slice(1).map((worker) => worker.terminate()));
      expect(await reading.decide(LONG.questions).catch(() => reading.decide(LONG.questions))).toEqual(expected);
      expect((await decider.info()).kept.heldBytes).toBe(reading.bytes);
    });

    it("are fewer if one cannot be loaded, and say so", async () => {
      const decider = deciderWith({ workers: 2 });
      const started = decider.info();
      await expect.poll(() => workers.length, { interval: 1, timeout: 20_000 }).toBe(2);
      await workers[1]?.terminate();
      await started;
      await expect.poll(async () => (await decider.info()).workers).toBe(1);
      expect(decider.stats().workers).toBe(1);
      expect((await Promise.all([1, 2, 3].map(() => decider.decide(SHORT)))).length).toBe(3);
    });
  });

  it("ask the one that holds a state, also if the other is free", async () => {
    const decider = await both();
    await using reading = await decider.read(LONG.state);
    await using again = await decider.read(LONG.state);
    // Both are one: read by one worker.
    expect((await decider.info()).kept.heldBytes).toBe(reading.bytes);
    const sinceMs = performance.now();
    await decider.decide({ ...LONG, state: `${LONG.state}!` });
    const freshMs = performance.now() - sinceMs;
    await Promise.all([1, 2, 3, 4].map(() => again.decide(LONG.questions)));
    // Four that read nothing take less than one that reads, whatever else the machine does.
    expect(performance.now() - sinceMs - freshMs).toBeLessThan(freshMs);
  });
});

it.each([0, 65, 1.5, "2"])("refuses %j workers", async (workers) => {
  expect((await decideError(async () => createDecider({ workers: workers as number }))).code).toBe("invalid_request");
});

it("refuses more than one worker inline", async () => {
  expect((await decideError(async () => createDecider({ workers: 2, inline: true }))).message).toContain("1 with inline");
});
