// npm run bench:models -- <folder>: how long models take of the shapes that others publish, beside the built-in model in the same run.
//   node bench/models.mjs <folder> [--turns 3] [--only name]... [--packs folder]
// The folder has models in hub layout, with int8 and fp32; bench/models/make_shapes.py makes it. --packs keeps the packs for the next run.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { max, median } from "simple-statistics";
import { createDecider } from "umpire";
import { environmentOf, shownEnvironment } from "./environment.mjs";
import { startServed } from "./peer.mjs";
import { workloads } from "./workloads.mjs";

const GRAPHS = { int8: "onnx/model_quantized.onnx", fp32: "onnx/model.onnx" };
/** onnxruntime's threads spin for a while after a run. */
const REST_MS = 30;
/** A quick model is asked again for so long in its turn, so that its median rests on more calls. */
const TURN_MS = 100;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { turns: { type: "string", default: "3" }, only: { type: "string", multiple: true }, packs: { type: "string" } },
});
const [folder] = positionals;
const turns = Number(options.turns);
if (folder === undefined || !(turns >= 1)) {
  console.error("Usage: npm run bench:models -- <folder> [--turns 3] [--only name]... [--packs folder]");
  process.exit(2);
}

/** Adds a model with one of its graphs, as a user does. */
async function added(name, graph, packs) {
  const out = join(packs, `${name}-${graph}`);
  if (existsSync(out)) return out;
  const named = ["--as", name, "--file", GRAPHS[graph], "--out", out, "--yes"];
  await promisify(execFile)(process.execPath, [here("../dist/cli.js"), "models", "add", resolve(folder, name), ...named]);
  return out;
}

/** The questions, about a text of so many tokens of this pack's own tokenizer. */
async function requestsFor(pack) {
  const [{ text, labels }] = await workloads(pack && join(pack, "tokenizer.json"));
  const criteria = Object.fromEntries(labels.map((label) => [label, null]));
  return {
    choice: { state: text, questions: { topic: { type: "choice", instructions: "What is this text about?", criteria } } },
    noul: { state: text, questions: { angry: { type: "noul", instructions: "Is the writer angry?" } } },
  };
}

async function started(pack) {
  return {
    ...startServed([here("models/served.mjs"), ...(pack ? [pack] : [])]),
    requests: await requestsFor(pack),
    ms: { choice: [], noul: [] },
    rssBytes: [],
  };
}

/** The first call of a turn finds another model's weights in the processor's caches. It is not counted. */
async function turn(contender) {
  await sleep(REST_MS);
  const { ask, requests, ms, rssBytes } = contender;
  await ask(requests.noul);
  for (const type of ["noul", "choice"]) {
    for (let spentMs = 0; spentMs < TURN_MS; spentMs += ms[type].at(-1)) {
      const answer = await ask(requests[type]);
      ms[type].push(answer.ms);
      rssBytes.push(answer.rssBytes);
      contender.inputTokens = answer.inputTokens;
    }
  }
}

const shown = (ms) => ms.toFixed(ms < 100 ? 1 : 0);
const rowOf = (name, own, builtIn) => {
  const times = (type) => [shown(median(own.ms[type])), `${(median(own.ms[type]) / median(builtIn.ms[type])).toFixed(1)} x`];
  return [name, ...times("choice"), ...times("noul"), (max(own.rssBytes) / 1e6).toFixed(0), own.inputTokens];
};

const work = await mkdtemp(join(tmpdir(), "umpire-bench-models-"));
const entries = await readdir(folder, { withFileTypes: true });
const names = entries.filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, GRAPHS.int8))).map(({ name }) => name);
const rows = [];
const builtIn = await started();
try {
  const wanted = names.filter((name) => options.only?.includes(name) ?? true);
  for (const name of wanted) {
    const packs = [];
    for (const graph of Object.keys(GRAPHS)) packs.push([graph, await added(name, graph, resolve(options.packs ?? work))]);
    // One after the other: the larger ones would not fit into memory together.
    for (const [graph, pack] of packs) {
      const own = await started(pack);
      const beside = { ...builtIn, ms: { choice: [], noul: [] } };
      for (let i = 0; i < turns; i++) for (const contender of [beside, own]) await turn(contender);
      own.stop();
      for (const type of ["choice", "noul"]) builtIn.ms[type].push(...beside.ms[type]);
      rows.push(rowOf(`${name}, ${graph}`, own, beside));
      builtIn.inputTokens = beside.inputTokens;
    }
  }
} finally {
  builtIn.stop();
  await rm(work, { recursive: true, force: true });
}

const decider = await createDecider();
console.log(`${shownEnvironment(environmentOf(await decider.info()))}; medians of ${turns} turns\n`);
await decider.close();
const heads = ["model", "10 options ms", "to built-in", "yes/no ms", "to built-in", "resident MB", "tokens read of the choice"];
for (const cells of [heads, heads.map(() => "---"), rowOf("built-in", builtIn, builtIn), ...rows]) console.log(`| ${cells.join(" | ")} |`);
