// What a first visit fetches, by kind: as it is, and as servers that compress would send it.
import { readFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { fileOf } from "./site.mjs";

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Of a path of the site. The benchmark's own pages are nobody's. */
export function groupOf(path) {
  if (path.startsWith("/bench/")) return "page";
  if (path.endsWith(".wasm")) return "runtime, wasm";
  if (path.includes("/models/")) return "model";
  return /\/ort[.-]/.test(path) ? "runtime, JavaScript" : "JavaScript";
}

/** @returns {Promise<Record<string, { bytes: number, gzip: number, brotli: number }>>} by group; both at level 9, since brotli's highest takes minutes */
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
