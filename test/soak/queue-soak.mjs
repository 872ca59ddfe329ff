// npm run soak:queue -- --rows 12000: a run by a queue while its workers, its coordinator and its Redis are killed again and again.
// What must hold: every row once, and the bytes of one undisturbed run. --rows (default 12,000), --kills of workers (default 15), --workers (default 3).
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const COORDINATOR_KILLS = 2;
const { values: flags } = parseArgs({
  options: {
    rows: { type: "string", default: "12000" },
    kills: { type: "string", default: "15" },
    workers: { type: "string", default: "3" },
    chunk: { type: "string", default: "100" },
  },
});
const [rows, workerKills, workerCount] = [flags.rows, flags.kills, flags.workers].map(Number);

const folder = await mkdtemp(join(tmpdir(), "umpire-queue-soak-"));
const at = (name) => join(folder, name);
const port = await freePort();
const url = `redis://127.0.0.1:${port}`;
await writeFile(at("questions.json"), JSON.stringify({ late: { type: "noul", instructions: "Is it late?" } }));
await writeFile(
  at("rows.csv"),
  `id,text\n${Array.from({ length: rows }, (_, id) => `${id},"My parcel ${id % 7 === 0 ? "is late" : "came"},\norder ${id}."\n`).join("")}`,
);

const started = performance.now();
const say = (text) => console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);
/** Ends everything that was started, whatever happens. */
const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

function start(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  child.text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (child.text += text));
  child.ended = once(child, "close").then(([code]) => (running.delete(child), code));
  running.add(child);
  return child;
}

async function kill(child) {
  child.kill("SIGKILL");
  await child.ended;
}

async function startRedis() {
  const options = { port, bind: "127.0.0.1", dir: folder, appendonly: "yes", save: "" };
  const child = start(
    "redis-server",
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
  );
  while (!child.text.includes("Ready to accept connections")) await sleep(20);
  return child;
}

const startWorker = () => start(process.execPath, [CLI, "worker", "--queue", url, "--workers", "1"]);
const runArgs = (out) => [CLI, "run", at("questions.json"), at("rows.csv"), "--out", at(out)];
const startRun = () => start(process.execPath, [...runArgs("answers.jsonl"), "--queue", url, "--chunk", flags.chunk]);

let redis = await startRedis();
const workers = Array.from({ length: workerCount }, startWorker);
let chunksMade = 0;
let run = startRun();
const faults = [...Array(workerKills).fill("worker"), ...Array(COORDINATOR_KILLS).fill("coordinator"), "redis"];
shuffle(faults);
const counted = { worker: 0, coordinator: 0, redis: 0 };
for (const fault of faults) {
  await sleep(1000 + 6000 * Math.random());
  if (run.exitCode !== null) fail(`the run was over (exit code ${run.exitCode}) before all faults had happened: ${run.text}`);
  counted[fault]++;
  say(`SIGKILL of ${fault} ${counted[fault]}`);
  if (fault === "worker") {
    const i = Math.floor(Math.random() * workerCount);
    await kill(workers[i]);
    chunksMade += madeBy(workers[i]);
    workers[i] = startWorker();
  } else if (fault === "coordinator") {
    await kill(run);
    await sleep(2000 * Math.random());
    run = startRun();
  } else {
    await kill(redis);
    await sleep(3000 * Math.random());
    redis = await startRedis();
  }
}
const code = await run.ended;
if (code !== 0) fail(`the run ended with ${code}: ${run.text}`);
say("the run is done");
for (const worker of workers) worker.kill("SIGTERM");
const codes = await Promise.all(workers.map(({ ended }) => ended));
chunksMade += workers.reduce((sum, worker) => sum + madeBy(worker), 0);

const plain = start(process.execPath, runArgs("undisturbed.jsonl"));
if ((await plain.ended) !== 0) fail(`the undisturbed run failed: ${plain.text}`);
say("the undisturbed run is done");
const [answers, undisturbed] = await Promise.all(["answers.jsonl", "undisturbed.jsonl"].map((name) => readFile(at(name), "utf8")));
const ids = answers
  .trimEnd()
  .split("\n")
  .map((line) => Number(JSON.parse(line).id));
if (ids.length !== rows || ids.some((id, i) => id !== i)) fail(`${ids.length} rows are there, and not each of ${rows} once, in order`);
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
if (sha256(answers) !== sha256(undisturbed)) fail("the bytes are not those of the undisturbed run");
if (codes.some((one) => one !== 0)) fail(`workers ended with ${codes.join(", ")}`);
await kill(redis);
await rm(folder, { recursive: true });
const chunks = Math.ceil(rows / Number(flags.chunk));
console.log(`${rows} rows, each once, sha-256 as of one undisturbed run: ${sha256(answers)}`);
console.log(
  `${counted.worker} kills of workers, ${counted.coordinator} of the coordinator, ${counted.redis} of Redis; ${chunksMade} chunks made for ${chunks} wanted.`,
);

function madeBy({ text }) {
  return text.match(/ rows? in \d/g)?.length ?? 0;
}

function shuffle(list) {
  for (let i = list.length - 1; i > 0; i--) {
    const k = Math.floor(Math.random() * (i + 1));
    [list[i], list[k]] = [list[k], list[i]];
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: free } = server.address();
  server.close();
  await once(server, "close");
  return free;
}

function fail(why) {
  console.error(`FAILED: ${why}\nThe files are in ${folder}`);
  process.exit(1);
}
