import { setTimeout as sleep } from "node:timers/promises";
import { createDecider } from "umpire";
import type { Decider } from "umpire";
import { createHandler, createKeys, keyFromSecret } from "umpire/http";
import { expect, it } from "vitest";
import { catTokens } from "../support/long-requests.ts";

const HEAVY = {
  model: "latest",
  state: "hello",
  questions: {
    which: {
      type: "choice",
      instructions: "Which?",
      criteria: Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`o${i}`, "!".repeat(227) + String(100 + i)])),
    },
  },
};
const LIGHT = {
  model: "latest",
  state: catTokens(80),
  questions: { topic: { type: "choice", instructions: "What is this about?", criteria: { billing: null, weather: null } } },
};
const SECONDS = 30;

/** How long the model takes for one run of the heavy request, the longest of some: it reads nine such options at a time. */
async function msOfOneRun(decider: Decider): Promise<number> {
  const criteria = Object.fromEntries(Object.entries(HEAVY.questions.which.criteria).slice(0, 9));
  const times: number[] = [];
  for (let i = 0; i < 10; i++) {
    const startMs = performance.now();
    await decider.decide({ state: "hello", questions: { which: { type: "choice", instructions: "Which?", criteria } } });
    times.push(performance.now() - startMs);
  }
  return Math.max(...times);
}

it("a key that keeps one request of 62 KB open does not starve one with short requests", async () => {
  await using decider = await createDecider();
  const keys = createKeys([await keyFromSecret("heavy", "h"), await keyFromSecret("light", "l")]);
  const handler = createHandler({ decider, keys });
  const ask = async (secret: string, body: unknown): Promise<{ status: number; ms: number }> => {
    const startMs = performance.now();
    const headers = { authorization: `Bearer ${secret}` };
    const response = await handler(
      new Request("http://umpire.local/decision/v1/model", { method: "POST", body: JSON.stringify(body), headers }),
    );
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - startMs };
  };
  const oneRunMs = await msOfOneRun(decider);
  const untilMs = performance.now() + SECONDS * 1000;
  const heavy = (async () => {
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    while (performance.now() < untilMs) {
      answers.push(await ask("h", HEAVY));
      await sleep(10);
    }
    return answers;
  })();
  const light: ReturnType<typeof ask>[] = [];
  while (performance.now() < untilMs) {
    light.push(ask("l", LIGHT));
    await sleep(300);
  }
  const answers = await Promise.all(light);
  const tookMs = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const p99Ms = tookMs[Math.ceil(0.99 * tookMs.length) - 1];
  const heavyAnswers = await heavy;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // On two idle processors it is under a second: the light key waits for one run of the model at most.
  expect(p99Ms).toBeLessThan(Math.max(2000, 5 * oneRunMs));
  // It has its share of the time all the same: 8 seconds of work a request, or an answer.
  expect(heavyAnswers.filter(({ status }) => status === 413 || status === 200).length).toBeGreaterThanOrEqual(1);
});
