// Creates, loads and closes many deciders. Prints the process's threads, open files, listeners and resident memory (MB) at the start, after a quarter
// and at the end. Memory is the median of the last few deciders, because a single sample varies by 10 MB.
//   node --expose-gc test/soak/lives.mjs <count>
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createDecider } from "umpire";

const count = Number(process.argv[2]);
const WARM_UP = 5;
/** Number of deciders sampled for a figure. */
const SPAN = 11;
/** Time allowed for threads and files to disappear while other programs keep the processors busy. */
const PATIENCE_MS = 10_000;

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
  // Closes deciders in every situation: unused, used, or at any point of loading.
  const decider = createDecider({ threads: 2 });
  const request = { state: "s", questions: { q: { type: "noul", instructions: "?" } } };
  if (i % 8 === 0) await decider.decide(request);
  else if (i % 8 === 4) void decider.decide(request, { signal: AbortSignal.timeout(20 + i) }).catch(() => undefined);
  else await decider;
  await decider.close();
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Waits until there are no more threads and files than `least`, or until the time is up, and returns what is open then. */
const settled = async (least) => {
  const endsMs = performance.now() + PATIENCE_MS;
  for (;;) {
    await sleep(200);
    const now = open();
    if ((now.threads <= least.threads && now.files <= least.files) || performance.now() > endsMs) return now;
  }
};

for (let i = 0; i < WARM_UP; i++) await life(i);
await sleep(1000);
const before = await settled({ threads: Infinity, files: Infinity });
const residents = [];
for (let i = 0; i < count; i++) {
  await life(i);
  residents.push(open().resident);
}
const after = await settled(before);
// Memory fluctuates for the first few dozen deciders. Only after that does it show a leak.
const quarter = Math.floor(count / 4);
const residentAt = (end) => median(residents.slice(end - SPAN, end));
console.log(JSON.stringify({ before, after, residentAtQuarter: residentAt(quarter), residentAtEnd: residentAt(count) }));
