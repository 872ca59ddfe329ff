// Runs the floor of a request: its matrix products alone, by onnxruntime-node, on the caller's thread pool.
import { InferenceSession, Tensor } from "onnxruntime-node";
import { floorInputs, floorModel } from "./graph.mjs";
import { floorRuns } from "./runs.mjs";
import { timed } from "../turns.mjs";

/** How the floor's and the peak's sessions are made: with everything that saves time. */
export const sessionOptions = (threads) => ({
  executionProviders: ["cpu"],
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  // There is nothing to optimise. Products that nobody fetches must not be left out.
  graphOptimizationLevel: "disabled",
  logSeverityLevel: 3,
});

/**
 * @param {import("./graph.mjs").Shape} shape
 * @param {{ windowTokens: number, overlapTokens: number }} limits
 * @param {{ precision: "int8" | "fp32", threads: number }} options
 */
export async function openFloor(shape, limits, { precision, threads }) {
  const session = await InferenceSession.create(floorModel(shape, precision), sessionOptions(threads));
  // The last product is small. All are made, but only this one is handed over.
  const fetched = [session.outputNames.at(-1)];
  let prepared = { key: "", runs: [] };
  return {
    /** @param {import("./runs.mjs").Counts} counts @returns {Promise<number>} ms of all runs, one after the other */
    ask: async (counts) => {
      const key = JSON.stringify(counts);
      if (prepared.key !== key) prepared = { key, runs: floorRuns(counts, limits).map((run) => feedsOf(run, shape, precision)) };
      return timed(async () => {
        for (const feeds of prepared.runs) await session.run(feeds, fetched);
      });
    },
    close: () => session.release(),
  };
}

function feedsOf({ rows, seen, options, optionTokens }, shape, precision) {
  const sizes = { rows, seen, options, option_tokens: optionTokens, blocks: options * shape.heads };
  const tensors = floorInputs(shape, precision).map(({ name, type, sizes: wanted }) => {
    const dimensions = wanted.map((size) => sizes[size] ?? size);
    const length = dimensions.reduce((product, size) => product * size, 1);
    const data = type === "uint8" ? new Uint8Array(length).fill(100) : new Float32Array(length).fill(0.5);
    return [name, new Tensor(type, data, dimensions)];
  });
  return Object.fromEntries(tensors);
}
