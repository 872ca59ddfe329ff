// npm run size: what an install and a page's first visit load, as docs/speed.md says it.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, readdir, stat } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { BASE_PACK } from "./umpire-base/fill.mjs";

const ROOT = new URL("../", import.meta.url);
const MODEL = "umpire/models/umpire-2";

/** What a page loads before its first answer, on wasm in int8. Paths in dist/. */
export const FIRST_VISIT = {
  ourScripts: ["index.browser.js", "umpire/worker.js", "umpire/language.js"],
  runtime: ["umpire/ort.wasm.bundle.min.mjs", "umpire/ort-wasm-simd-threaded.wasm"],
  model: ["manifest.json", "tokenizer.json", "int8.onnx", "weights.bin", "features.bin"].map((name) => `${MODEL}/${name}`),
};

/** @returns {Promise<{ paths: string[], bytes: number, unpackedBytes: number }>} the tarball that `npm pack` makes of what is built */
export function packed() {
  // Packing must not build: others read dist/.
  return packedIn(ROOT, "--ignore-scripts");
}

/** @returns {Promise<[what: string, size: string][]>} rows for the package umpire-base; none where its pack is not in the repository */
export async function baseRows() {
  if (!existsSync(new URL(`models/${BASE_PACK}/manifest.json`, ROOT))) return [];
  const { bytes, unpackedBytes } = await packedIn(new URL("packaging/umpire-base/", ROOT));
  return [
    ["umpire-base, as it is downloaded", megabytes(bytes)],
    ["the same, unpacked", megabytes(unpackedBytes)],
  ];
}

async function packedIn(folder, ...flags) {
  const args = ["pack", "--dry-run", "--json", ...flags];
  const { stdout } = await promisify(execFile)("npm", args, { cwd: folder, maxBuffer: 2 ** 24, shell: process.platform === "win32" });
  const [{ files, size, unpackedSize }] = JSON.parse(stdout);
  return { paths: files.map(({ path }) => path), bytes: size, unpackedBytes: unpackedSize };
}

/** @returns {Promise<{ bytes: number, gzippedBytes: number }>} of files in dist/ */
async function loaded(paths) {
  const files = await Promise.all(paths.map((path) => readFile(new URL(`dist/${path}`, ROOT))));
  const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);
  return { bytes: sum(files.map(({ length }) => length)), gzippedBytes: sum(files.map((file) => gzipSync(file).length)) };
}

/** @returns {Promise<number>} bytes of all files in a folder, links not followed */
async function bytesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(`${parentPath}/${name}`)).size));
  return sizes.reduce((total, size) => total + size, 0);
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** @returns {Promise<[what: string, size: string][]>} the rows of the table in docs/speed.md */
export async function sizeRows(tarball) {
  const visit = await loaded(Object.values(FIRST_VISIT).flat());
  const scripts = await loaded(FIRST_VISIT.ourScripts);
  return [
    ["the package, as it is downloaded", megabytes(tarball.bytes)],
    ["the same, unpacked", megabytes(tarball.unpackedBytes)],
    [
      "onnxruntime-node, its optional dependency, unpacked",
      megabytes(await bytesIn(fileURLToPath(new URL("node_modules/onnxruntime-node", ROOT)))),
    ],
    ["a page's first visit", megabytes(visit.bytes)],
    ["the same, compressed by gzip", megabytes(visit.gzippedBytes)],
    ["our own scripts of these, compressed", `${(scripts.gzippedBytes / 1e3).toFixed(1)} kB`],
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const rows = [...(await sizeRows(await packed())), ...(await baseRows())];
  for (const [what, size] of rows) console.log(`${what.padEnd(52)} ${size}`);
}
