// Many decides in a row: prints resident memory after the first 500 and at the end, in MB. Each is the median of samples from some hundred calls:
// when the worker's garbage is collected is its own affair, and moves a single sample by ten.
// node --expose-gc test/soak/decides.mjs <count>
import { createDecider } from "umpire";

const count = Number(process.argv[2]);
const WARM_UP = 500;
const SAMPLE_EVERY = 20;
/** Calls whose samples make one figure. */
const SPAN = 300;
// One thread: the requests are small, and threads that wait for one another are slow where cores are busy. Memory does not depend on it.
const decider = createDecider({ threads: 1 });

// Sizes differ from call to call, as they do in life.
const requestOf = (i) => ({
  state: `Parcel ${i} arrived late. `.repeat(1 + (i % 5)),
  questions: {
    late: { type: "noul", instructions: "Is it late?" },
    ...(i % 10 === 0
      ? { which: { type: "choice", instructions: "Which?", criteria: { parcel: null, letter: "no parcel", other: null } } }
      : {}),
  },
});

const resident = () => {
  globalThis.gc();
  return process.memoryUsage.rss() / 1e6;
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const samples = [];
const { signal } = new AbortController();
for (let i = 1; i <= count; i++) {
  await decider.decide(requestOf(i), i % 2 === 0 ? { signal } : undefined);
  if (i % SAMPLE_EVERY === 0) samples.push(resident());
}
const perSpan = SPAN / SAMPLE_EVERY;
const afterWarmUp = samples.slice(WARM_UP / SAMPLE_EVERY - perSpan, WARM_UP / SAMPLE_EVERY);
console.log(JSON.stringify({ afterWarmUp: median(afterWarmUp), atEnd: median(samples.slice(-perSpan)), highest: Math.max(...samples) }));
