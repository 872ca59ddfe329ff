import { createDecider } from "umpire";
import { expect, it } from "vitest";
import { LONG_STATE, running } from "./running.ts";

it("a server of two workers answers two requests at the same time, and a third after them", async () => {
  await using decider = createDecider({ threads: 1, workers: 2 });
  await using served = await running({ decider });
  // The second worker loads after the first has answered.
  await expect.poll(() => decider.stats().workers).toBe(2);
  let most = 0;
  let statuses: number[] | undefined;
  void Promise.all([1, 2, 3].map(async (at) => (await served.ask(`${at} ${LONG_STATE}`)).status)).then((all) => (statuses = all));
  while (statuses === undefined) {
    most = Math.max(most, decider.stats().pendingCalls);
    await new Promise(setImmediate);
  }
  expect(statuses).toEqual([200, 200, 200]);
  expect(most).toBe(2);
});
