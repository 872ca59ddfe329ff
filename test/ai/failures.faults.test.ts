import { experimental_decide } from "ai";
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { createDecider } from "umpire";
import { createUmpire } from "umpire/ai";
import { expect, it } from "vitest";
import { quickRequest } from "../support/long-requests.ts";

it("a call is answered by the AI SDK's retry after its worker has died", async () => {
  await using decider = createDecider({ threads: 1 });
  const { state } = quickRequest;
  const late = { type: "boolean", instructions: quickRequest.questions.late.instructions } as const;
  const kill = async ([worker]: Worker[]): Promise<unknown> => worker?.terminate();
  const killed = once(process, "worker").then((args) => kill(args as Worker[]));
  const [answered] = await Promise.all([experimental_decide({ model: createUmpire({ decider })(), state, questions: { late } }), killed]);
  expect(answered.answers.late.probability).toBe((await decider.decide(quickRequest)).answers.late.noul);
  expect(decider.stats().workersStarted).toBe(2);
});
