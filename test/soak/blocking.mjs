// Measures how long a decide of 20 kB with 255 options blocks the caller's thread. For each call, prints the longest time in ms between two ticks of a
// timer, by two clocks. `held` is the elapsed time, without the time that the thread waited for a processor because of other programs. `busy` is the
// processor time of the thread. On a shared machine both are noisy, but real blocking shows up in both. `work` is the processor time of the whole
// call, in all threads: what both are judged by.
//   node --expose-gc test/soak/blocking.mjs <calls>
import { readFileSync } from "node:fs";
import { createDecider } from "umpire";

const calls = Number(process.argv[2]);
const sentence = "The parcel came two days late and the box was open when I got it. ";
const request = {
  state: sentence.repeat(Math.ceil(20_000 / sentence.length)).slice(0, 20_000),
  questions: {
    which: {
      type: "choice",
      instructions: "Which of these is the customer's concern?",
      criteria: Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`concern ${i}`, null])),
    },
  },
};

/** This thread's time so far, in ms: on a processor, and waiting for one. */
const scheduled = () => {
  const [onProcessorNs, waitingNs] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ").map(Number);
  return { clockMs: performance.now(), busyMs: onProcessorNs / 1e6, waitingMs: waitingNs / 1e6 };
};

// One thread for the model, which leaves a core for this thread.
const decider = await createDecider({ threads: 1 });
const longest = [];
for (let call = 0; call < calls + 1; call++) {
  // Collect garbage now, so that it does not happen during the call.
  globalThis.gc();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const worst = { heldMs: 0, busyMs: 0 };
  let before = scheduled();
  const tick = () => {
    const now = scheduled();
    worst.heldMs = Math.max(worst.heldMs, now.clockMs - before.clockMs - (now.waitingMs - before.waitingMs));
    worst.busyMs = Math.max(worst.busyMs, now.busyMs - before.busyMs);
    before = now;
  };
  const timer = setInterval(tick, 1);
  const start = process.cpuUsage();
  await decider.decide(request);
  tick();
  clearInterval(timer);
  const { user, system } = process.cpuUsage(start);
  worst.workMs = (user + system) / 1000;
  // The first call is a warm-up, which compiles the code.
  if (call > 0) longest.push(worst);
}
console.log(JSON.stringify(longest));
await decider.close();
