// Internal parts of the library that its public API does not export: they read rows, compute figures, cut windows, count tokens and run a pack's
// graph. `umpire eval` uses the same rows and figures.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { importBundled } from "../../test/support/bundled.mjs";

const PARTS = `
export { isPlainObject } from "./library/validation/shape.ts";
export { BadInput } from "./tools/cli/bad-input.ts";
export { DEFAULT_CHOOSE } from "./tools/cli/input/question-flags.ts";
export { columns } from "./tools/cli/output/columns.ts";
export { chanceOf, figuresOf, meansOf } from "./tools/eval/figures.ts";
export { BINS, accuracy, accuracyError, reliabilityBins, riskCoverage } from "./tools/eval/metrics.ts";
export { outcomeOf, outcomeOfProbabilities } from "./tools/eval/outcome.ts";
export { isDecision, toCases } from "./tools/eval/question-set.ts";
export { sampled } from "./tools/eval/random.ts";
export { randomFrom } from "./library/lessons/random.ts";
export { readLines } from "./tools/rows/read-text.ts";
export { readRows } from "./tools/rows/read-rows.ts";
export { wrongRow } from "./tools/rows/row.ts";
export { openPack } from "./library/engine/pack/open-pack.ts";
export { parseManifest } from "./library/engine/families/families.ts";
export { DEVICES } from "./library/engine/devices.ts";
export { SegmentReader } from "./library/engine/families/shared-premise/segment-reader.ts";
export { questionSequence, windowSequence } from "./library/engine/families/shared-premise/sequence.ts";
export { loadGraph } from "./library/engine/families/shared-premise/graphs.ts";
export { readTokenizer } from "./library/engine/families/shared-premise/tokenizer.ts";
export { toWindows } from "./library/engine/tokens.ts";
export { parseRequest } from "./library/decide/request.ts";
export { toHypotheses } from "./library/decide/hypotheses.ts";
export { EnginePool } from "./library/decider/engine-pool.ts";
export { nodePlatform } from "./library/platform/node/platform.ts";
export { packFiles } from "./library/platform/node/engine.ts";
export { findNativeBinding, runtimeOf } from "./library/platform/node/native-binding.ts";
`;

const stdin = { contents: PARTS, loader: "ts", resolveDir: fileURLToPath(new URL("../../src/", import.meta.url)) };
// A worker of the built package works for parts of the same version alone.
const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
const define = { UMPIRE_VERSION: JSON.stringify(version) };
const parts = await importBundled({ stdin, define }, new URL(".", import.meta.url));

export const {
  isPlainObject,
  BadInput,
  DEFAULT_CHOOSE,
  columns,
  chanceOf,
  figuresOf,
  meansOf,
  BINS,
  accuracy,
  accuracyError,
  reliabilityBins,
  riskCoverage,
  outcomeOf,
  outcomeOfProbabilities,
  isDecision,
  toCases,
  randomFrom,
  sampled,
  readLines,
  readRows,
  wrongRow,
  DEVICES,
  SegmentReader,
  questionSequence,
  loadGraph,
  readTokenizer,
  toWindows,
  windowSequence,
  findNativeBinding,
  runtimeOf,
  parseRequest,
  EnginePool,
  toHypotheses,
} = parts;

const ROOT = new URL("../../", import.meta.url);
export const platform = parts.nodePlatform(new URL("dist/", ROOT));

/**
 * Finds a model's pack by the library's own rule: `model` is a folder, or else an id.
 * @param {string} model
 * @param {string} id of the model that answered
 */
export function packUrlOf(model, id) {
  return new URL(parts.nodePlatform(new URL("dist/", ROOT)).placeOf(model) ?? new URL(`models/${id}/`, ROOT));
}

/** Opens the pack in a folder, every file checked. @param {string} packUrl */
export function openPackIn(packUrl) {
  return parts.openPack(parts.packFiles(packUrl), parts.parseManifest);
}
