import type { Browser, BrowserContext } from "playwright-core";
import { readFile, stat } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../support/package-root.ts";
import { launchChromium } from "./support/chromium.ts";
import { openPage } from "./support/page.ts";
import { Site, STRICT_POLICY } from "./support/site.ts";
import type { SiteOptions } from "./support/site.ts";
import type { DeciderOptions } from "umpire";

const WORKER = "/umpire/worker.js";
const RUNTIME = "/umpire/ort-wasm-simd-threaded.wasm";
const { size: RUNTIME_BYTES } = await stat(new URL(`dist${RUNTIME}`, PACKAGE_ROOT));

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly stack: boolean;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

let visitor: BrowserContext;
let site: Site | undefined;
beforeEach(async () => {
  visitor = await browser.newContext();
});
afterEach(async () => {
  await visitor.close();
  await site?.close();
});

/** The DecideError of the first call on a page of this site. Fails the test when there is an answer. */
async function failure(
  options: DeciderOptions,
  on: { site?: SiteOptions; origin?: string; prepare?: (site: Site) => unknown } = {},
): Promise<Failure> {
  site = await Site.start(on.site);
  await on.prepare?.(site);
  const page = await openPage(visitor, { origin: site.origin.replace("localhost", on.origin ?? "localhost") });
  return page.evaluate(async (options) => {
    try {
      const decider = umpire.createDecider(options);
      await decider.decide({ state: "It rains.", questions: { q: { type: "noul", instructions: "Does it rain?" } } });
    } catch (error) {
      if (!umpire.DecideError.isInstance(error)) throw error;
      const { code, message, status } = error;
      return { code, message, status, stack: /\n\s+at /.test(message) };
    }
    throw new Error("expected a failure, but there was an answer");
  }, options);
}

/** As after a deployment when one old file is still in a cache. */
async function serveWorkerOfOtherVersion({ faults }: Site): Promise<void> {
  const { version } = JSON.parse(await readFile(new URL("package.json", PACKAGE_ROOT), "utf8")) as { version: string };
  const script = await readFile(new URL(`dist${WORKER}`, PACKAGE_ROOT), "utf8");
  const other = script.replaceAll(JSON.stringify(version), '"99.9.9"');
  faults.set(WORKER, (_, response) => void response.writeHead(200, { "content-type": "text/javascript" }).end(other));
}

describe("a web developer is told what is wrong, and what to do, with", () => {
  it.each<[string, DeciderOptions, Parameters<typeof failure>[1], RegExp]>([
    [
      "no worker script",
      {},
      { prepare: ({ faults }) => faults.set(WORKER, (_, response) => void response.writeHead(404).end()) },
      /umpire\/worker\.js.*beside the bundle/,
    ],
    [
      "an HTML page instead of the worker's script",
      {},
      {
        prepare: ({ faults }) =>
          faults.set(WORKER, (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>")),
      },
      /as JavaScript/,
    ],
    [
      "a worker's script of another version",
      {},
      { prepare: serveWorkerOfOtherVersion },
      /script has version \d+\.\d+\.\d+, but its worker has version 99\.9\.9.*dist\/umpire\/ of the same version.*reload/,
    ],
    [
      "a policy that blocks workers",
      {},
      { site: { policy: `${STRICT_POLICY}; worker-src 'none'` } },
      /Content-Security-Policy \(worker-src/,
    ],
    ["a worker from another origin", { assets: "https://assets.invalid/umpire/" }, {}, /page's own origin/],
    ["a policy that blocks WebAssembly", { device: "wasm" }, { site: { policy: "default-src 'self'" } }, /'wasm-unsafe-eval'/],
    ["no WebAssembly", { device: "wasm" }, { prepare: (site) => site.runBefore(WORKER, "delete globalThis.WebAssembly;") }, /switched off/],
    [
      "no runtime script",
      { device: "wasm" },
      { prepare: ({ faults }) => faults.set("/umpire/ort.wasm.bundle.min.mjs", (_, response) => void response.writeHead(404).end()) },
      /ort\.wasm\.bundle\.min\.mjs cannot be loaded/,
    ],
    [
      "no script of what is loaded on demand",
      { lessons: [{ umpire_lesson: 1, id: "lesson-0", sha256: "0" }] },
      { prepare: ({ faults }) => faults.set("/umpire/lessons.js", (_, response) => void response.writeHead(404).end()) },
      /umpire\/lessons\.js cannot be loaded.*beside the page's script/,
    ],
    [
      "no runtime",
      { device: "wasm" },
      { prepare: ({ faults }) => faults.set(RUNTIME, (_, response) => void response.writeHead(404).end()) },
      /ort-wasm-simd-threaded\.wasm cannot be loaded.*dist\/umpire/,
    ],
    [
      "a damaged runtime",
      { device: "wasm" },
      { prepare: ({ faults }) => faults.set(RUNTIME, (_, response) => void response.writeHead(200).end(new Uint8Array(RUNTIME_BYTES))) },
      /ort-wasm-simd-threaded\.wasm cannot be loaded/,
    ],
    [
      "a device without memory",
      { device: "wasm" },
      {
        prepare: (site) =>
          site.runBefore(
            WORKER,
            'WebAssembly.Memory = class { constructor() { throw new RangeError("WebAssembly.Memory(): could not allocate memory"); } };',
          ),
      },
      /not enough free memory/,
    ],
    ["no WebGPU", { device: "webgpu" }, {}, /WebGPU is not available.*auto or wasm/],
    [
      "WebGPU without a way to wait for it",
      { device: "webgpu" },
      {
        prepare: (site) =>
          site.runBefore(WORKER, "delete WebAssembly.Suspending; Object.defineProperty(WorkerNavigator.prototype, 'gpu', { value: {} });"),
      },
      /JSPI/,
    ],
    ["a device that browsers do not have", { device: "cpu" }, {}, /"auto", "webgpu" or "wasm"/],
    ["arithmetic that the device does not have", { device: "wasm", precision: "fp16" }, {}, /wasm does not have fp16.*int8, fp32/],
    ["a page served over plain http", {}, { origin: "plain.test" }, /https/],
  ])("%s", async (name, options, on, words) => {
    if (on?.origin !== undefined) {
      await visitor.close();
      // Only localhost is a secure context over http: any other name is not.
      const other = await launchChromium({ args: [`--host-resolver-rules=MAP ${on.origin} 127.0.0.1`] });
      visitor = await other.newContext();
      visitor.on("close", () => void other.close());
    }
    const error = await failure(options, on);
    expect([name, error.code, error.status, error.stack]).toEqual([name, "backend_unavailable", 503, false]);
    expect(error.message).toMatch(words);
  });

  it("invalid options, all at once", async () => {
    site = await Site.start();
    const page = await openPage(visitor, site);
    const issues = await page.evaluate(() => {
      try {
        umpire.createDecider({ inline: true, assets: "", onProgress: 3 as never, precision: "int4" as never });
      } catch (error) {
        return umpire.DecideError.isInstance(error) ? error.issues?.map(({ loc, msg }) => `${loc.join("/")} ${msg}`) : String(error);
      }
      return "no error";
    });
    expect(issues).toEqual([
      'options/precision must be "int8", "fp16" or "fp32", but is "int4" (did you mean "int8"?)',
      "options/inline must be false in a browser, where a worker runs the model, but is a boolean",
      "options/assets must be a URL, but is an empty string",
      "options/onProgress must be a function, but is 3",
    ]);
  });
});

describe("after a failure", () => {
  it("a call works as soon as the cause is gone", async () => {
    site = await Site.start();
    site.faults.set(WORKER, (_, response) => void response.writeHead(404).end());
    const page = await openPage(visitor, site);
    const ask = (): Promise<string> =>
      page.evaluate(async () => {
        const request = { state: "It rains.", questions: { q: { type: "noul", instructions: "Does it rain?" } } } as const;
        return umpire.decide(request).then(
          ({ model }) => model,
          (error: unknown) => (umpire.DecideError.isInstance(error) ? error.code : String(error)),
        );
      });
    expect(await ask()).toBe("backend_unavailable");
    site.faults.clear();
    expect(await ask()).toBe("umpire-2");
  });
});
