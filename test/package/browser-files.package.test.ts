import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FIRST_VISIT } from "../../packaging/size.mjs";
import { PACKAGE_ROOT } from "../support/package-root.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);
const ENTRY = "index.browser.js";
const WORKER = "umpire/worker.js";
/** Loaded when they are first used: by the page, and by its worker. */
const IN_PAGE = ["umpire/bulk.js", "umpire/lessons.js", "umpire/explain.js", "umpire/check.js"];
const IN_WORKER = ["webgpu", "pair", "gliclass", "manifests", "language"].map((name) => `umpire/${name}.js`);
const ON_DEMAND = [...IN_PAGE, ...IN_WORKER];
const RUNTIME_FOR_WASM = "umpire/ort.wasm.bundle.min.mjs";
const RUNTIME_FOR_WEBGPU = "umpire/ort.jspi.bundle.min.mjs";

const source = (path: string): Promise<string> => readFile(new URL(path, DIST), "utf8");

/** Finds a pattern's matches with some context, so that a failure does not print a whole bundle. */
function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(({ index, 0: match }) => text.slice(index, index + match.length + 40));
}

/** Ways to turn text into code. `'wasm-unsafe-eval'` is allowed: one of our messages names this word of a Content-Security-Policy. */
const CODE_FROM_TEXT = /(?<!wasm-unsafe-)\beval\b|\bnew Function\b|\bFunction\(|\b(?:setTimeout|setInterval)\(["'`]|\bdocument\.write/g;
/** Ways to make a script, a worker or a file from bytes in memory. */
const IN_MEMORY = /\bblob:|["'`]data:|\bcreateObjectURL\b|\bnew Blob\b/g;
/** Ways to access the network besides fetch and import. */
const OTHER_WAYS = /\b(?:sendBeacon|XMLHttpRequest|WebSocket|EventSource|WebTransport|RTCPeerConnection|new Image)\b/g;
const ADDRESSES = /\b(?:https?|wss?):\/\/[^\s"'`)]*/g;

describe("the package's files for browsers:", () => {
  it.each([ENTRY, WORKER, ...ON_DEMAND])(
    "%s makes no code from text and no script in memory, and uses only fetch for the network",
    async (path) => {
      const text = await source(path);
      expect(found(text, CODE_FROM_TEXT)).toEqual([]);
      expect(found(text, IN_MEMORY)).toEqual([]);
      expect(found(text, OTHER_WAYS)).toEqual([]);
    },
  );

  it("no file names another origin, except in links to documentation and cache keys", async () => {
    const addresses = async (path: string): Promise<string[]> => [...new Set((await source(path)).match(ADDRESSES))];
    for (const path of [ENTRY, ...ON_DEMAND]) expect(await addresses(path)).toEqual([]);
    // Cache keys use a domain that cannot exist.
    expect(await addresses(WORKER)).toEqual(["https://umpire.invalid/"]);
    for (const path of [RUNTIME_FOR_WASM, RUNTIME_FOR_WEBGPU]) {
      expect(await addresses(path)).toEqual(["https://web.dev/cross-origin-isolation-guide/"]);
    }
  });

  it("the wasm runtime makes no code from text; the WebGPU one does so only in code for WebNN, which is never used", async () => {
    expect(found(await source(RUNTIME_FOR_WASM), CODE_FROM_TEXT)).toEqual([]);
    expect(found(await source(RUNTIME_FOR_WEBGPU), CODE_FROM_TEXT)).toEqual([expect.stringMatching(/^new Function\(/)]);
  });

  it("a runtime makes a script in memory only if it is loaded from another origin, which never happens", async () => {
    for (const path of [RUNTIME_FOR_WASM, RUNTIME_FOR_WEBGPU]) {
      expect(found(await source(path), /\bcreateObjectURL\b/g)).toHaveLength(1);
    }
  });

  it("no file names a source map that does not exist", async () => {
    for (const path of [ENTRY, WORKER, ...ON_DEMAND, RUNTIME_FOR_WASM, RUNTIME_FOR_WEBGPU]) {
      for (const [, map = ""] of (await source(path)).matchAll(/sourceMappingURL=(\S+)/g)) {
        expect(existsSync(fileURLToPath(new URL(map, new URL(path, DIST)))), `${map} of ${path}`).toBe(true);
      }
    }
  });

  const gzipped = async (path: string): Promise<number> => gzipSync(await source(path)).length;

  it("a page that decides loads less than 39.5 kB of scripts of ours, compressed", async () => {
    const bytes = await Promise.all(FIRST_VISIT.ourScripts.map(gzipped));
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(39_500);
  });

  it("what is loaded on demand stays under 19 kB a script, and who loads it names it as bundlers need it", async () => {
    for (const path of ON_DEMAND) {
      expect(await gzipped(path)).toBeLessThan(19_000);
      // Vite puts a smaller one into the page's script as a data: URL, which strict policies block.
      expect((await source(path)).length).toBeGreaterThan(4096);
      const [loader, address] = IN_PAGE.includes(path) ? [ENTRY, path] : [WORKER, path.replace("umpire/", "")];
      expect(await source(loader)).toContain(
        `import(/* webpackIgnore: true */ /* @vite-ignore */ new URL("./${address}",import.meta.url).href)`,
      );
    }
  });

  it("there are no other scripts", async () => {
    const scripts = (await readdir(new URL("umpire/", DIST), { recursive: true })).filter((path) => /\.m?js$/.test(path));
    expect(scripts.map((path) => `umpire/${path}`).sort()).toEqual([RUNTIME_FOR_WEBGPU, RUNTIME_FOR_WASM, WORKER, ...ON_DEMAND].sort());
  });

  it("the worker tells bundlers to ignore its imports: of the runtime, whose address is only known at run time, and on demand", async () => {
    const imports = found(await source(WORKER), /\bimport\([^)]*\)/g);
    expect(imports).toHaveLength(1 + IN_WORKER.length);
    for (const text of imports) expect(text).toMatch(/^import\(\s*\/\* webpackIgnore: true \*\/\s*\/\* @vite-ignore \*\//);
  });
});
