// Measures warm latency. The contenders take turns, each in its own tab of one browser.
import { setTimeout as sleep } from "node:timers/promises";
import { median, quantile } from "simple-statistics";
import { launchChromium } from "./chromium.mjs";
import { onWasm, onWebgpu, visit } from "./contenders.mjs";

/** Calls in a turn. The first is not counted, because it finds another contender's weights in the processor's caches. */
const CALLS_A_TURN = 4;
/** The runtime's threads spin for a while after a run. The next contender waits until they have stopped. */
const REST_MS = 30;
/** Time limit for loading and answering on a software adapter for WebGPU. */
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
      // The browser first compiles WebAssembly fast, then optimises it while it runs. These calls wait for that.
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

/** Makes one call with a short request and one with the workload, because the software adapter is slow. Failures are recorded as text. */
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
