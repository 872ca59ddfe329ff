import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../support/package-root.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);
const ENTRY = "index.browser.js";
const WORKER = "umpire/worker.js";
const RUNTIME_FOR_WASM = "umpire/ort.wasm.bundle.min.mjs";
const RUNTIME_FOR_WEBGPU = "umpire/ort.jspi.bundle.min.mjs";

const source = (path: string): Promise<string> => readFile(new URL(path, DIST), "utf8");

/** What a pattern finds, with what stands around it, so that a failure does not print a whole bundle. */
function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(({ index, 0: match }) => text.slice(index, index + match.length + 40));
}

/** What turns text into code. `'wasm-unsafe-eval'` is a word of a Content-Security-Policy, which a message of ours names. */
const CODE_FROM_TEXT = /(?<!wasm-unsafe-)\beval\b|\bnew Function\b|\bFunction\(|\b(?:setTimeout|setInterval)\(["'`]|\bdocument\.write/g;
/** What makes a script, a worker or a file of bytes in memory. */
const IN_MEMORY = /\bblob:|["'`]data:|\bcreateObjectURL\b|\bnew Blob\b/g;
/** Ways to the network besides fetch and import. */
const OTHER_WAYS = /\b(?:sendBeacon|XMLHttpRequest|WebSocket|EventSource|WebTransport|RTCPeerConnection|new Image)\b/g;
const ADDRESSES = /\b(?:https?|wss?):\/\/[^\s"'`)]*/g;

describe("of the package's files for browsers,", () => {
  it.each([ENTRY, WORKER])("%s makes no code from text and no script in memory, and knows no way out but fetch", async (path) => {
    const text = await source(path);
    expect(found(text, CODE_FROM_TEXT)).toEqual([]);
    expect(found(text, IN_MEMORY)).toEqual([]);
    expect(found(text, OTHER_WAYS)).toEqual([]);
  });

  it("none names another origin but to document something, and for keys of the cache", async () => {
    const addresses = async (path: string): Promise<string[]> => [...new Set((await source(path)).match(ADDRESSES))];
    expect(await addresses(ENTRY)).toEqual([]);
    // Keys, on a domain that there cannot be.
    expect(await addresses(WORKER)).toEqual(["https://umpire.invalid/"]);
    for (const path of [RUNTIME_FOR_WASM, RUNTIME_FOR_WEBGPU]) {
      expect(await addresses(path)).toEqual(["https://web.dev/cross-origin-isolation-guide/"]);
    }
  });

  it("the runtime for wasm makes no code from text; the one for WebGPU does in one place, where WebNN would call it, which is never asked for", async () => {
    expect(found(await source(RUNTIME_FOR_WASM), CODE_FROM_TEXT)).toEqual([]);
    expect(found(await source(RUNTIME_FOR_WEBGPU), CODE_FROM_TEXT)).toEqual([expect.stringMatching(/^new Function\(/)]);
  });

  it("a runtime makes a script in memory in one place, where its own comes from another origin, which it never does", async () => {
    for (const path of [RUNTIME_FOR_WASM, RUNTIME_FOR_WEBGPU]) {
      expect(found(await source(path), /\bcreateObjectURL\b/g)).toHaveLength(1);
    }
  });

  it("none names a source map that is not there", async () => {
    for (const path of [ENTRY, WORKER, RUNTIME_FOR_WASM, RUNTIME_FOR_WEBGPU]) {
      for (const [, map = ""] of (await source(path)).matchAll(/sourceMappingURL=(\S+)/g)) {
        expect(existsSync(fileURLToPath(new URL(map, new URL(path, DIST)))), `${map} of ${path}`).toBe(true);
      }
    }
  });

  it("there are no more scripts than these", async () => {
    const scripts = (await readdir(new URL("umpire/", DIST), { recursive: true })).filter((path) => /\.m?js$/.test(path));
    expect(scripts.map((path) => `umpire/${path}`).sort()).toEqual([RUNTIME_FOR_WEBGPU, RUNTIME_FOR_WASM, WORKER].sort());
  });

  it("the worker tells bundlers to leave its one import alone, whose address is known at run time", async () => {
    const imports = found(await source(WORKER), /\bimport\([^)]*\)/g);
    expect(imports).toEqual([expect.stringMatching(/^import\(\s*\/\* webpackIgnore: true \*\/\s*\/\* @vite-ignore \*\//)]);
  });
});
