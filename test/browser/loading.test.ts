import { createReadStream } from "node:fs";
import { describe, expect, it } from "vitest";
import { freshVisits } from "./support/fresh-visits.ts";
import { WEIGHTS, WEIGHTS_BYTES, WEIGHTS_PATH, breakOff, breakWeightsAt, ranges, visit } from "./support/loading.ts";
import { Site } from "./support/site.ts";

const RUNTIME = "/umpire/ort-wasm-simd-threaded.wasm";

const fresh = freshVisits();

describe("on its first visit, a page", () => {
  it("is told of each file's progress, in whole bytes that never fall and end at its size", async () => {
    const { choice, progress, info } = await visit(fresh.visitor, fresh.site);
    expect(choice).toBe("billing");
    const files = [...new Set(progress.map(({ file }) => file))].sort();
    expect(files).toEqual(["features.bin", "int8.onnx", "manifest.json", "ort-wasm-simd-threaded.wasm", "tokenizer.json", "weights.bin"]);
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
    const percents = progress.map(({ overall }) => overall.percent);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(new Set(percents).size).toBeGreaterThan(10);
    expect([percents[0], progress.at(-1)?.overall]).toEqual([0, { percent: 100, loadedBytes: totalBytes, totalBytes }]);
  });

  it("fetches each file that its device needs once, and nothing else", async () => {
    await visit(fresh.visitor, fresh.site);
    const paths = fresh.site.requests.map(({ path }) => path).filter((path) => path.startsWith("/umpire/"));
    const pack = ["features.bin", "int8.onnx", "manifest.json", "tokenizer.json", "weights.bin"].map(
      (name) => `/umpire/models/umpire-2/${name}`,
    );
    // The runtime's script may be fetched twice: its second thread starts from it.
    expect([...new Set(paths)].sort()).toEqual(
      [...pack, RUNTIME, "/umpire/language.js", "/umpire/ort.wasm.bundle.min.mjs", "/umpire/worker.js"].sort(),
    );
    for (const path of [...pack, RUNTIME]) expect([path, fresh.site.count(path)]).toEqual([path, 1]);
  });

  it("continues a broken download where it broke", async () => {
    breakWeightsAt(fresh.site, 10_000_000, 1);
    const { choice, info } = await visit(fresh.visitor, fresh.site);
    expect(choice).toBe("billing");
    expect(ranges(fresh.site, WEIGHTS)).toEqual([undefined, "bytes=10000000-"]);
    expect(info.download?.cacheFailure).toBeUndefined();
  });

  it("starts a broken download again when the server has no ranges", async () => {
    let times = 1;
    fresh.site.faults.set(WEIGHTS, (_, response) => {
      const cut = times-- > 0;
      response.writeHead(200, { "content-length": WEIGHTS_BYTES });
      if (cut) breakOff(response, 0, 10_000_000);
      else createReadStream(WEIGHTS_PATH).pipe(response);
    });
    expect((await visit(fresh.visitor, fresh.site)).choice).toBe("billing");
    expect(fresh.site.count(WEIGHTS)).toBe(2);
  });

  it.each(["416", "a different range"])("fetches the whole file again when the server answers a range with %s", async (answer) => {
    let times = 1;
    fresh.site.faults.set(WEIGHTS, (request, response) => {
      if (request.headers.range !== undefined) {
        const head = { "content-range": `bytes 0-99/${WEIGHTS_BYTES}` };
        if (answer === "416") response.writeHead(416).end();
        else response.writeHead(206, head).end(new Uint8Array(100));
        return;
      }
      response.writeHead(200, { "content-length": WEIGHTS_BYTES });
      const cut = times-- > 0;
      if (cut) breakOff(response, 0, 10_000_000);
      else createReadStream(WEIGHTS_PATH).pipe(response);
    });
    expect((await visit(fresh.visitor, fresh.site)).choice).toBe("billing");
    expect(ranges(fresh.site, WEIGHTS)).toEqual([undefined, "bytes=10000000-", undefined]);
  });

  it("continues a broken download from another origin, which hides its range headers", async () => {
    const other = await Site.start();
    other.faults.set(WEIGHTS, (request, response) => {
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      // Without access-control-expose-headers.
      response.writeHead(start > 0 ? 206 : 200, { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" });
      if (start > 0) createReadStream(WEIGHTS_PATH, { start }).pipe(response);
      else breakOff(response, 0, 10_000_000);
    });
    other.shared = true;
    const site = await Site.start({ policy: "default-src 'self' *; script-src 'self' 'wasm-unsafe-eval'" });
    const { choice } = await visit(fresh.visitor, site, { model: `${other.origin}/umpire/models/umpire-2/` });
    expect(choice).toBe("billing");
    expect(other.requests.filter(({ path }) => path === WEIGHTS).map(({ range }) => range)).toContain("bytes=10000000-");
    await Promise.all([site.close(), other.close()]);
  });

  it("gives up when nothing more comes, and names the file", async () => {
    fresh.site.faults.set(WEIGHTS, (_, response) => {
      response.writeHead(200, { "content-length": WEIGHTS_BYTES }).flushHeaders();
      setTimeout(() => response.destroy(), 20);
    });
    await expect(visit(fresh.visitor, fresh.site)).rejects.toThrow(/model_invalid: weights\.bin/);
    expect(fresh.site.count(WEIGHTS)).toBe(3);
    fresh.site.faults.clear();
    expect((await visit(fresh.visitor, fresh.site)).choice).toBe("billing");
  });
});
