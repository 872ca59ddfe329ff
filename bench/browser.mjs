// npm run bench:browser: compares umpire with transformers.js in the same browser, on wasm and WebGPU: latency, first and second visit, bytes.
// Writes results/browser.json. Run bench/peers/prepare once before. BENCH_TURNS=1 makes a short run.
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { launchChromium } from "./browser/chromium.mjs";
import { compressed } from "./browser/files.mjs";
import { sizeTable, targetLines, visitTable, warmTable, webgpuTable } from "./browser/report.mjs";
import { startSite } from "./browser/site.mjs";
import { visits } from "./browser/visits.mjs";
import { onceOnWebgpu, warmOnWasm } from "./browser/warm.mjs";
import { prepared } from "./peer.mjs";
import { workloads } from "./workloads.mjs";

if (!prepared) throw new Error("There is no peer to compare with. Run bench/peers/prepare once, then try again.");
const turns = Number(process.env.BENCH_TURNS ?? 5);
const THREADS = [1, 2];

async function chromiumVersion() {
  const browser = await launchChromium();
  const version = browser.version();
  await browser.close();
  return version;
}

function show(title, rows) {
  console.log(`\n${title}`);
  console.table(rows);
}

const processor = { processor: cpus()[0]?.model.trim(), processors: availableParallelism() };
// Other load slows all contenders, but several threads more than one. With more tasks than processors, the thread counts cannot be compared.
const environment = { chromium: await chromiumVersion(), ...processor, loadBefore: loadavg()[0], turns };
const site = await startSite();
const [workload] = await workloads();
console.log(
  `Chromium ${environment.chromium}; ${environment.processor}, ${environment.processors} processors; load before the run: ${environment.loadBefore.toFixed(1)}`,
);

const warm = {};
for (const threads of THREADS) warm[threads] = await warmOnWasm(site, workload, threads, turns);
show(
  `Warm, ${workload.name}: medians of ${warm[1].umpire.calls} calls each, in turns; umpire runs in a worker, the peer on its page's thread`,
  warmTable(warm),
);

const visited = await visits(site, turns);
show(
  `First and second visit, up to the first answer: medians of ${turns}, each with a new profile; files are served locally, uncompressed`,
  visitTable(visited),
);

const sizes = {};
for (const name of ["umpire", "peer q8", "peer"]) sizes[name] = await compressed(visited[name].first.paths);
show("What a first visit fetches", sizeTable(sizes));

console.log(`\n${targetLines({ warm, visits: visited, sizes }).join("\n")}`);

const webgpu = await onceOnWebgpu(site, workload);
show("WebGPU, one call each, on a software adapter, which says little about GPUs", webgpuTable(webgpu));
site.close();
const results = { environment, warm, visits: visited, sizes, webgpu };
await mkdir(new URL("results/", import.meta.url), { recursive: true });
await writeFile(new URL("results/browser.json", import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
