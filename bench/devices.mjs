// npm run bench:devices: the devices of Node side by side, in turns, in one process. Prints a table.
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "simple-statistics";
import { createDecider } from "umpire";
import { environmentOf, shownEnvironment } from "./environment.mjs";
import { variantOf, workloads } from "./workloads.mjs";

const TURNS = Number(process.env.BENCH_TURNS ?? 4);
/** Calls in a turn. The first is not counted, because it finds another contender's weights in the processor's caches. */
const CALLS_A_TURN = 4;
/** onnxruntime's threads spin for a while after a run. The next contender waits until they have stopped. */
const REST_MS = 30;

const contenders = [];
for (const device of ["cpu", "wasm"]) {
  for (const precision of ["int8", "fp32"]) {
    for (const threads of [1, 2]) {
      const start = performance.now();
      const decider = await createDecider({ device, precision, threads });
      contenders.push({
        name: `${device} ${precision}, threads ${threads}`,
        device,
        precision,
        threads,
        decider,
        loadMs: performance.now() - start,
      });
    }
  }
}

/** Each call has another text, so that none is answered from a cache. */
const requestFor = ({ text, labels }, call) => ({
  state: variantOf(text, call),
  questions: {
    topic: { type: "choice", instructions: "What is this text about?", criteria: Object.fromEntries(labels.map((label) => [label, null])) },
  },
});

/** Medians by contender, in ms. They take turns, so that other load affects all alike. */
async function measure(workload) {
  let calls = 0;
  const latencies = new Map(contenders.map(({ name }) => [name, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const { name, decider } of contenders) {
      await sleep(REST_MS);
      for (let call = 0; call < CALLS_A_TURN; call++) {
        const request = requestFor(workload, calls++);
        const start = performance.now();
        await decider.decide(request);
        if (call > 0) latencies.get(name).push(performance.now() - start);
      }
    }
  }
  return new Map([...latencies].map(([name, all]) => [name, median(all)]));
}

// The others take wasm minutes, and say the same.
const [workload] = await workloads();
const medians = await measure(workload);

const nameOf = ({ precision, threads }) => `cpu ${precision}, threads ${threads}`;
const ms = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const rows = contenders.map((contender) => {
  const own = medians.get(contender.name);
  const ratio = contender.device === "cpu" ? "" : ` (${(own / medians.get(nameOf(contender))).toFixed(1)} x cpu)`;
  return [contender.name, { [workload.name]: ms(own) + ratio, "to load": ms(contender.loadMs) }];
});
console.log(
  `${shownEnvironment(environmentOf(await contenders[0].decider.info()))}; medians of ${TURNS * (CALLS_A_TURN - 1)} calls, in turns`,
);
console.table(Object.fromEntries(rows));
await Promise.all(contenders.map(({ decider }) => decider.close()));
