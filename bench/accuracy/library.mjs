// Internal parts of the library that its public API does not export: they check requests, cut windows, count tokens and run a pack's graph.
import { fileURLToPath } from "node:url";
import { importBundled } from "../../test/support/bundled.mjs";

const PARTS = `
export { DecideError } from "./errors.ts";
export { parseRequest } from "./decide/request.ts";
export { isPlainObject, shapeOf } from "./validation/shape.ts";
export { openPack } from "./engine/pack/open-pack.ts";
export { parseManifest } from "./engine/families/families.ts";
export { DEVICES } from "./engine/devices.ts";
export { SegmentReader } from "./engine/families/shared-premise/segment-reader.ts";
export { loadGraph } from "./engine/families/shared-premise/graphs.ts";
export { readTokenizer } from "./engine/families/shared-premise/tokenizer.ts";
export { toWindows } from "./engine/families/shared-premise/windows.ts";
export { nodePlatform } from "./platform/node/platform.ts";
export { loadRuntime, packFiles } from "./platform/node/engine.ts";
`;

const stdin = { contents: PARTS, loader: "ts", resolveDir: fileURLToPath(new URL("../../src/", import.meta.url)) };
const parts = await importBundled({ stdin }, new URL(".", import.meta.url));

export const {
  DecideError,
  parseRequest,
  isPlainObject,
  shapeOf,
  DEVICES,
  SegmentReader,
  loadGraph,
  readTokenizer,
  toWindows,
  loadRuntime,
} = parts;

const ROOT = new URL("../../", import.meta.url);

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
