// Many deciders, each made, loaded and closed: prints the process's threads and open files before them and after, and resident memory.
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

for (let i = 0; i < WARM_UP; i++) await life(i);
await sleep(200);
const before = open();
for (let i = 0; i < count; i++) await life(i);
await sleep(200);
console.log(JSON.stringify({ before, after: open() }));
