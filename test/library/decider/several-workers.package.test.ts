import { createDecider } from "umpire";
import { afterAll, expect, it } from "vitest";
import { catTokens, quickRequest } from "../../support/long-requests.ts";

/** How they share the calls is in slot-pool.test.ts. Here are real threads. */

const two = createDecider({ threads: 1, workers: 2 });
afterAll(() => two.close());

it("two workers answer at the same time: short calls end while a long one runs", async () => {
  await two.info();
  await expect.poll(() => two.stats().workers).toBe(2);
  const order: string[] = [];
  // It takes a hundred times as long as a short one.
  const long = two.decide({ ...quickRequest, state: catTokens(2500) }).then(() => order.push("long"));
  await two.decide(quickRequest).then(() => order.push("short"));
  await two.decide(quickRequest).then(() => order.push("short"));
  await long;
  expect(order).toEqual(["short", "short", "long"]);
});

it("two workers give the same answers as one, bit for bit", async () => {
  await using one = createDecider({ threads: 1 });
  const requests = Array.from({ length: 12 }, (_, at) => ({ ...quickRequest, state: `It rained ${at} times.` }));
  const answers = await Promise.all(requests.map((request) => two.decide(request)));
  for (const [at, request] of requests.entries()) expect(answers[at]).toEqual(await one.decide(request));
});
