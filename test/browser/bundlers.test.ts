import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledPackage } from "../support/installed-package.ts";
import { packageRootPath } from "../support/package-root.ts";
import { runWebpack, serveWithVite, withEsbuild, withNothing, withRollup, withVite, withWebpack } from "./support/bundlers.ts";
import type { Bundle } from "./support/bundlers.ts";
import { launchChromium } from "./support/chromium.ts";
import { emittedIn, isCode, isNotice } from "./support/emitted.ts";
import type { Emitted } from "./support/emitted.ts";
import { writePage } from "./support/newcomers-page.ts";
import { Site, STRICT_POLICY } from "./support/site.ts";
import { visit } from "./support/visit.ts";

const VIOLATIONS = "/policy-violations";
const REPORTED_POLICY = `${STRICT_POLICY}; report-uri ${VIOLATIONS}`;

let installed: InstalledPackage;
let browser: Browser;
beforeAll(async () => {
  installed = await InstalledPackage.make();
  await writePage(installed.project);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await installed.remove();
});

/** Opens the page in a folder and checks that it gets an answer, without complaints, and only from workers and requests of its own origin. */
async function answers(folder: string, isolated: boolean, policy: string): Promise<void> {
  const site = await Site.start({ folder, isolated, policy, pages: {} });
  try {
    const { shown, workers, requests, complaints } = await visit(browser, `${site.origin}/`);
    expect(complaints).toEqual([]);
    expect(site.count(VIOLATIONS)).toBe(0);
    expect(shown).toEqual({ choice: "billing", device: "wasm", threads: isolated ? 2 : 1, warned: true });
    // One worker. If threads are allowed, a second thread, which is a worker of that worker.
    expect(workers).toHaveLength(isolated ? 2 : 1);
    expect([...workers, ...requests].filter((url) => !url.startsWith(`${site.origin}/`))).toEqual([]);
    // The server saw no other requests, so the count includes the worker's.
    expect(requests.map((url) => new URL(url).pathname).sort()).toEqual(site.requests.map(({ path }) => path).sort());
  } finally {
    await site.close();
  }
}

/** The package's files that the page's worker needs. */
async function needed(): Promise<Emitted[]> {
  const worker = await readFile(installed.file("dist/umpire/worker.js"), "utf8");
  const paths = [...worker.matchAll(/new URL\("\.\/([^"]+)", ?import\.meta\.url\)/g)].map(([, path]) => path);
  return (await emittedIn(installed.file("dist/umpire"))).filter(({ path }) => paths.includes(path));
}

const hashes = (files: readonly Emitted[]): string[] => files.map(({ sha256 }) => sha256).sort();
const totalBytes = (files: readonly Emitted[]): number => files.reduce((sum, { bytes }) => sum + bytes.length, 0);

describe.each<{ name: string; bundle: Bundle; follows: boolean; warns?: RegExp }>([
  { name: "a plain script", bundle: withNothing, follows: false },
  // On a busy machine, the bundler warns that building took long.
  { name: "Vite", bundle: withVite, follows: true, warns: /\[PLUGIN_TIMINGS\]/ },
  // The bundler warns about every file over 250 kB.
  { name: "webpack", bundle: withWebpack, follows: true, warns: /^asset size limit: / },
  { name: "esbuild", bundle: withEsbuild, follows: false },
  { name: "Rollup", bundle: withRollup, follows: false },
])("a page built with $name", ({ bundle, follows, warns }) => {
  let folder: string;
  let files: Emitted[];
  let warnings: readonly string[];
  beforeAll(async () => {
    ({ folder, warnings } = await bundle(installed.project));
    files = await emittedIn(folder);
  });

  it("is built without a warning about the package", () => {
    expect(warnings.filter((warning) => warns?.test(warning) !== true)).toEqual([]);
  });

  it("has no duplicates, no paths of the building machine, and no file inlined in a script", () => {
    const contents = hashes(files.filter((file) => !isNotice(file)));
    expect(contents).toEqual([...new Set(contents)]);
    for (const { path, bytes } of files.filter(isCode)) {
      const text = bytes.toString();
      for (const place of [installed.project, packageRootPath, "file:///"]) expect(text.includes(place), `${path}: ${place}`).toBe(false);
      expect(text, path).not.toMatch(/["'`]data:/);
      if (path.endsWith(".js")) expect(bytes.length, path).toBeLessThan(150e3);
    }
  });

  it.runIf(follows)("has the files that a browser's worker needs, and none for Node", async () => {
    const need = await needed();
    expect(need.map(({ path }) => path).filter((path) => /int8-wide|probe/.test(path))).toEqual([]);
    const data = files.filter((file) => !isCode(file) && !isNotice(file));
    expect(hashes(data)).toEqual(hashes(need.filter((file) => !isCode(file))));
    // webpack minifies the runtime's scripts again, which changes their bytes.
    const scripts = (all: readonly Emitted[], ending: string): number => all.filter(({ path }) => path.endsWith(ending)).length;
    expect(scripts(files, ".mjs")).toBe(scripts(need, ".mjs"));
    // The page, the worker, four scripts that the page loads on demand, and those that the worker does.
    expect(scripts(files, ".js")).toBe(6 + scripts(need, ".js"));
    expect(scripts(need, ".js")).toBeGreaterThan(0);
    expect(totalBytes(files)).toBeLessThan(totalBytes(need) + 250e3);
  });

  it("answers under a strict policy, with threads if the page is isolated", async () => {
    await Promise.all([answers(folder, true, REPORTED_POLICY), answers(folder, false, REPORTED_POLICY)]);
  });
});

describe("a page whose policy allows all scripts and requests", () => {
  it("still sends no requests to other origins", async () => {
    // Except for the icon, which browsers request on their own.
    await answers(join(installed.project, "plain"), true, "img-src 'none'");
  });
});

describe("webpack", () => {
  // A conflict would throw where nothing can catch it, and the build would never end.
  it("allows a page's own chunk with the package's name", { timeout: 30_000 }, async () => {
    const output = { path: join(installed.project, "lazy") };
    expect(await runWebpack({ context: installed.project, mode: "none", entry: "./lazy.js", output })).toEqual([]);
  });
});

describe("Vite's development server", () => {
  it.each([
    ["without configuration", [], 1],
    ["with the headers for threads", ["--config", "threads.config.mjs"], 2],
  ])("answers %s", async (_, options, threads) => {
    const server = await serveWithVite(installed.project, options);
    try {
      const { shown, requests, complaints } = await visit(browser, `${server.origin}/`);
      expect(complaints).toEqual([]);
      expect(shown).toEqual({ choice: "billing", device: "wasm", threads, warned: true });
      expect(requests.filter((url) => !url.startsWith(`${server.origin}/`) && !url.startsWith("data:"))).toEqual([]);
      expect(server.printed()).not.toMatch(/warn|error|fail/i);
    } finally {
      await server.end();
    }
  });
});
