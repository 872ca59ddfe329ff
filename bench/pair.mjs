// npm run bench:pair: one pair model, in umpire and in transformers.js' zero-shot pipeline, in the same precision, in the same run.
//   node bench/pair.mjs [folder in hub layout]   default: the peer's, with random weights (bench/peers/prepare makes it)
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, quantile } from "simple-statistics";
import { prepared, startPeer, startServed } from "./peer.mjs";
import { workloads } from "./workloads.mjs";

const TURNS = Number(process.env.BENCH_TURNS ?? 8);
const CALLS_A_TURN = 3;
/** onnxruntime's threads spin for a while after a run. */
const REST_MS = 30;
const PRECISIONS = [
  { precision: "fp32", file: "onnx/model.onnx", dtype: "fp32" },
  { precision: "int8", file: "onnx/model_quantized.onnx", dtype: "q8" },
];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = process.argv[2] ?? here("peers/.model");
if (!prepared) {
  console.error("There is no peer to compare with. Run bench/peers/prepare once, then try again.");
  process.exit(2);
}

/** Adds the model to a folder of its own, with the peer's hypothesis. */
async function added(out, file) {
  const template = ["--template", "This is {option}."];
  await promisify(execFile)(process.execPath, [
    here("../dist/cli.js"),
    "models",
    "add",
    folder,
    "--as",
    "bench",
    "--file",
    file,
    ...template,
    "--out",
    out,
    "--yes",
  ]);
  return out;
}

/** Contenders take turns, so that other load affects all alike. The first call of a turn is not counted. */
async function compared(workload, contenders) {
  const seen = contenders.map(() => ({ latenciesMs: [], rssBytes: 0 }));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, { ask }] of contenders.entries()) {
      await sleep(REST_MS);
      for (let call = 0; call < CALLS_A_TURN; call++) {
        const { ms, rssBytes } = await ask(workload);
        if (call > 0) seen[i].latenciesMs.push(ms);
        seen[i].rssBytes = Math.max(seen[i].rssBytes, rssBytes);
      }
    }
  }
  return seen.map(({ latenciesMs, rssBytes }) => ({
    medianMs: median(latenciesMs),
    p95Ms: quantile(latenciesMs, 0.95),
    rssMb: rssBytes / 1e6,
  }));
}

/** The peer cuts longer texts, and with them the labels. */
const shortOnes = (await workloads()).filter(({ text }) => text.length < 1500);
const rows = {};
for (const { precision, file, dtype } of PRECISIONS) {
  const work = await mkdtemp(join(tmpdir(), "umpire-bench-pair-"));
  try {
    const pack = await added(join(work, "pack"), file);
    const own = startServed([here("pair/own.mjs"), pack]);
    const peers = [startPeer(["--model", folder, "--dtype", dtype]), startPeer(["--model", folder, "--dtype", dtype, "--threads", "2"])];
    for (const workload of shortOnes) {
      const [umpire, peer, peerWithTwo] = await compared(workload, [own, ...peers]);
      rows[`${workload.name}, ${precision}`] = {
        "umpire median ms": umpire.medianMs.toFixed(1),
        "peer median ms": peer.medianMs.toFixed(1),
        "with 2 threads": peerWithTwo.medianMs.toFixed(1),
        "peer / umpire": (peer.medianMs / umpire.medianMs).toFixed(2),
        "2 threads / umpire": (peerWithTwo.medianMs / umpire.medianMs).toFixed(2),
        "umpire MB": umpire.rssMb.toFixed(0),
        "peer MB": peer.rssMb.toFixed(0),
      };
    }
    for (const contender of [own, ...peers]) contender.stop();
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
console.log(
  `${TURNS * (CALLS_A_TURN - 1)} calls each, in turns of ${CALLS_A_TURN}; umpire with its default threads, the peer with its own and with 2`,
);
console.table(rows);
