import { describe, expect, it } from "vitest";
import { deciderOn } from "../../../src/library/decider/create-decider.ts";
import type { Engine } from "../../../src/library/engine/engine.ts";
import type { Decider, DeciderOptions } from "../../../src/public.ts";
import { platformOfOne } from "../../support/fake-decider.ts";
import { fakeEngine, scoresByText } from "../../support/fake-engine.ts";
import { decideError, rejection } from "../../support/rejection.ts";
import { FakeWorker } from "../worker/fake-worker.ts";

const ask = (state: string) => ({ state, questions: { wet: { type: "noul", instructions: "Is it wet?" } } }) as const;

interface Pool {
  readonly decider: Required<Decider>;
  /** In the order in which they were started. */
  readonly workers: readonly FakeWorker[];
  /** States of the calls that each engine has. */
  readonly running: () => string[][];
  /** Answers a call that an engine has, its first one or the one about a state. */
  readonly answer: (worker: number, state?: string) => void;
}

interface PoolOptions extends DeciderOptions {
  /** Loads the engine of a worker. Default: at once, the worker's own, whose calls wait for the test. */
  readonly load?: (worker: FakeWorker, at: number) => Promise<Engine>;
}

/** A decider with two workers. */
function poolOf({ load = ({ engine }) => Promise.resolve(engine), ...options }: PoolOptions = {}): Pool {
  const workers: FakeWorker[] = [];
  const startWorker = (): FakeWorker => {
    const at = workers.length;
    const worker: FakeWorker = new FakeWorker(() => load(worker, at));
    workers.push(worker);
    return worker;
  };
  return {
    decider: deciderOn(platformOfOne({ startWorker }), { workers: 2, ...options }),
    workers,
    running: () => workers.map((worker) => worker.engine.calls.map(({ batch }) => batch.state)),
    answer: (at, state) => {
      const calls = workers[at]?.engine.calls ?? [];
      const [call] = calls.splice(state === undefined ? 0 : calls.findIndex(({ batch }) => batch.state === state), 1);
      if (call === undefined) throw new Error(`worker ${at} has no such call`);
      call.answer(scoresByText(call.batch));
    },
  };
}

/** Once both have loaded. */
async function readyPool(options?: PoolOptions): Promise<Pool> {
  const pool = poolOf(options);
  await pool.decider.info();
  await expect.poll(() => pool.decider.stats().workers).toBe(2);
  return pool;
}

/** An engine that answers at once. */
const quickEngine = (): Promise<Engine> => Promise.resolve(fakeEngine({ score: (batch) => Promise.resolve(scoresByText(batch)) }));

describe("two workers", () => {
  it("answer at the same time: a call ends while another runs, and the next one takes its place", async () => {
    const { decider, running, answer } = await readyPool();
    const order: string[] = [];
    const calls = ["first", "second", "third"].map((state) => decider.decide(ask(state)).then(() => order.push(state)));
    await expect.poll(running).toEqual([["first"], ["second"]]);
    answer(1);
    await expect.poll(running).toEqual([["first"], ["third"]]);
    answer(1);
    await Promise.all(calls.slice(1));
    answer(0);
    await Promise.all(calls);
    expect(order).toEqual(["second", "third", "first"]);
  });

  it("are free again after calls that are aborted in the moment of their turn", async () => {
    const { decider, running, answer } = await readyPool();
    // A turn comes some steps after the call: one of these hits it.
    for (let steps = 0; steps < 40; steps++) {
      const controller = new AbortController();
      const aborted = [1, 2].map(() => rejection(() => decider.decide(ask("aborted"), { signal: controller.signal })));
      for (let step = 0; step < steps; step++) await Promise.resolve();
      controller.abort(new Error("enough"));
      await Promise.all(aborted);
    }
    const kept = ["a", "b"].map((state) => decider.decide(ask(state)));
    const waiting = (): string[] => running().map((states) => states.filter((state) => state !== "aborted").join());
    await expect.poll(() => waiting().toSorted()).toEqual(["a", "b"]);
    for (const [at, state] of waiting().entries()) answer(at, state);
    expect(await Promise.all(kept)).toHaveLength(2);
  });

  it("leave out a call that is aborted in the queue or while it runs, and go on", async () => {
    const { decider, workers, running, answer } = await readyPool();
    const controller = new AbortController();
    const aborted = [1, 2, 3, 4].map((i) => rejection(() => decider.decide(ask(`aborted ${i}`), { signal: controller.signal })));
    const kept = decider.decide(ask("kept"));
    await expect.poll(running).toEqual([["aborted 1"], ["aborted 2"]]);
    const [first, second] = workers.map(({ engine }) => engine.calls[0]?.signal);
    controller.abort(new Error("enough"));
    for (const one of aborted) expect(await one).toEqual(new Error("enough"));
    await expect.poll(() => [first?.aborted, second?.aborted]).toEqual([true, true]);
    await expect.poll(running).toEqual([["aborted 1", "kept"], ["aborted 2"]]);
    answer(0, "kept");
    expect((await kept).answers.wet).toBeDefined();
  });

  it("finish what was asked before they close", async () => {
    const decider = poolOf({ load: quickEngine }).decider;
    const calls = [1, 2, 3, 4, 5, 6].map((i) => decider.decide(ask(`text ${i}`)));
    await decider.close();
    expect(await Promise.all(calls)).toHaveLength(6);
    expect((await decideError(() => decider.decide(ask("late")))).code).toBe("closed");
  });

  it("hold all calls in a pause but those that are made in it", async () => {
    const { decider, workers, running, answer } = await readyPool();
    const before = [1, 2, 3].map((i) => decider.decide(ask(`before ${i}`)));
    await expect.poll(running).toEqual([["before 1"], ["before 2"]]);
    const resume = await decider.pause();
    expect(workers.map(({ engine }) => engine.pauses)).toEqual([[1], [1]]);
    const inIt = [1, 2, 3].map((i) => decider.decide(ask(`in it ${i}`)));
    await expect.poll(running).toEqual([
      ["before 1", "in it 1"],
      ["before 2", "in it 2"],
    ]);
    answer(0, "in it 1");
    await expect.poll(running).toEqual([
      ["before 1", "in it 3"],
      ["before 2", "in it 2"],
    ]);
    answer(0, "in it 3");
    answer(1, "in it 2");
    await Promise.all(inIt);
    // An engine that is free stays so.
    answer(0);
    await before[0];
    const inItToo = decider.decide(ask("in it 4"));
    await expect.poll(running).toEqual([["in it 4"], ["before 2"]]);
    answer(0);
    await inItToo;
    expect(running()).toEqual([[], ["before 2"]]);
    resume();
    await expect.poll(running).toEqual([["before 3"], ["before 2"]]);
    expect(workers.map(({ engine }) => engine.pauses)).toEqual([[], []]);
    answer(0);
    answer(1);
    await Promise.all(before);
  });

  it("are bounded by one maxPending, and told by info and stats; the second loads once the first is there", async () => {
    let loaded: () => void = () => undefined;
    const load = async (_: FakeWorker, at: number): Promise<Engine> => {
      if (at === 0) await new Promise<void>((resolve) => (loaded = resolve));
      return quickEngine();
    };
    const { decider, workers } = poolOf({ maxPending: 2, load });
    expect(decider.stats().workers).toBe(1);
    const info = decider.info();
    await expect.poll(() => workers).toHaveLength(1);
    await expect.poll(() => (loaded(), workers)).toHaveLength(2);
    expect(await info).toMatchObject({ workers: 2 });
    await expect.poll(() => decider.stats().workers).toBe(2);
    const running = [decider.decide(ask("a")), decider.decide(ask("b"))];
    expect((await decideError(() => decider.decide(ask("c")))).code).toBe("overloaded");
    await Promise.all(running);
  });

  it("ask the one that holds a state, also if the other is free", async () => {
    const { decider, workers, running, answer } = await readyPool();
    await using reading = await decider.read("held");
    await using again = await decider.read("held");
    // Both are one: read by one worker.
    expect(workers.map(({ engine }) => engine.held)).toEqual([["held", "held"], []]);
    const calls = [1, 2].map(() => again.decide(ask("").questions));
    const other = decider.decide(ask("other"));
    await expect.poll(running).toEqual([["held"], ["other"]]);
    answer(1);
    await other;
    expect(running()).toEqual([["held"], []]);
    answer(0);
    await expect.poll(running).toEqual([["held"], []]);
    answer(0);
    await Promise.all(calls);
    await reading.close();
    await again.close();
    expect(workers.map(({ engine }) => engine.held)).toEqual([[], []]);
    // Nobody holds it any more, so any may be asked.
    const free = [decider.decide(ask("other")), decider.decide(ask("held")), decider.decide(ask("held"))];
    await expect.poll(running).toEqual([["held"], ["other"]]);
    answer(1);
    await expect.poll(running).toEqual([["held"], ["held"]]);
    answer(0);
    answer(1);
    await Promise.all(free);
  });

  it("ask the one that had a state last, whose engine may still have it read", async () => {
    const { decider, running, answer } = await readyPool();
    const calls = ["a", "b"].map((state) => decider.decide(ask(state)));
    await expect.poll(running).toEqual([["a"], ["b"]]);
    answer(0);
    answer(1);
    await Promise.all(calls);
    const again = decider.decide(ask("b"));
    await expect.poll(running).toEqual([[], ["b"]]);
    answer(1);
    await again;
  });
});

describe("two workers of which one dies", () => {
  it("fail its call alone, go on with the other, and are two again", async () => {
    let loaded: () => void = () => undefined;
    const third = new Promise<void>((resolve) => (loaded = resolve));
    const load = async ({ engine }: FakeWorker, at: number): Promise<Engine> => {
      if (at === 2) await third;
      return engine;
    };
    const { decider, workers, running, answer } = await readyPool({ load });
    const lost = decideError(() => decider.decide(ask("lost")));
    const others = ["a", "b", "c", "d"].map((state) => decider.decide(ask(state)));
    await expect.poll(running).toEqual([["lost"], ["a"]]);
    workers[0]?.die(new Error("killed"));
    expect(await lost).toMatchObject({ code: "worker_lost", retryable: true });
    await expect.poll(() => workers).toHaveLength(3);
    expect(decider.stats()).toMatchObject({ workers: 1, workersStarted: 3 });
    // Nobody waits for the one that loads.
    answer(1);
    await expect.poll(running).toEqual([["lost"], ["b"], []]);
    loaded();
    await expect.poll(running).toEqual([["lost"], ["b"], ["c"]]);
    expect(decider.stats().workers).toBe(2);
    answer(1);
    answer(2);
    await expect.poll(() => running().flat()).toEqual(["lost", "d"]);
    answer(running().findLastIndex((calls) => calls.length > 0));
    expect(await Promise.all(others)).toHaveLength(4);
  });

  it("hold again what it held", async () => {
    const { decider, workers, running, answer } = await readyPool();
    await using reading = await decider.read("held");
    workers[0]?.die(new Error("killed"));
    const call = reading.decide(ask("").questions);
    await expect.poll(() => running().slice(1).flat()).toEqual(["held"]);
    const holders = workers.slice(1).filter(({ engine }) => engine.held.length > 0);
    expect(holders.map(({ engine }) => engine.held)).toEqual([["held"]]);
    answer(workers.findIndex(({ engine }) => engine.calls.length > 0));
    await call;
    expect((await decider.info()).kept.heldBytes).toBe(reading.bytes);
  });

  it("are fewer if one cannot be loaded, and say so", async () => {
    const { decider } = poolOf({ load: (_, at) => (at === 1 ? Promise.reject(new Error("no memory")) : quickEngine()) });
    await decider.info();
    await expect.poll(async () => (await decider.info()).workers).toBe(1);
    expect(decider.stats().workers).toBe(1);
    expect(await Promise.all([1, 2, 3].map((i) => decider.decide(ask(`text ${i}`))))).toHaveLength(3);
  });
});

it.each([0, 65, 1.5, "2"])("refuses %j workers", async (workers) => {
  expect((await decideError(() => poolOf({ workers: workers as number }))).code).toBe("invalid_request");
});

it("refuses more than one worker inline", async () => {
  expect((await decideError(() => poolOf({ inline: true }))).message).toContain("1 with inline");
});
