// Runs the service at twice its capacity for a long time. Prints figures and a verdict for each requirement; exits with 1 if one is not met.
//   npm run soak:http -- [seconds] [--times <factor>] [--deadline-ms <ms>] [--json]
//   node test/soak/http-soak.mjs --requests <count> --deadline-requests <count>
// The latter suits a machine of any speed: both times are those that decide() takes for so many requests.
// Default: 600 seconds at 2 times the capacity, with the service's own deadline. Use an otherwise idle machine.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { linearRegression, median } from "simple-statistics";
import { startChild } from "../../bench/http/child.mjs";
import { shownMb, shownMs, shownStatuses } from "../../bench/http/figures.mjs";
import { decideRequest, workload } from "../../bench/http/request.mjs";
import { makeKeyFile, startServer } from "../../bench/http/server.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "2" },
    "deadline-ms": { type: "string", default: "8000" },
    "deadline-requests": { type: "string" },
    requests: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const GIVEN_SECONDS = Number(positionals[0] ?? 600);
const TIMES_SUSTAINABLE = Number(values.times);
/** Share of the capacity that each light key requests: less than its fair third. */
const LIGHT_SHARE = 0.1;
const LIGHT_KEYS = ["light-1", "light-2"];
const FLOODING_KEY = "flooding";
const SATURATED = 8;
const LIBRARY_SECONDS = values.requests === undefined ? Math.min(30, Math.max(1, GIVEN_SECONDS / 10)) : 2;
const SAMPLE_MS = 1000;

const LEAST_OF_DECIDE = 0.9;
const MAX_GROWTH_BYTES = 30e6;
const LEAST_LIGHT_SERVED = 0.99;

const library = startChild("library.mjs", decideRequest);
const closedLoop = startChild("closed-loop.mjs", decideRequest);
const openLoop = startChild("open-loop.mjs", decideRequest);
const keyFile = await makeKeyFile([FLOODING_KEY, ...LIGHT_KEYS]);

const decide = () => library.ask({ seconds: LIBRARY_SECONDS, inFlight: SATURATED });
const decideBefore = await decide();
const secondsFor = (requests) => Number(requests) / decideBefore.perSecond;
const SECONDS = values.requests === undefined ? GIVEN_SECONDS : secondsFor(values.requests);
const DEADLINE_MS =
  values["deadline-requests"] === undefined ? Number(values["deadline-ms"]) : Math.ceil(1000 * secondsFor(values["deadline-requests"]));
const server = await startServer(["--keys", keyFile.path, "--deadline-ms", String(DEADLINE_MS)]);
const alone = { url: server.url, secret: keyFile.secrets[FLOODING_KEY], connections: SATURATED };
const sustainable = await closedLoop.ask({ ...alone, warmUpSeconds: 1, seconds: LIBRARY_SECONDS });
const perSecondOf = (share) => share * sustainable.perSecond;
const floodShare = TIMES_SUSTAINABLE - LIGHT_SHARE * LIGHT_KEYS.length;
const streams = [
  { name: FLOODING_KEY, perSecond: perSecondOf(floodShare), secret: keyFile.secrets[FLOODING_KEY] },
  ...LIGHT_KEYS.map((name) => ({ name, perSecond: perSecondOf(LIGHT_SHARE), secret: keyFile.secrets[name] })),
];

const samples = [];
const sampling = new AbortController();
const sampled = sample(sampling.signal);
const { streams: results, lag } = await openLoop.ask({ url: server.url, streams, seconds: SECONDS });
sampling.abort();
await sampled;
const left = { waiting: await server.waiting(), running: await server.running() };
const decideAfter = await decide();
const exitCode = await server.stop();
await Promise.all([library, closedLoop, openLoop].map((child) => child.stop()));
await keyFile.remove();

const flood = results.find(({ name }) => name === FLOODING_KEY);
const lights = results.filter((result) => result !== flood);
const statuses = {};
for (const result of results)
  for (const [status, count] of Object.entries(result.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
const acceptedPerSecond = results.reduce((sum, result) => sum + result.acceptedPerSecond, 0);
const decidePerSecond = (decideBefore.perSecond + decideAfter.perSecond) / 2;
const memory = memoryOf(samples);
const slowest = Math.max(...results.map(({ accepted }) => accepted?.p99Ms ?? Infinity));
const lightServed = Math.min(...lights.map((light) => (light.statuses[200] ?? 0) / light.sent));

const verdicts = [
  verdict(
    "p99 of accepted requests is under the deadline",
    slowest < DEADLINE_MS,
    `${results.map(({ name, accepted }) => `${name} ${shownMs(accepted?.p99Ms)}`).join(", ")}; deadline ${DEADLINE_MS} ms`,
  ),
  verdict(
    "the rest are refused with 429 and Retry-After, and nothing else happens",
    Object.keys(statuses).every((status) => status === "200" || status === "429") &&
      statuses[429] > 0 &&
      results.every(({ withoutRetryAfter }) => withoutRetryAfter === 0),
    shownStatuses(statuses),
  ),
  verdict(
    "memory is flat",
    memory.growthBytes < MAX_GROWTH_BYTES,
    `it grows by ${shownMb(memory.growthBytes)} from the first quarter's end to the end; ${shownMb(memory.firstBytes)} at first, ${shownMb(memory.maxBytes)} at most`,
  ),
  verdict(
    "throughput is at least 90% of what decide() does without HTTP",
    acceptedPerSecond >= LEAST_OF_DECIDE * decidePerSecond,
    `${acceptedPerSecond.toFixed(1)} of ${decidePerSecond.toFixed(1)} a second (${decideBefore.perSecond.toFixed(1)} before, ${decideAfter.perSecond.toFixed(1)} after): ${((100 * acceptedPerSecond) / decidePerSecond).toFixed(0)}%`,
  ),
  verdict(
    "light keys are served beside the one that floods",
    lightServed >= LEAST_LIGHT_SERVED,
    `${(100 * lightServed).toFixed(1)}% of what they ask, p50 ${shownMs(Math.max(...lights.map(({ accepted }) => accepted?.p50Ms ?? Infinity)))}; the flooding key ${((100 * (flood.statuses[200] ?? 0)) / flood.sent).toFixed(0)}%, p50 ${shownMs(flood.accepted?.p50Ms)}`,
  ),
  verdict(
    "nothing is left in the queue, and the server stops cleanly",
    left.waiting === 0 && left.running === 0 && exitCode === 0,
    `${left.waiting} wait, ${left.running} run, exit code ${exitCode}; at most ${memory.maxWaiting} waited`,
  ),
];
if (values.json) {
  console.log(
    JSON.stringify({ sustainable, decideBefore, decideAfter, acceptedPerSecond, statuses, results, lag, memory, left, exitCode, verdicts }),
  );
} else {
  console.log(
    `${workload}; ${SECONDS} s at ${TIMES_SUSTAINABLE} x ${sustainable.perSecond.toFixed(1)} requests/s; refused at p99 in ${shownMs(flood.refused?.p99Ms)}; the generator was late by ${shownMs(lag.p99Ms)} at p99`,
  );
  for (const { holds, what, figures } of verdicts) console.log(`${holds ? "holds" : "FAILS"}  ${what}: ${figures}`);
}
process.exitCode = verdicts.every(({ holds }) => holds) ? 0 : 1;

function verdict(what, holds, figures) {
  return { what, holds, figures };
}

async function sample(signal) {
  const startMs = performance.now();
  while (!signal.aborted) {
    samples.push({ ms: performance.now() - startMs, residentBytes: await server.residentBytes(), waiting: await server.waiting() });
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Growth is the slope of the samples after the first quarter. By then the queue has long been full, and the heap has reached its size. */
function memoryOf(samples) {
  const late = samples.slice(Math.floor(samples.length / 4));
  const { m } = linearRegression(late.map(({ ms, residentBytes }) => [ms, residentBytes]));
  return {
    growthBytes: m * (late.at(-1).ms - late[0].ms),
    firstBytes: samples[0].residentBytes,
    medianLateBytes: median(late.map(({ residentBytes }) => residentBytes)),
    maxBytes: Math.max(...samples.map(({ residentBytes }) => residentBytes)),
    maxWaiting: Math.max(...samples.map(({ waiting }) => waiting)),
  };
}
