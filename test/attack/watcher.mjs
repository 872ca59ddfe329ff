// Runs in its own process, so that the attack's own work does not delay it. Until it is told to stop, it asks for /livez, sends the requests of an honest
// key, and reads the server's memory. It kills a server that takes too much.
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { percentiles } from "../../bench/http/figures.mjs";
import { send } from "./client.mjs";
import { LARGEST_BYTES, residentBytes } from "./memory.mjs";
import { priceOf } from "./price.mjs";
import { DECIDE, shortRequest } from "./requests.mjs";

const PROBE_EVERY_MS = 100;
const HONEST_EVERY_MS = 200;
const MEMORY_EVERY_MS = 50;

const { url, pid, secret, isHonestKeyThere } = JSON.parse(process.argv[2]);
let isStopping = false;
const livez = { count: 0, worstMs: 0, failures: 0 };
const honest = { sent: 0, statuses: {}, latencies: [], wrong: 0, nanocredits: 0 };
const memory = { peakBytes: 0, isTooMuch: false };

/** Does something again and again, at most once in `everyMs`. */
async function repeat(everyMs, task) {
  while (!isStopping) {
    const startMs = performance.now();
    await task();
    await sleep(Math.max(0, startMs + everyMs - performance.now()));
  }
}

const probes = new Agent({ keepAlive: true, maxSockets: 1 });
async function probe() {
  const startMs = performance.now();
  const { status } = await send(`${url}/livez`, { method: "GET", agent: probes });
  livez.worstMs = Math.max(livez.worstMs, performance.now() - startMs);
  livez.count++;
  if (status !== 200) livez.failures++;
}

const callers = new Agent({ keepAlive: true, maxSockets: 1 });
let rightAnswer;
async function askHonestly() {
  const startMs = performance.now();
  const requestId = `honest-${pid}-${honest.sent}`;
  const headers = { "x-request-id": requestId, ...(secret && { authorization: `Bearer ${secret}` }) };
  const { status, text } = await send(url + DECIDE, { body: shortRequest, headers, agent: callers });
  honest.sent++;
  honest.statuses[status] = (honest.statuses[status] ?? 0) + 1;
  if (status !== 200) return;
  honest.latencies.push(performance.now() - startMs);
  rightAnswer ??= text;
  if (text !== rightAnswer) honest.wrong++;
  honest.nanocredits += priceOf(JSON.parse(text).usage);
}

async function readMemory() {
  const bytes = await residentBytes(pid).catch(() => 0);
  memory.peakBytes = Math.max(memory.peakBytes, bytes);
  if (bytes < LARGEST_BYTES) return;
  memory.isTooMuch = true;
  process.kill(pid, "SIGKILL");
}

const startBytes = await residentBytes(pid);
const loops = [
  repeat(PROBE_EVERY_MS, probe),
  repeat(MEMORY_EVERY_MS, readMemory),
  ...(isHonestKeyThere ? [repeat(HONEST_EVERY_MS, askHonestly)] : []),
];
process.send("watching");
process.once("disconnect", abandoned);
process.once("message", async () => {
  isStopping = true;
  process.off("disconnect", abandoned);
  await Promise.all(loops);
  const { latencies, ...rest } = honest;
  process.send({
    livez,
    honest: { ...rest, answered: latencies.length, ...percentiles(latencies) },
    memory: { ...memory, startBytes, endBytes: await residentBytes(pid).catch(() => 0) },
  });
});

/** The program that started the server was killed. */
function abandoned() {
  process.kill(pid, "SIGKILL");
  process.exit();
}
