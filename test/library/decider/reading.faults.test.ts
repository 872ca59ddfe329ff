import type { Worker } from "node:worker_threads";
import { createDecider } from "umpire";
import { expect, it } from "vitest";
import { quickRequest } from "../../support/long-requests.ts";

it("a reading answers after its worker died, and is held again", async () => {
  const workers: Worker[] = [];
  const onWorker = (worker: Worker): void => void workers.push(worker);
  process.on("worker", onWorker);
  await using decider = await createDecider({ threads: 1 });
  process.off("worker", onWorker);
  await using reading = await decider.read(quickRequest.state);
  const expected = await reading.decide(quickRequest.questions);
  await workers.at(-1)?.terminate();
  expect(await Promise.all([reading.decide(quickRequest.questions), reading.decide(quickRequest.questions)])).toEqual([expected, expected]);
  expect(decider.stats().workersStarted).toBe(2);
  expect((await decider.info()).kept.heldBytes).toBe(reading.bytes);
  await reading.close();
  expect((await decider.info()).kept.heldBytes).toBe(0);
});
