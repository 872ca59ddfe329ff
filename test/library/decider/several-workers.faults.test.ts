import type { Worker } from "node:worker_threads";
import { createDecider } from "umpire";
import type { LazyDecider } from "umpire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { catTokens, quickRequest } from "../../support/long-requests.ts";

const LONG = { ...quickRequest, state: catTokens(1500) };

describe("two workers of which one is killed", () => {
  const workers: Worker[] = [];
  const onWorker = (worker: Worker): void => void workers.push(worker);
  let decider: LazyDecider;
  beforeEach(() => {
    workers.length = 0;
    process.on("worker", onWorker);
    decider = createDecider({ threads: 1, workers: 2 });
  });
  afterEach(async () => {
    process.off("worker", onWorker);
    await decider.close();
  });
  const bothAreThere = async (): Promise<void> => {
    await decider.info();
    await expect.poll(() => decider.stats().workers).toBe(2);
  };

  it("fail its call alone, and are two again", async () => {
    await bothAreThere();
    const calls = [1, 2].map(() => decider.decide(LONG));
    const waiting = [1, 2, 3].map(() => decider.decide(quickRequest));
    const outcomes = Promise.allSettled(calls);
    await workers[0]?.terminate();
    expect((await outcomes).map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = (await outcomes).find(({ status }) => status === "rejected");
    expect(lost).toMatchObject({ reason: { code: "worker_lost" } });
    expect(await Promise.all(waiting)).toHaveLength(3);
    await expect.poll(() => decider.stats().workers).toBe(2);
    expect(decider.stats().workersStarted).toBe(3);
  });

  it("hold again what they held, and answer the same", async () => {
    await bothAreThere();
    await using reading = await decider.read(LONG.state);
    const expected = await reading.decide(LONG.questions);
    await Promise.all(workers.slice(0, 1).map((worker) => worker.terminate()));
    expect(await reading.decide(LONG.questions)).toEqual(expected);
    await Promise.all(workers.slice(1).map((worker) => worker.terminate()));
    expect(await reading.decide(LONG.questions).catch(() => reading.decide(LONG.questions))).toEqual(expected);
    expect((await decider.info()).kept.heldBytes).toBe(reading.bytes);
  });

  it("are fewer if one cannot be loaded, and say so", async () => {
    const started = decider.info();
    await expect.poll(() => workers.length, { interval: 1 }).toBe(2);
    await workers[1]?.terminate();
    await started;
    await expect.poll(async () => (await decider.info()).workers).toBe(1);
    expect(decider.stats().workers).toBe(1);
    expect((await Promise.all([1, 2, 3].map(() => decider.decide(quickRequest)))).length).toBe(3);
  });
});
