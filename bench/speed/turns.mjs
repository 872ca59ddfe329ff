// Times contenders in turns, so that other load affects all alike.
import { setTimeout as sleep } from "node:timers/promises";

/** onnxruntime's threads spin for a while after a run. The next contender waits until they have stopped. */
const REST_MS = 30;
/** A call that takes so long fills the caches by itself: the turn ends with it. */
const LONG_MS = 1000;
/** Fewer turns give no interval. */
const FEWEST_TURNS = 2;

/** @typedef {{ first: number[][], warm: number[][] }} Times in ms, turn by turn */

/**
 * The first call of a turn finds the other contenders' weights in the processor's caches: that is what a call costs whose program does other things in
 * between. The others follow at once.
 * @param {readonly { name: string, ask: (call: number) => Promise<number> }[]} contenders `ask` gets the number of the call and returns ms
 * @param {{ turns: number, callsATurn: number, limitMs: number }} plan once `limitMs` are over, no further turn begins
 * @returns {Promise<Map<string, Times>>} by name
 */
export async function inTurns(contenders, { turns, callsATurn, limitMs }) {
  const times = new Map(contenders.map(({ name }) => [name, { first: [], warm: [] }]));
  let calls = 0;
  // What a session and a compiler do only once is not counted.
  for (const { ask } of contenders) await ask(calls++);
  const startMs = performance.now();
  for (let turn = 0; turn < turns; turn++) {
    if (turn >= FEWEST_TURNS && performance.now() - startMs > limitMs) break;
    for (const { name, ask } of contenders) {
      await sleep(REST_MS);
      const firstMs = await ask(calls++);
      const warm = [];
      for (let call = 1; call < callsATurn && firstMs <= LONG_MS; call++) warm.push(await ask(calls++));
      const { first, warm: allWarm } = times.get(name);
      first.push([firstMs]);
      allWarm.push(warm.length === 0 ? [firstMs] : warm);
    }
  }
  return times;
}

/** @param {() => Promise<unknown>} task @returns {Promise<number>} ms */
export async function timed(task) {
  const startMs = performance.now();
  await task();
  return performance.now() - startMs;
}
