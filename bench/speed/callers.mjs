// How many answers a second there are with so many callers in flight, each of whom asks again when it was answered.
import { setTimeout as sleep } from "node:timers/promises";
import { createDecider, DecideError } from "umpire";
import { median, quantile } from "simple-statistics";
import { requestOf } from "./requests.mjs";
import { timed } from "./turns.mjs";

const CALLERS = [1, 8, 64];
const REST_MS = 100;
const SETTINGS = [
  { name: "1 worker, its default of threads", options: {} },
  { name: "1 worker, 1 thread", options: { threads: 1 } },
  { name: "2 workers, 1 thread each", options: { workers: 2, threads: 1 } },
];

/**
 * @param {import("./requests.mjs").Asked} asked
 * @param {{ rounds: number, seconds: number }} plan in each round every setting is measured with every number of callers for so long
 * @returns {Promise<{ setting: string, callers: number, perSecond: number, medianMs: number, p95Ms: number }[]>}
 */
export async function callersInFlight(asked, { rounds, seconds }) {
  const measured = [];
  for (const { name, options } of SETTINGS) {
    const decider = await opened(options);
    if (decider) measured.push(...CALLERS.map((callers) => ({ setting: name, callers, decider, perSecond: [], times: [] })));
  }
  let call = 0;
  for (let round = 0; round < rounds; round++) {
    for (const one of measured) {
      await sleep(REST_MS);
      const times = [];
      const endMs = performance.now() + 1000 * seconds;
      const caller = async () => {
        do {
          const request = requestOf(asked, call++);
          times.push(await timed(() => one.decider.decide(request)));
        } while (performance.now() < endMs);
      };
      const tookMs = await timed(() => Promise.all(Array.from({ length: one.callers }, caller)));
      one.perSecond.push((1000 * times.length) / tookMs);
      one.times.push(...times);
    }
  }
  for (const decider of new Set(measured.map((one) => one.decider))) await decider.close();
  return measured.map(({ setting, callers, perSecond, times }) => ({
    setting,
    callers,
    perSecond: median(perSecond),
    medianMs: median(times),
    p95Ms: quantile(times, 0.95),
  }));
}

/** Nothing where this version does not know an option. */
async function opened(options) {
  try {
    return await createDecider(options);
  } catch (error) {
    if (DecideError.isInstance(error) && error.code === "invalid_request") return undefined;
    throw error;
  }
}
