// Warm latency: every contender in its own tab of one browser, taking turns.
import { setTimeout as sleep } from "node:timers/promises";
import { median, quantile } from "simple-statistics";
import { launchChromium } from "./chromium.mjs";
import { onWasm, onWebgpu, visit } from "./contenders.mjs";

/** Calls of one turn. The first finds the caches full of another contender's weights and is not counted. */
const CALLS_A_TURN = 4;
/** The runtime's threads spin for a while after a run: the next contender's turn starts when they have stopped. */
const REST_MS = 30;
/** For loading and answering on a WebGPU adapter that computes on the processor. */
const PATIENCE_MS = 240_000;

export const SHORT = { name: "3 options, 6 tokens", text: "My card was charged twice.", labels: ["billing", "technical", "other"] };

/** @returns {Promise<Record<string, { medianMs: number, p95Ms: number, calls: number, info: object }>>} by contender */
export async function warmOnWasm(site, workload, threads, turns) {
  const browser = await launchChromium();
  try {
    const tabs = [];
    for (const [name, contender] of Object.entries(onWasm(threads))) {
      const { first, ask } = await visit(browser, site, contender);
      tabs.push({ name, ask, info: first.info, latenciesMs: [] });
      // Compiled quickly first, WebAssembly is compiled well while it runs: that is over before anything is timed.
      for (let call = 0; call < CALLS_A_TURN; call++) await ask(workload);
    }
    for (let turn = 0; turn < turns; turn++) {
      for (const { ask, latenciesMs } of tabs) {
        await sleep(REST_MS);
        for (let call = 0; call < CALLS_A_TURN; call++) {
          const ms = await ask(workload);
          if (call > 0) latenciesMs.push(ms);
        }
      }
    }
    const figures = (ms) => ({ medianMs: median(ms), p95Ms: quantile(ms, 0.95), calls: ms.length });
    return Object.fromEntries(tabs.map(({ name, info, latenciesMs }) => [name, { ...figures(latenciesMs), info }]));
  } finally {
    await browser.close();
  }
}

/** One call each, of a short request and of the workload: the adapter is software. What fails or does not end is said in words. */
export async function onceOnWebgpu(site, workload) {
  const results = {};
  for (const [name, contender] of Object.entries(onWebgpu)) {
    const browser = await launchChromium({ webgpu: true });
    const result = (results[name] = {});
    const measured = async () => {
      const { first, ask } = await visit(browser, site, contender);
      result.info = first.info;
      result.shortMs = await ask(SHORT);
      result.ms = await ask(workload);
    };
    const tooLong = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
      throw new Error(`no answer within ${PATIENCE_MS / 1000} s`);
    });
    try {
      await Promise.race([measured(), tooLong]);
    } catch (error) {
      result.failure = error.message.split("\n")[0];
    } finally {
      await browser.close();
    }
  }
  return results;
}
