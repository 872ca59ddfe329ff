import type { Browser, BrowserContext, Page } from "playwright-core";
import type { DeciderInfo, DeciderOptions, Progress } from "umpire";
import { createReadStream } from "node:fs";
import type { ServerResponse } from "node:http";
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PACKAGE_ROOT, PACK_URL } from "../support/package-root.ts";
import { launchChromium } from "./support/chromium.ts";
import { openPage } from "./support/page.ts";
import { Site } from "./support/site.ts";

const WEIGHTS = "/umpire/models/umpire-2/weights.bin";
const RUNTIME = "/umpire/ort-wasm-simd-threaded.wasm";
const weightsPath = fileURLToPath(new URL("weights.bin", PACK_URL));
const { size: WEIGHTS_BYTES } = await stat(weightsPath);
const PIECE_BYTES = 4 * 2 ** 20;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

let site: Site;
/** A browser context: each has its own cache. */
let visitor: BrowserContext;
beforeEach(async () => {
  site = await Site.start();
  visitor = await browser.newContext();
});
afterEach(async () => {
  await visitor.close();
  await site.close();
});

interface Visit {
  readonly choice: string;
  readonly info: DeciderInfo;
  readonly progress: readonly Progress[];
}

/** Opens a page, loads the model and decides. */
async function visit(options: DeciderOptions = {}): Promise<Visit> {
  const page = await openPage(visitor, site);
  try {
    return await decideOn(page, options);
  } finally {
    await page.close();
  }
}

function decideOn(page: Page, options: DeciderOptions = {}): Promise<Visit> {
  return page.evaluate(async (options) => {
    const progress: Progress[] = [];
    const decider = umpire.createDecider({ device: "wasm", ...options, onProgress: (event) => void progress.push(event) });
    try {
      const { answers } = await decider.decide({
        state: "My card was charged twice for one order.",
        questions: { topic: { type: "choice", instructions: "What is this about?", criteria: { billing: null, weather: null } } },
      });
      return { choice: answers.topic.choice, info: await decider.info(), progress };
    } catch (error) {
      // Only the message crosses to the test: the code goes into it.
      if (umpire.DecideError.isInstance(error)) throw new Error(`${error.code}: ${error.message} (${String(error.cause)})`);
      throw error;
    } finally {
      await decider.close();
    }
  }, options);
}

/** Sends the weights from byte `start` to `end`, and breaks the connection once these have arrived. */
function breakOff(response: ServerResponse, start: number, end: number): void {
  const stream = createReadStream(weightsPath, { start, end: end - 1 });
  stream.on("end", () => setTimeout(() => response.destroy(), 200)).pipe(response, { end: false });
}

/** Breaks the connection at byte `end` of the weights, `times` times, and then serves all of them. Answers ranges. */
function breakWeightsAt(end: number, times: number): void {
  site.faults.set(WEIGHTS, (request, response) => {
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const cut = times-- > 0;
    response.writeHead(start > 0 ? 206 : 200, {
      "content-length": WEIGHTS_BYTES - start,
      ...(start > 0 && { "content-range": `bytes ${start}-${WEIGHTS_BYTES - 1}/${WEIGHTS_BYTES}` }),
    });
    if (cut) breakOff(response, start, end);
    else createReadStream(weightsPath, { start }).pipe(response);
  });
}

/** Serves the weights up to byte `end`, and then sends nothing more, but leaves the connection open. */
function stopWeightsAt(end: number): void {
  site.faults.set(WEIGHTS, (_, response) => {
    response.writeHead(200, { "content-length": WEIGHTS_BYTES });
    createReadStream(weightsPath, { end: end - 1 }).pipe(response, { end: false });
  });
}

const ranges = (path: string): (string | undefined)[] => site.requests.filter((request) => request.path === path).map(({ range }) => range);

describe("on its first visit, a page", () => {
  it("is told of each file's progress, in whole bytes that never fall and end at its size", async () => {
    const { choice, progress, info } = await visit();
    expect(choice).toBe("billing");
    const files = [...new Set(progress.map(({ file }) => file))].sort();
    expect(files).toEqual(["int8.onnx", "manifest.json", "ort-wasm-simd-threaded.wasm", "tokenizer.json", "weights.bin"]);
    let totalBytes = 0;
    for (const name of files) {
      const events = progress.filter(({ file }) => file === name);
      for (const [i, event] of events.entries()) {
        expect(Number.isInteger(event.loadedBytes)).toBe(true);
        expect(event.loadedBytes).toBeGreaterThanOrEqual(events[i - 1]?.loadedBytes ?? 0);
        expect(event.totalBytes).toBe(events[0]?.totalBytes);
      }
      expect(events.at(-1)?.loadedBytes).toBe(events[0]?.totalBytes);
      totalBytes += events[0]?.totalBytes ?? 0;
    }
    expect(info.download).toEqual({ fetchedBytes: totalBytes, cachedBytes: 0 });
  });

  it("fetches each file that its device needs once, and nothing else", async () => {
    await visit();
    const paths = site.requests.map(({ path }) => path).filter((path) => path.startsWith("/umpire/"));
    const pack = ["int8.onnx", "manifest.json", "tokenizer.json", "weights.bin"].map((name) => `/umpire/models/umpire-2/${name}`);
    // The runtime's script may be fetched twice: its second thread starts from it.
    expect([...new Set(paths)].sort()).toEqual([...pack, RUNTIME, "/umpire/ort.wasm.bundle.min.mjs", "/umpire/worker.js"].sort());
    for (const path of [...pack, RUNTIME]) expect([path, site.count(path)]).toEqual([path, 1]);
  });

  it("continues a broken download where it broke", async () => {
    breakWeightsAt(10_000_000, 1);
    const { choice, info } = await visit();
    expect(choice).toBe("billing");
    expect(ranges(WEIGHTS)).toEqual([undefined, "bytes=10000000-"]);
    expect(info.download?.cacheFailure).toBeUndefined();
  });

  it("starts a broken download again when the server has no ranges", async () => {
    let times = 1;
    site.faults.set(WEIGHTS, (_, response) => {
      const cut = times-- > 0;
      response.writeHead(200, { "content-length": WEIGHTS_BYTES });
      if (cut) breakOff(response, 0, 10_000_000);
      else createReadStream(weightsPath).pipe(response);
    });
    expect((await visit()).choice).toBe("billing");
    expect(site.count(WEIGHTS)).toBe(2);
  });

  it.each(["416", "a different range"])("fetches the whole file again when the server answers a range with %s", async (answer) => {
    let times = 1;
    site.faults.set(WEIGHTS, (request, response) => {
      if (request.headers.range !== undefined) {
        const head = { "content-range": `bytes 0-99/${WEIGHTS_BYTES}` };
        if (answer === "416") response.writeHead(416).end();
        else response.writeHead(206, head).end(new Uint8Array(100));
        return;
      }
      response.writeHead(200, { "content-length": WEIGHTS_BYTES });
      const cut = times-- > 0;
      if (cut) breakOff(response, 0, 10_000_000);
      else createReadStream(weightsPath).pipe(response);
    });
    expect((await visit()).choice).toBe("billing");
    expect(ranges(WEIGHTS)).toEqual([undefined, "bytes=10000000-", undefined]);
  });

  it("continues a broken download from another origin, which hides its range headers", async () => {
    const other = await Site.start();
    other.faults.set(WEIGHTS, (request, response) => {
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      // Without access-control-expose-headers.
      response.writeHead(start > 0 ? 206 : 200, { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" });
      if (start > 0) createReadStream(weightsPath, { start }).pipe(response);
      else breakOff(response, 0, 10_000_000);
    });
    other.shared = true;
    await site.close();
    site = await Site.start({ policy: "default-src 'self' *; script-src 'self' 'wasm-unsafe-eval'" });
    const { choice } = await visit({ model: `${other.origin}/umpire/models/umpire-2/` });
    expect(choice).toBe("billing");
    expect(other.requests.filter(({ path }) => path === WEIGHTS).map(({ range }) => range)).toContain("bytes=10000000-");
    await other.close();
  });

  it("gives up when nothing more comes, and names the file", async () => {
    site.faults.set(WEIGHTS, (_, response) => {
      response.writeHead(200, { "content-length": WEIGHTS_BYTES }).flushHeaders();
      setTimeout(() => response.destroy(), 20);
    });
    await expect(visit()).rejects.toThrow(/model_invalid: weights\.bin/);
    expect(site.count(WEIGHTS)).toBe(3);
    site.faults.clear();
    expect((await visit()).choice).toBe("billing");
  });
});

describe("on a later visit, a page", () => {
  it("takes all files from the cache", async () => {
    const first = await visit();
    const before = site.requests.length;
    const second = await visit();
    expect(second.choice).toBe("billing");
    expect(second.info.download).toEqual({ fetchedBytes: 0, cachedBytes: first.info.download?.fetchedBytes });
    const paths = site.requests.slice(before).map(({ path }) => path);
    expect(paths.filter((path) => /\.(bin|wasm|onnx|json)$/.test(path))).toEqual([]);
  });

  it("fetches all files again after clearCache()", async () => {
    const first = await visit();
    const page = await openPage(visitor, site);
    await page.evaluate(() => umpire.clearCache());
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await page.close();
    expect((await visit()).info.download).toEqual(first.info.download);
  });

  it("continues a download that was interrupted by closing the tab", async () => {
    stopWeightsAt(10_000_000);
    const page = await openPage(visitor, site);
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const decider = umpire.createDecider({
            device: "wasm",
            onProgress: ({ file, loadedBytes }) => {
              // Two whole pieces have arrived: half a second is enough to write them.
              if (file === "weights.bin" && loadedBytes > 9_000_000) setTimeout(resolve, 500);
            },
          });
          decider.info().catch(() => undefined);
        }),
    );
    await page.close();
    site.faults.clear();
    site.requests.length = 0;
    const { choice, info } = await visit();
    expect(choice).toBe("billing");
    expect(ranges(WEIGHTS)).toEqual([`bytes=${2 * PIECE_BYTES}-`]);
    expect(info.download?.cachedBytes).toBeGreaterThanOrEqual(2 * PIECE_BYTES);
  });

  it("replaces every file that was damaged in the cache", async () => {
    await visit();
    const page = await openPage(visitor, site);
    const damaged = await page.evaluate(async () => {
      const cache = await caches.open("umpire-files-1");
      const pieces = (await cache.keys()).filter(({ url }) => !url.endsWith("/used"));
      for (const request of pieces) {
        const bytes = new Uint8Array(await ((await cache.match(request)) ?? new Response()).arrayBuffer());
        bytes[1000] = (bytes[1000] ?? 0) ^ 1;
        await cache.put(request, new Response(bytes));
      }
      return pieces.length;
    });
    // Five files, two of them of several pieces.
    expect(damaged).toBeGreaterThan(10);
    const { choice, info } = await decideOn(page);
    expect(choice).toBe("billing");
    expect(info.download?.fetchedBytes).toBeGreaterThan(38_000_000);
    expect((await visit()).info.download?.fetchedBytes).toBe(0);
  });

  it("needs no server once its scripts are in the browser's own cache", async () => {
    const ageing = await Site.start({ maxAgeS: 3600 });
    const page = await openPage(visitor, ageing);
    await decideOn(page);
    await ageing.close();
    const { choice, info } = await decideOn(page);
    expect(choice).toBe("billing");
    expect(info.download?.fetchedBytes).toBe(0);
  });

  it("keeps at most 160 MB, and deletes the longest unused files first", async () => {
    const page = await openPage(visitor, site);
    await page.evaluate(async () => {
      const cache = await caches.open("umpire-files-1");
      for (const [name, usedAtMs, sizeBytes] of [
        ["old", 1, 100e6],
        ["young", Date.now() - 1000, 100e6],
      ] as const) {
        await cache.put(`https://umpire.invalid/${name}/0`, new Response("x"));
        await cache.put(`https://umpire.invalid/${name}/used`, Response.json({ usedAtMs, sizeBytes }));
      }
      await cache.put("https://umpire.invalid/never-ended/0", new Response("x"));
    });
    await decideOn(page);
    const kept = await page.evaluate(async () => (await (await caches.open("umpire-files-1")).keys()).map(({ url }) => url));
    expect(kept.filter((url) => url.includes("/young/"))).toHaveLength(2);
    expect(kept.filter((url) => url.includes("/old/") || url.includes("/never-ended/"))).toEqual([]);
    expect((await visit()).info.download?.fetchedBytes).toBe(0);
  });
});

describe("without a cache, a page", () => {
  it("whose quota is used up works, and says why nothing is kept", async () => {
    const page = await openPage(visitor, site);
    const session = await visitor.newCDPSession(page);
    await session.send("Storage.overrideQuotaForOrigin", { origin: site.origin, quotaSize: 1_000_000 });
    const { choice, info } = await decideOn(page);
    expect(choice).toBe("billing");
    expect(info.download?.cacheFailure).toMatch(/quota/i);
    expect(info.download?.fetchedBytes).toBeGreaterThan(30e6);
  });

  it("whose browser refuses to open a cache works, and says why nothing is kept", async () => {
    await site.runBefore(
      "/umpire/worker.js",
      'CacheStorage.prototype.open = () => Promise.reject(new DOMException("no", "SecurityError"));',
    );
    const { choice, info } = await visit();
    expect(choice).toBe("billing");
    expect(info.download?.cacheFailure).toContain("SecurityError");
  });
});

describe("the files", () => {
  it("may lie in the folder that the option assets names", async () => {
    const folder = fileURLToPath(new URL("dist/", PACKAGE_ROOT));
    const elsewhere = await Site.start({
      folder,
      pages: {
        "/": '<!doctype html><script type="module" src="/app/page.js"></script>',
        "/app/page.js": 'import * as umpire from "/index.browser.js"; globalThis.umpire = umpire;',
      },
    });
    const page = await openPage(visitor, elsewhere);
    for (const assets of ["/umpire/", "umpire", `${elsewhere.origin}/umpire`])
      expect((await decideOn(page, { assets })).choice).toBe("billing");
    await elsewhere.close();
  });

  it("of a pack may lie in the folder that the option model names", async () => {
    for (const model of ["/umpire/models/umpire-2/", "umpire/models/umpire-2", `${site.origin}/umpire/models/umpire-2`]) {
      const { choice, info } = await visit({ model });
      expect([choice, info.model]).toEqual(["billing", "umpire-2"]);
    }
  });

  it.each([
    ["missing", /model_invalid: weights\.bin of the model in http.* 404/s],
    ["an HTML page", /model_invalid: weights\.bin .*answered with an HTML page/s],
    ["damaged", /model_invalid: weights\.bin .*has another SHA-256/s],
    ["too long", /model_invalid: weights\.bin .*more than/s],
  ])("of a pack: one that is %s is named in the error, and loaded once it is whole", async (what, message) => {
    site.faults.set(WEIGHTS, (_, response) => {
      if (what === "missing") response.writeHead(404).end();
      else if (what === "an HTML page") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
      else {
        response.writeHead(200);
        const content = new Uint8Array(WEIGHTS_BYTES + (what === "too long" ? 1 : 0));
        response.end(content);
      }
    });
    await expect(visit()).rejects.toThrow(message);
    site.faults.clear();
    expect((await visit()).choice).toBe("billing");
  });

  it("of a pack without a manifest are refused", async () => {
    await expect(visit({ model: "/nowhere/" })).rejects.toThrow(/model_invalid: manifest\.json/);
  });
});
