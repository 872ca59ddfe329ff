// npm run bench:http: measures the service under load and compares it with decide() in the same run. Prints tables; writes results/http.json.
// BENCH_SECONDS (default 20) is the duration of each step. The whole run takes about 15 times as long.
import { mkdir, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createDecider } from "umpire";
import { environmentOf, shownEnvironment } from "./environment.mjs";
import { startChild } from "./http/child.mjs";
import { shownMb, shownMs, shownStatuses } from "./http/figures.mjs";
import { measureOverhead } from "./http/overhead.mjs";
import { decideRequest, workload } from "./http/request.mjs";
import { startServer } from "./http/server.mjs";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const CONNECTIONS = [1, 8, 64, 256];
/** Concurrent calls of decide(), so that the worker is never idle. */
const SATURATED = 8;
const TIMES_SUSTAINABLE = 2;
const DEADLINE_MS = 8000;

const overhead = await measureOverhead({ calls: Math.round(SECONDS * 10), instantCalls: Math.round(SECONDS * 100) });
const library = startChild("library.mjs", decideRequest);
const closedLoop = startChild("closed-loop.mjs", decideRequest);
const openLoop = startChild("open-loop.mjs", decideRequest);
const server = await startServer();
const memory = { beforeBytes: await server.residentBytes() };

const decides = [];
const decideNow = async () => {
  const seconds = SECONDS / 4;
  const sequential = await library.ask({ seconds, inFlight: 1 });
  const saturated = await library.ask({ seconds, inFlight: SATURATED });
  decides.push({ sequential, saturated });
  return { 1: sequential.perSecond, more: saturated.perSecond };
};

const levels = [];
let before = await decideNow();
for (const connections of CONNECTIONS) {
  // Lasts until every connection has been answered once. From then on their requests are spread evenly.
  const warmUpSeconds = 1 + connections / before.more;
  const level = await closedLoop.ask({ url: server.url, connections, warmUpSeconds, seconds: SECONDS });
  const residentBytes = await server.residentBytes();
  const after = await decideNow();
  const which = connections === 1 ? 1 : "more";
  levels.push({ ...level, ofDecide: level.perSecond / ((before[which] + after[which]) / 2), residentBytes });
  before = after;
}
// The highest figure, in case the machine has become faster meanwhile.
const sustainable = Math.max(before.more, ...levels.map(({ perSecond }) => perSecond));
const load = { perSecond: TIMES_SUSTAINABLE * sustainable };
// The queue fills up during the first deadline. Requests are refused only after that.
const {
  streams: [overload],
  lag,
} = await openLoop.ask({ url: server.url, streams: [{ name: "all", ...load }], seconds: SECONDS + DEADLINE_MS / 1000 });
memory.duringBytes = Math.max(...levels.map(({ residentBytes }) => residentBytes), await server.residentBytes());
const afterOverload = await decideNow();
overload.ofDecide = overload.acceptedPerSecond / ((before.more + afterOverload.more) / 2);
overload.lag = lag;
await sleep(2000);
memory.afterBytes = await server.residentBytes();
await server.stop();
await Promise.all([library, closedLoop, openLoop].map((child) => child.stop()));

const decider = await createDecider();
const environment = environmentOf(await decider.info());
await decider.close();

console.log(`${shownEnvironment(environment)}; ${workload}; ${SECONDS} s per step`);
const rate = (perSecond) => perSecond.toFixed(1);
const share = (ratio) => `${(100 * ratio).toFixed(0)}%`;
const mean = (figures, field) => figures.reduce((sum, figure) => sum + figure[field], 0) / figures.length;
const decideRow = (what, figures) => [
  what,
  {
    "requests/s": rate(mean(figures, "perSecond")),
    p50: shownMs(mean(figures, "p50Ms")),
    p95: shownMs(mean(figures, "p95Ms")),
    p99: shownMs(mean(figures, "p99Ms")),
  },
];
console.table(
  Object.fromEntries([
    decideRow(
      "decide(), one at a time",
      decides.map(({ sequential }) => sequential),
    ),
    decideRow(
      `decide(), ${SATURATED} at a time`,
      decides.map(({ saturated }) => saturated),
    ),
    ...levels.map((level) => [
      `HTTP, ${level.connections} connection${level.connections === 1 ? "" : "s"}`,
      {
        "requests/s": rate(level.perSecond),
        "of decide()": share(level.ofDecide),
        p50: shownMs(level.p50Ms),
        p95: shownMs(level.p95Ms),
        p99: shownMs(level.p99Ms),
        "replies by status": shownStatuses(level.statuses),
        errors: level.errors,
        memory: shownMb(level.residentBytes),
      },
    ]),
  ]),
);
console.log(
  `\nOverhead of HTTP over decide() (${shownMs(overhead.decide.p50Ms)} at p50): one connection, alternating calls, ${overhead.calls} of each:`,
);
console.table(
  Object.fromEntries(
    overhead.forms.map(({ form, overhead: { ms, lowMs, highMs }, instant, cpuMs }) => [
      form,
      {
        "overhead at p50": shownMs(ms),
        "95% confidence": `${lowMs.toFixed(2)} to ${highMs.toFixed(2)} ms`,
        "with an instant model: p50": shownMs(instant.p50Ms),
        p99: shownMs(instant.p99Ms),
        "processor time": shownMs(cpuMs),
      },
    ]),
  ),
);
console.log(
  `\nAt ${TIMES_SUSTAINABLE} times the sustainable rate (${rate(overload.offeredPerSecond)} requests/s offered by independent callers):`,
);
console.table({
  "accepted (200)": {
    "requests/s": rate(overload.acceptedPerSecond),
    "of decide()": share(overload.ofDecide),
    p50: shownMs(overload.accepted?.p50Ms),
    p99: shownMs(overload.accepted?.p99Ms),
  },
  "refused (429)": {
    "requests/s": rate(overload.refusedPerSecond),
    p50: shownMs(overload.refused?.p50Ms),
    p99: shownMs(overload.refused?.p99Ms),
  },
});
console.log(
  `Replies by status: ${shownStatuses(overload.statuses)}. The load generator was late by ${shownMs(overload.lag.p99Ms)} at p99.`,
);
console.log(
  `Server memory: ${shownMb(memory.beforeBytes)} before, ${shownMb(memory.duringBytes)} at most, ${shownMb(memory.afterBytes)} after.`,
);
await mkdir(new URL("results/", import.meta.url), { recursive: true });
await writeFile(
  new URL("results/http.json", import.meta.url),
  `${JSON.stringify({ environment, seconds: SECONDS, decides, levels, overhead, overload, memory }, null, 2)}\n`,
);
