// Makes many decides in a row. Prints the resident memory in MB after the first 1,000 and at the end. Each figure is the median of samples from several
// hundred calls, because garbage collection in the worker moves a single sample by 10 MB.
//   node --expose-gc test/soak/decides.mjs <count>
import { createDecider } from "umpire";

const count = Number(process.argv[2]);
/** Calls until the cache of states is full, and the allocator has all that it needs. */
const WARM_UP = 1000;
const SAMPLE_EVERY = 20;
/** Number of calls sampled for a figure. */
const SPAN = 300;
// One thread, because small requests gain nothing from more, and threads that wait for each other are slow on busy cores. Memory does not depend on it.
const decider = createDecider({ threads: 1 });

// Sizes vary from call to call, as in real use.
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
