// Many deciders, each made, loaded and closed: prints the process's threads, open files, listeners and resident
// memory (MB) before them, after a quarter of them, and at the end.
// node --expose-gc test/soak/lives.mjs <count>
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createDecider } from "umpire";

const count = Number(process.argv[2]);
const WARM_UP = 5;

const open = () => {
  globalThis.gc();
  return {
    threads: readdirSync("/proc/self/task").length,
    files: readdirSync("/proc/self/fd").length,
    resident: process.memoryUsage.rss() / 1e6,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
};

const life = async (i) => {
  // Every kind of end: unused, used, in the middle of a call, lost.
  const decider = createDecider({ threads: 2 });
  const request = { state: "s", questions: { q: { type: "noul", instructions: "?" } } };
  if (i % 8 === 0) await decider.decide(request);
  else if (i % 8 === 4) void decider.decide(request, { signal: AbortSignal.timeout(100) }).catch(() => undefined);
  else await decider;
  await decider.close();
};

const settled = async () => {
  await sleep(200);
  return open();
};

for (let i = 0; i < WARM_UP; i++) await life(i);
const before = await settled();
let quarter = before;
for (let i = 0; i < count; i++) {
  await life(i);
  // Memory that the process has once had comes and goes for some dozens of lives; only then does it tell of a leak.
  if (i === Math.floor(count / 4)) quarter = await settled();
}
console.log(JSON.stringify({ before, quarter, after: await settled() }));
