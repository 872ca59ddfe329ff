// Internal parts of the library that its public API does not export: they read rows, compute figures, cut windows, count tokens and run a pack's
// graph. `umpire eval` uses the same rows and figures.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { importBundled } from "../../test/support/bundled.mjs";

const PARTS = `
export { isPlainObject } from "./library/validation/field.ts";
export { ToolError, badInput } from "./tools/tool-error.ts";
export { DEFAULT_CHOOSE } from "./tools/cli/input/request-flags.ts";
export { columns } from "./tools/cli/output/terminal-text.ts";
export { isDecision, toCases } from "./tools/eval/cases.ts";
export { metricsOf, sameOptions } from "./tools/eval/report.ts";
export { outcomeOf, outcomeOfProbabilities } from "./tools/eval/report.ts";
export { binOf, BINS, calibrationError } from "./library/statistics/metrics.ts";
export { countAtCoverage, surestFirst } from "./library/statistics/curves.ts";
export { accuracy } from "./library/statistics/metrics.ts";
export { randomFrom, sampled } from "./library/statistics/random.ts";
export { linesOf, textOf } from "./tools/rows/read-text.ts";
export { readRows } from "./tools/rows/read-rows.ts";
export { wrongRow } from "./tools/rows/read-rows.ts";
export { openPack } from "./library/engine/pack/open-pack.ts";
export { parseManifest } from "./library/engine/families/families.ts";
export { DEVICES } from "./library/engine/devices.ts";
export { joinCaches, segmentReader } from "./library/engine/families/shared-premise/segment-reader.ts";
export { sequenceOf } from "./library/engine/families/shared-premise/sequence.ts";
export { loadGraph } from "./library/engine/families/shared-premise/segment-reader.ts";
import { tokenizerOf } from "./library/engine/pack/open-pack.ts";
import { makeBertTokenizer } from "./library/tokenizer/bert-tokenizer.ts";
export const readTokenizer = (pack) => tokenizerOf(pack, makeBertTokenizer, Infinity, "install the pack again");
export { toWindows } from "./library/engine/batch.ts";
export { parseRequest } from "./library/decide/request.ts";
export { toBatch, toExtensionFields } from "./library/decide/decide.ts";
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
  ToolError,
  badInput,
  DEFAULT_CHOOSE,
  columns,
  isDecision,
  toCases,
  metricsOf,
  sameOptions,
  outcomeOf,
  outcomeOfProbabilities,
  binOf,
  BINS,
  calibrationError,
  countAtCoverage,
  surestFirst,
  accuracy,
  randomFrom,
  sampled,
  readRows,
  wrongRow,
  DEVICES,
  joinCaches,
  segmentReader,
  sequenceOf,
  loadGraph,
  readTokenizer,
  toWindows,
  findNativeBinding,
  runtimeOf,
  parseRequest,
  EnginePool,
  toBatch,
  toExtensionFields,
} = parts;

/**
 * Reads the non-empty lines of a text file, plain or .gz, with their line numbers, which start at 1.
 * @param {string} path
 * @returns one or more
 */
export async function readLines(path) {
  const lines = [];
  for await (const line of parts.linesOf(path, parts.textOf(path))) lines.push(line);
  if (lines.length === 0) throw badInput(`${path} has no rows.`);
  return lines;
}

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
