// How long the caller's thread is held up by a decide of 20 kB with 255 options: prints, for several calls, the longest stretch in ms between
// two ticks of a timer, by two clocks. `held`: the time that passed, without that in which the thread was ready to run and waited for a processor
// (other programs' doing). `busy`: the processor time that the thread spent. Neither is free of noise where a machine is shared; blocking is in both.
// node --expose-gc test/soak/blocking.mjs <calls>
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

/** Of this thread so far, ms: the time on a processor, and the time that it waited for one. */
const scheduled = () => {
  const [onProcessorNs, waitingNs] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ").map(Number);
  return { clockMs: performance.now(), busyMs: onProcessorNs / 1e6, waitingMs: waitingNs / 1e6 };
};

// One thread for the model, so that the machine has a core left for this one.
const decider = await createDecider({ threads: 1 });
const longest = [];
for (let call = 0; call < calls + 1; call++) {
  // Now, so that none falls into the call.
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
  await decider.decide(request);
  tick();
  clearInterval(timer);
  // The first call warms up: code is compiled for the first time.
  if (call > 0) longest.push(worst);
}
console.log(JSON.stringify(longest));
await decider.close();
