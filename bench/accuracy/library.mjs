// The library's own inner parts, which its public API does not show: what checks a request, cuts windows, counts tokens and runs a pack's graph.
// Node 20 runs no TypeScript, so they are bundled first, into a file beside this one that is gone again when it runs.
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PARTS = `
export { DecideError } from "./errors.ts";
export { parseRequest } from "./request.ts";
export { isPlainObject, shapeOf } from "./text.ts";
export { openPack } from "./engine/model-pack.ts";
export { SegmentReader } from "./engine/segments.ts";
export { loadSession } from "./engine/session.ts";
export { makeTokenize } from "./engine/tokenize.ts";
export { toWindows } from "./engine/windows.ts";
export { loadRuntime, packFiles } from "./platform/node-files.ts";
`;

const bundle = new URL(`.library-${process.pid}.mjs`, import.meta.url);
await build({
  stdin: { contents: PARTS, loader: "ts", resolveDir: fileURLToPath(new URL("../../src/", import.meta.url)) },
  outfile: fileURLToPath(bundle),
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
});

const parts = await import(bundle.href).finally(() => rm(bundle));

export const {
  DecideError,
  parseRequest,
  isPlainObject,
  shapeOf,
  openPack,
  SegmentReader,
  loadSession,
  toWindows,
  loadRuntime,
  packFiles,
} = parts;

/** Token ids of a text, as the library counts them for this opened pack. @returns {(text: string) => readonly number[]} */
export function tokenizerOf({ manifest, read }) {
  return parts.makeTokenize(JSON.parse(new TextDecoder().decode(read(manifest.tokenizer.file))));
}
