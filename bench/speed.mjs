// npm run bench: compares warm latency, cold start, memory and size with the peer's in the same run. Prints a table; writes results/speed.json.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { max, median, quantile } from "simple-statistics";
import { createDecider } from "umpire";
import { environmentOf, shownEnvironment } from "./environment.mjs";
import { coldPeer, prepared, startPeer } from "./peer.mjs";
import { workloads } from "./workloads.mjs";

const run = promisify(execFile);
const TURNS = Number(process.env.BENCH_TURNS ?? 12);
/** Calls in a turn. The first is not counted, because it finds another contender's weights in the processor's caches. */
const CALLS_A_TURN = 5;
const COLD_STARTS = 7;

if (!prepared)
  console.error("There is no peer to compare with. Run bench/peers/prepare once, then try again. Umpire's own figures follow.\n");

// onnxruntime's threads spin for a while after a run. The next contender waits until they have stopped.
const REST_MS = 30;

async function timed(task) {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

const requestFor = ({ text, labels }) => ({
  state: text,
  questions: {
    topic: { type: "choice", instructions: "What is this text about?", criteria: Object.fromEntries(labels.map((label) => [label, null])) },
  },
});

/** Latencies of every contender in ms. They take turns, so that other load affects all alike. */
async function warm(workload, contenders) {
  const latencies = new Map(contenders.map(({ name }) => [name, []]));
  let peerCannot = false;
  for (let turn = 0; turn < TURNS; turn++) {
    for (const { name, ask } of contenders) {
      await sleep(REST_MS);
      for (let call = 0; call < CALLS_A_TURN; call++) {
        const { ms, labelsToldApart } = await ask(workload);
        // A text over 512 tokens pushes the labels out of the peer's input. It then takes as long, but cannot tell the labels apart.
        peerCannot ||= labelsToldApart === false;
        if (call > 0) latencies.get(name).push(ms);
      }
    }
  }
  const figures = (name) => ({ medianMs: median(latencies.get(name)), p95Ms: quantile(latencies.get(name), 0.95) });
  return { workload: workload.name, peerCannot, ...Object.fromEntries(contenders.map(({ name }) => [name, figures(name)])) };
}

function ours(name, decider) {
  return { name, ask: async (workload) => ({ ms: await timed(() => decider.decide(requestFor(workload))) }) };
}

async function coldStarts() {
  const script = fileURLToPath(new URL("cold.mjs", import.meta.url));
  const own = [];
  const peers = [];
  for (let i = 0; i < COLD_STARTS; i++) {
    own.push(JSON.parse((await run(process.execPath, [script])).stdout));
    if (prepared) peers.push(await coldPeer());
  }
  const figures = (starts) => ({
    medianMs: median(starts.map(({ uptimeMs }) => uptimeMs)),
    rssMb: max(starts.map(({ rssBytes }) => rssBytes)) / 1e6,
  });
  return { umpire: figures(own), ...(prepared && { peer: figures(peers) }) };
}

async function packedSize() {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    maxBuffer: 2 ** 24,
  });
  const parsed = JSON.parse(stdout);
  return (Array.isArray(parsed) ? parsed[0] : Object.values(parsed)[0]).size / 1e6;
}

const cold = await coldStarts();
const int8 = await createDecider();
const narrow = await createDecider({ threads: 1 });
const fp32 = await createDecider({ precision: "fp32" });
const peer = prepared ? startPeer() : undefined;
const contenders = [
  ours("umpire", int8),
  ours("umpire, 1 thread", narrow),
  ours("umpire fp32", fp32),
  ...(peer ? [{ name: "peer", ask: (workload) => peer.ask(workload) }] : []),
];
const warmRows = [];
for (const workload of await workloads()) warmRows.push(await warm(workload, contenders));
const environment = environmentOf(await int8.info());
const peerRss = peer && (await peer.ask({ name: "rss", text: "short", labels: ["a", "b"] })).rssBytes / 1e6;
peer?.stop();
await Promise.all([int8.close(), narrow.close(), fp32.close()]);
const tarballMb = await packedSize();

const ms = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const ratio = (ownMs, peerMs) => (peerMs === undefined ? "" : `${(peerMs / ownMs).toFixed(1)} x`);
const table = [
  ...warmRows.map((row) => ({
    what: row.workload,
    "umpire median": ms(row.umpire.medianMs),
    p95: ms(row.umpire.p95Ms),
    "1 thread": ms(row["umpire, 1 thread"].medianMs),
    fp32: ms(row["umpire fp32"].medianMs),
    "peer median": row.peer ? ms(row.peer.medianMs) : "",
    "peer p95": row.peer ? ms(row.peer.p95Ms) : "",
    "peer / umpire": row.peerCannot ? "peer cannot *" : ratio(row.umpire.medianMs, row.peer?.medianMs),
  })),
  {
    what: `cold start to first answer (median of ${COLD_STARTS})`,
    "umpire median": ms(cold.umpire.medianMs),
    "peer median": cold.peer ? ms(cold.peer.medianMs) : "",
    "peer / umpire": ratio(cold.umpire.medianMs, cold.peer?.medianMs),
  },
  {
    what: "resident memory after a cold answer",
    "umpire median": `${cold.umpire.rssMb.toFixed(0)} MB`,
    "peer median": cold.peer ? `${cold.peer.rssMb.toFixed(0)} MB` : "",
    "peer / umpire": ratio(cold.umpire.rssMb, cold.peer?.rssMb),
  },
  { what: "resident memory after this run", "peer median": peerRss ? `${peerRss.toFixed(0)} MB` : "" },
  { what: "packed tarball, model inside", "umpire median": `${tarballMb.toFixed(1)} MB` },
];
console.log(`${shownEnvironment(environment)}; ${TURNS * (CALLS_A_TURN - 1)} calls each, in turns of ${CALLS_A_TURN}`);
console.table(Object.fromEntries(table.map(({ what, ...row }) => [what, row])));
if (warmRows.some(({ peerCannot }) => peerCannot))
  console.log("* it cuts its input at 512 tokens, which removes the labels, and gives all of them the same probability");
await mkdir(new URL("results/", import.meta.url), { recursive: true });
await writeFile(
  new URL("results/speed.json", import.meta.url),
  `${JSON.stringify({ environment, warm: warmRows, cold, peerRssMb: peerRss, tarballMb }, null, 2)}\n`,
);
