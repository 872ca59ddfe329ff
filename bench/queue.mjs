// npm run bench:queue -- --rows 4000: rows a second of a run by a queue with one worker and with two, beside runs without a queue; and what the queue asks of its Redis.
// Needs redis-server in PATH. --rows (default 4,000), --chunk (default 50) rows in a chunk, --idle (default 30) seconds in which two workers wait.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Redis } from "ioredis";
import { importBundled } from "../test/support/bundled.mjs";
import { COMPLAINT, openTokens, variantOf } from "./workloads.mjs";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const TOKENS = 60;
/** Rows that are read, and not answered. */
const ROWS_READ = 200_000;
const READING = `
export { InputBlocks } from "./tools/run/blocks.ts";
export { openInput } from "./tools/run/input.ts";
export { prepare } from "./tools/run/input.ts";
`;
const QUESTIONS = {
  team: {
    type: "choice",
    instructions: "Which team should handle this?",
    criteria: { billing: "payments and refunds", shipping: "parcels", technical: "bugs and outages", sales: null, other: null },
  },
};

const { values: flags } = parseArgs({
  options: {
    rows: { type: "string", default: "4000" },
    chunk: { type: "string", default: "50" },
    idle: { type: "string", default: "30" },
  },
});
const [rows, chunk, idleSeconds] = [flags.rows, flags.chunk, flags.idle].map(Number);

const folder = await mkdtemp(join(tmpdir(), "umpire-bench-queue-"));
const at = (name) => join(folder, name);
const port = await freePort();
const url = `redis://127.0.0.1:${port}`;
const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

const { cut } = await openTokens();
const text = cut(COMPLAINT, TOKENS);
await writeFile(at("questions.json"), JSON.stringify(QUESTIONS));
await writeFile(
  at("rows.jsonl"),
  Array.from({ length: rows }, (_, id) => `${JSON.stringify({ id, text: variantOf(text, id % 10_000) })}\n`).join(""),
);

const server = start(
  "redis-server",
  Object.entries({ port, bind: "127.0.0.1", dir: folder, appendonly: "yes", save: "" }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]),
);
while (!server.text.includes("Ready to accept connections")) await sleep(20);
const redis = new Redis(url);
/** Commands that cross the network, and their names. What scripts of the queue call is not among them. */
const commands = new Map();
const monitor = await redis.monitor();
monitor.on("monitor", (_, [name = ""], source) => {
  if (source !== "lua") commands.set(name.toLowerCase(), (commands.get(name.toLowerCase()) ?? 0) + 1);
});

const perSecond = {
  "run, 1 worker": await rowsPerSecond("plain-1.jsonl", ["--workers", "1", "--threads", "1"]),
  "run, 2 workers": await rowsPerSecond("plain-2.jsonl", ["--workers", "2", "--threads", "1"]),
};
let asked;
for (const count of [1, 2]) {
  const workers = Array.from({ length: count }, () =>
    start(process.execPath, [CLI, "worker", "--queue", url, "--workers", "1", "--threads", "1"]),
  );
  for (const worker of workers) while (!worker.text.includes("Waiting for chunks")) await sleep(20);
  // The model is loaded with the first chunk.
  await rowsPerSecond(`warm-${count}.jsonl`, [...byQueue(), "--limit", String(4 * chunk)]);
  const before = await stats();
  perSecond[`queue, ${count} worker${count === 1 ? "" : "s"}`] = await rowsPerSecond(`queue-${count}.jsonl`, byQueue());
  const after = await stats();
  if (count === 2) {
    const idle = await stats();
    await sleep(1000 * idleSeconds);
    asked = { busy: differenceOf(before, after), idle: differenceOf(idle, await stats()) };
  }
  for (const worker of workers) worker.kill("SIGTERM");
  await Promise.all(workers.map(({ ended }) => ended));
}
const [plain, queued] = await Promise.all(["plain-1.jsonl", "queue-2.jsonl"].map((name) => readFile(at(name), "utf8")));
if (plain !== queued) throw new Error("the queue has given other bytes");
const reading = await microsecondsOfReading();
const bytesOfWaiting = await bytesOfWaitingJobs();

const chunks = Math.ceil(rows / chunk);
console.log(
  `Node ${process.version}; ${cpus()[0]?.model.trim()}, ${availableParallelism()} processors; ${rows} rows of ${TOKENS} tokens, 5 options, chunks of ${chunk} rows`,
);
console.table(Object.fromEntries(Object.entries(perSecond).map(([name, value]) => [name, { "rows/s": value.toFixed(1) }])));
console.log(
  `Redis, for each chunk: ${(asked.busy.commands / chunks).toFixed(1)} commands, ${(asked.busy.microseconds / chunks).toFixed(0)} microseconds of its processor, ` +
    `${(asked.busy.bytesIn / chunks).toFixed(0)} bytes sent to it.`,
);
console.log(`Redis, for each idle worker: ${((60 * asked.idle.commands) / idleSeconds / 2).toFixed(0)} commands a minute.`);
console.log(`Redis, for each chunk that waits: ${bytesOfWaiting.toFixed(0)} bytes of memory.`);
for (const [form, { bytes, read, passed }] of Object.entries(reading))
  console.log(
    `A row of ${form} with ${bytes.toFixed(0)} bytes: ${read.toFixed(1)} microseconds to read it, ${passed.toFixed(1)} to pass over it.`,
  );
console.log(
  `Commands of all runs: ${[...commands]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")}`,
);
monitor.disconnect();
redis.disconnect();
server.kill("SIGTERM");
await server.ended;
await rm(folder, { recursive: true });

function start(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  child.text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (read) => (child.text += read));
  child.ended = once(child, "close").then(([code]) => (running.delete(child), code));
  running.add(child);
  return child;
}

function byQueue() {
  return ["--queue", url, "--chunk", String(chunk)];
}

/** As the run itself says: without the time in which it starts. */
async function rowsPerSecond(out, more) {
  const child = start(process.execPath, [CLI, "run", at("questions.json"), at("rows.jsonl"), "--out", at(out), "--json", ...more]);
  if ((await child.ended) !== 0) throw new Error(child.text);
  return JSON.parse(child.text.slice(child.text.indexOf("{"))).rowsPerSecond;
}

async function stats() {
  const [calls, traffic] = await Promise.all([redis.info("commandstats"), redis.info("stats")]);
  const microseconds = Array.from(calls.matchAll(/^cmdstat_(?:evalsha|eval|bzpopmin|xread):calls=\d+,usec=(\d+)/gmu), ([, usec]) =>
    Number(usec),
  );
  return {
    commands: [...commands].reduce((sum, [name, count]) => (name === "info" ? sum : sum + count), 0),
    // A script's time has that of what it calls in it. Nearly everything is a script.
    microseconds: microseconds.reduce((sum, usec) => sum + usec, 0),
    // What the monitor is told is not for the queue.
    bytesIn: Number(/total_net_input_bytes:(\d+)/u.exec(traffic)?.[1]),
  };
}

function differenceOf(before, after) {
  return Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]));
}

/** What a row costs the coordinator, which reads it, and each worker, which passes over it. */
async function microsecondsOfReading() {
  const stdin = { contents: READING, loader: "ts", resolveDir: fileURLToPath(new URL("../src/", import.meta.url)) };
  const { InputBlocks, openInput, prepare } = await importBundled(
    { stdin, define: { UMPIRE_VERSION: '""' } },
    new URL(".", import.meta.url),
  );
  const plan = { rows: { limit: null, sample: null, seed: 7 }, block: 500 };
  const timed = async (file, use) => {
    const blocks = new InputBlocks(plan, await prepare(await openInput(at(file)), { state: "text", copy: undefined }));
    const startMs = performance.now();
    await use(blocks);
    return (1000 * (performance.now() - startMs)) / ROWS_READ;
  };
  const figures = {};
  for (const [form, lineOf, head] of [
    ["JSONL", (id) => JSON.stringify({ id, text: variantOf(text, id % 10_000) }), ""],
    ["CSV", (id) => `${id},"${variantOf(text, id % 10_000).replaceAll('"', '""')}"`, "id,text\n"],
  ]) {
    const file = `read.${form.toLowerCase()}`;
    const content = head + Array.from({ length: ROWS_READ }, (_, id) => `${lineOf(id)}\n`).join("");
    await writeFile(at(file), content);
    const read = await timed(file, async (blocks) => {
      while ((await blocks.next()) !== undefined);
    });
    const passed = await timed(file, (blocks) => blocks.skipTo(ROWS_READ / plan.block));
    figures[form] = { bytes: content.length / ROWS_READ, read, passed };
  }
  return figures;
}

/** Memory that Redis takes for a chunk while there is no worker. */
async function bytesOfWaitingJobs() {
  const used = async () => Number(/used_memory:(\d+)/u.exec(await redis.info("memory"))?.[1]);
  const before = await used();
  const child = start(process.execPath, [
    CLI,
    "run",
    at("questions.json"),
    at("rows.jsonl"),
    "--out",
    at("waiting.jsonl"),
    "--queue",
    url,
    "--chunk",
    "1",
  ]);
  while ((await redis.llen("bull:umpire:wait")) < Math.min(rows, 2000)) await sleep(50);
  const waiting = await redis.llen("bull:umpire:wait");
  const after = await used();
  child.kill("SIGKILL");
  await child.ended;
  return (after - before) / waiting;
}

async function freePort() {
  const listening = createServer().listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port: free } = listening.address();
  listening.close();
  await once(listening, "close");
  return free;
}
