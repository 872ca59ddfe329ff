// Many decides in a row: prints resident memory after 500 of them and at its highest after that, in MB.
// node --expose-gc test/soak/decides.mjs <count>
import { createDecider } from "umpire";

const count = Number(process.argv[2]);
const WARM_UP = 500;
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

let [afterWarmUp, highest] = [NaN, 0];
const signal = new AbortController().signal;
for (let i = 1; i <= count; i++) {
  await decider.decide(requestOf(i), i % 2 === 0 ? { signal } : undefined);
  if (i === WARM_UP) afterWarmUp = resident();
  if (i > WARM_UP && i % 250 === 0) highest = Math.max(highest, resident());
}
console.log(JSON.stringify({ afterWarmUp, highest, atEnd: resident() }));
