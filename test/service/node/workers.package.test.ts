import { createDecider } from "umpire";
import type { Decider } from "umpire";
import { expect, it } from "vitest";
import { running } from "./running.ts";

it("a server of two workers answers two requests at the same time, and a third after them", async () => {
  await using decider = createDecider({ threads: 1, workers: 2 });
  let [working, most] = [0, 0];
  const counting = {
    models: () => decider.models(),
    stats: () => decider.stats(),
    decide: async (...asked: Parameters<Decider["decide"]>) => {
      most = Math.max(most, ++working);
      return decider.decide(...asked).finally(() => working--);
    },
  };
  await using served = await running({ decider: counting as unknown as Decider });
  expect(most).toBe(1);
  // The second worker loads after the first has answered.
  await expect.poll(() => decider.stats().workers).toBe(2);
  const statuses = await Promise.all([1, 2, 3].map(async (at) => (await served.ask(`late ${at}`)).status));
  expect(statuses).toEqual([200, 200, 200]);
  expect(most).toBe(2);
});
