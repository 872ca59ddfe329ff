import { readFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { env } from "onnxruntime-common";
import { BINS } from "./library.mjs";

/**
 * Records when, on what machine and with which settings the results were measured.
 * @param {import("./measure.mjs").Options} settings
 */
export async function environment({ rows, seed, flips, long, deciders }) {
  const { version } = JSON.parse(await readFile(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8"));
  return {
    date: new Date().toISOString(),
    command: ["npm run accuracy", ...(process.argv.length > 2 ? ["--", ...process.argv.slice(2)] : [])].join(" "),
    versions: { umpire: version, node: process.version, onnxruntime: env.versions.common },
    machine: { processor: cpus()[0]?.model.trim(), processors: availableParallelism(), deciders, threadsADecider: 1 },
    settings: { rowsASet: rows, seed, flipRows: flips, longRows: long, bins: BINS },
    readings: {
      answer: "the most likely option; yes for a yes/no question from a probability of 0.5",
      coverage: "most confident first, by the probability of the given answer",
      macroF1: "over the labels that are the truth of at least one row; null if the questions have different options",
      nli: "softmax of the int8 graph's three logits, uncalibrated: premise as state, hypothesis as option, no question",
      "nli as choice": "the same rows through the public API, as a choice among statements about the hypothesis",
      chance: "the expected result of guessing every option equally often",
    },
  };
}
