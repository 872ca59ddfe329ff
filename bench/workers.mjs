// Throughput of one worker with two threads beside two workers with one thread, in turns, with many callers in flight; and the memory of each.
import { createDecider } from "umpire";

const CALLERS = 16;
const ROUNDS = 3;
const CALLS = 32;

const STATE = "The customer writes that the parcel came late, that the box was open, and that one of the two lamps is missing. ".repeat(6);
const CRITERIA = Object.fromEntries(
  ["late", "damaged", "missing", "wrong", "refund", "praise", "question", "cancel", "address", "other"].map((name) => [
    name,
    `The message is about: ${name}`,
  ]),
);
const REQUEST = { state: STATE, questions: { topic: { type: "choice", instructions: "What is it about?", criteria: CRITERIA } } };

const SHAPES = [
  { workers: 1, threads: 2 },
  { workers: 2, threads: 1 },
];

async function callsPerSecond(decider) {
  let left = CALLS;
  const sinceMs = performance.now();
  const caller = async () => {
    while (left-- > 0) await decider.decide(REQUEST);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (1000 * CALLS) / (performance.now() - sinceMs);
}

const measured = SHAPES.map(() => []);
for (let round = 0; round < ROUNDS; round++)
  for (const [at, shape] of SHAPES.entries()) {
    const before = process.memoryUsage.rss();
    const decider = await createDecider(shape);
    await Promise.all(Array.from({ length: CALLERS }, () => decider.decide(REQUEST)));
    measured[at].push({ rate: await callsPerSecond(decider), megabytes: (process.memoryUsage.rss() - before) / 1e6 });
    await decider.close();
  }

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
for (const [at, { workers, threads }] of SHAPES.entries()) {
  const rates = measured[at].map(({ rate }) => rate.toFixed(1));
  const [{ megabytes }] = measured[at];
  console.log(
    `${workers} x ${threads} thread(s): ${median(measured[at].map(({ rate }) => rate)).toFixed(1)} calls/s (${rates.join(", ")}); first round +${megabytes.toFixed(0)} MB`,
  );
}
