import { describe, expect, it } from "vitest";
import { freshVisits } from "./support/fresh-visits.ts";
import { WEIGHTS, decideOn, ranges, stopWeightsAt, visit } from "./support/loading.ts";
import { openPage } from "./support/page.ts";
import { Site } from "./support/site.ts";

const PIECE_BYTES = 4 * 2 ** 20;

const fresh = freshVisits();

describe("on a later visit, a page", () => {
  it("takes all files from the cache", async () => {
    const first = await visit(fresh.visitor, fresh.site);
    const before = fresh.site.requests.length;
    const second = await visit(fresh.visitor, fresh.site);
    expect(second.choice).toBe("billing");
    expect(second.info.download).toEqual({ fetchedBytes: 0, cachedBytes: first.info.download?.fetchedBytes });
    const paths = fresh.site.requests.slice(before).map(({ path }) => path);
    expect(paths.filter((path) => /\.(bin|wasm|onnx|json)$/.test(path))).toEqual([]);
  });

  it("fetches all files again after clearCache()", async () => {
    const first = await visit(fresh.visitor, fresh.site);
    const page = await openPage(fresh.visitor, fresh.site);
    await page.evaluate(() => umpire.clearCache());
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await page.close();
    expect((await visit(fresh.visitor, fresh.site)).info.download).toEqual(first.info.download);
  });

  it("continues a download that was interrupted by closing the tab", async () => {
    stopWeightsAt(fresh.site, 10_000_000);
    const page = await openPage(fresh.visitor, fresh.site);
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
    fresh.site.faults.clear();
    fresh.site.requests.length = 0;
    const { choice, info } = await visit(fresh.visitor, fresh.site);
    expect(choice).toBe("billing");
    expect(ranges(fresh.site, WEIGHTS)).toEqual([`bytes=${2 * PIECE_BYTES}-`]);
    expect(info.download?.cachedBytes).toBeGreaterThanOrEqual(2 * PIECE_BYTES);
  });

  it("replaces every file that was damaged in the cache", async () => {
    await visit(fresh.visitor, fresh.site);
    const page = await openPage(fresh.visitor, fresh.site);
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
    expect((await visit(fresh.visitor, fresh.site)).info.download?.fetchedBytes).toBe(0);
  });

  it("needs no server once its scripts are in the browser's own cache", async () => {
    const ageing = await Site.start({ maxAgeS: 3600 });
    const page = await openPage(fresh.visitor, ageing);
    await decideOn(page);
    await ageing.close();
    const { choice, info } = await decideOn(page);
    expect(choice).toBe("billing");
    expect(info.download?.fetchedBytes).toBe(0);
  });

  it("keeps at most 320 MB, and deletes the longest unused files first", async () => {
    const page = await openPage(fresh.visitor, fresh.site);
    await page.evaluate(async () => {
      const cache = await caches.open("umpire-files-1");
      for (const [name, usedAtMs, sizeBytes] of [
        ["old", 1, 200e6],
        ["young", Date.now() - 1000, 200e6],
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
    expect((await visit(fresh.visitor, fresh.site)).info.download?.fetchedBytes).toBe(0);
  });
});

describe("without a cache, a page", () => {
  it("whose quota is used up works, and says why nothing is kept", async () => {
    const page = await openPage(fresh.visitor, fresh.site);
    const session = await fresh.visitor.newCDPSession(page);
    await session.send("Storage.overrideQuotaForOrigin", { origin: fresh.site.origin, quotaSize: 1_000_000 });
    const { choice, info } = await decideOn(page);
    expect(choice).toBe("billing");
    expect(info.download?.cacheFailure).toMatch(/quota/i);
    expect(info.download?.fetchedBytes).toBeGreaterThan(30e6);
  });

  it("whose browser refuses to open a cache works, and says why nothing is kept", async () => {
    await fresh.site.runBefore(
      "/umpire/worker.js",
      'CacheStorage.prototype.open = () => Promise.reject(new DOMException("no", "SecurityError"));',
    );
    const { choice, info } = await visit(fresh.visitor, fresh.site);
    expect(choice).toBe("billing");
    expect(info.download?.cacheFailure).toContain("SecurityError");
  });
});
