// Sums up the files that a first visit fetches, by kind: uncompressed, and as a compressing server would send them.
import { readFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { fileOf } from "./site.mjs";

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** The kind of file at a path of the site. "page" is for the benchmark's own pages, which count for no contender. */
export function groupOf(path) {
  if (path.startsWith("/bench/")) return "page";
  if (path.endsWith(".wasm")) return "runtime, wasm";
  if (path.includes("/models/")) return "model";
  return /\/ort[.-]/.test(path) ? "runtime, JavaScript" : "JavaScript";
}

/** @returns {Promise<Record<string, { bytes: number, gzip: number, brotli: number }>>} by group; both at level 9, because brotli's highest level takes minutes */
export async function compressed(paths) {
  const groups = {};
  for (const path of new Set(paths)) {
    const group = groupOf(path);
    if (group === "page") continue;
    const content = await readFile(fileOf(path));
    const sizes = {
      bytes: content.length,
      gzip: gzipSync(content, { level: 9 }).length,
      brotli: brotliCompressSync(content, BROTLI).length,
    };
    groups[group] ??= { bytes: 0, gzip: 0, brotli: 0 };
    for (const [name, size] of Object.entries(sizes)) groups[group][name] += size;
  }
  return groups;
}
