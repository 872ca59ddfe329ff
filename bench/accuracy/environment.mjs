import { readFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { env } from "onnxruntime-common";
import { BINS } from "./metrics.mjs";

/**
 * When, with what and how it was measured.
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
      answer: "the likeliest option; yes of a yes/no question from a probability of 0.5",
      coverage: "surest first by the probability of the answer given",
      macroF1: "over the labels that are the truth of a row; null where questions differ in their options",
      nli: "softmax of the int8 graph's three logits, without calibration: premise as state, hypothesis as option, no question",
      "nli as choice": "the same rows through the public API, as a choice among three statements about the hypothesis",
      chance: "expected of guessing each option equally often",
    },
  };
}
