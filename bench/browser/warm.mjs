// Measures warm latency. The contenders take turns, each in its own tab of one browser.
import { setTimeout as sleep } from "node:timers/promises";
import { median, quantile } from "simple-statistics";
import { launchChromium } from "./chromium.mjs";
import { variantOf } from "../workloads.mjs";
import { onWasm, onWebgpu, visit } from "./contenders.mjs";

/** Calls in a turn. The first is not counted, because it finds another contender's weights in the processor's caches. */
const CALLS_A_TURN = 4;
/** The runtime's threads spin for a while after a run. The next contender waits until they have stopped. */
const REST_MS = 30;
/** Time limit for loading and answering on a software adapter for WebGPU. */
const PATIENCE_MS = 240_000;

export const SHORT = { name: "3 options, 6 tokens", text: "My card was charged twice.", labels: ["billing", "technical", "other"] };

/**
 * @param {readonly string[]} [names] of the contenders, by default all
 * @returns {Promise<Record<string, { medianMs: number, p95Ms: number, calls: number, turnsMs: number[][], info: object }>>} by contender; `turnsMs`: each call's
 *   time, turn by turn
 */
export async function warmOnWasm(site, workload, threads, turns, names) {
  const browser = await launchChromium();
  try {
    const tabs = [];
    let calls = 0;
    for (const [name, contender] of Object.entries(onWasm(threads))) {
      if (names && !names.includes(name)) continue;
      const { first, ask: askPage } = await visit(browser, site, contender);
      const ask = () => askPage({ ...workload, text: variantOf(workload.text, calls++) });
      tabs.push({ name, ask, info: first.info, turnsMs: [] });
      // The browser first compiles WebAssembly fast, then optimises it while it runs. These calls wait for that.
      for (let call = 0; call < CALLS_A_TURN; call++) await ask();
    }
    for (let turn = 0; turn < turns; turn++) {
      for (const { ask, turnsMs } of tabs) {
        await sleep(REST_MS);
        const times = [];
        for (let call = 0; call < CALLS_A_TURN; call++) times.push(await ask());
        turnsMs.push(times.slice(1));
      }
    }
    const figures = (ms) => ({ medianMs: median(ms), p95Ms: quantile(ms, 0.95), calls: ms.length });
    return Object.fromEntries(tabs.map(({ name, info, turnsMs }) => [name, { ...figures(turnsMs.flat()), turnsMs, info }]));
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
