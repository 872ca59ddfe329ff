import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Engine, EngineOptions } from "../../../src/library/engine/engine.ts";
import { DecideError } from "../../../src/errors.ts";
import { version } from "../../../src/version.ts";
import { WATCHDOG_MS } from "../../../src/library/async/signals.ts";
import { startWorkerEngine } from "../../../src/library/worker/worker-engine.ts";
import { decideError, rejection } from "../../support/rejection.ts";
import { BATCH, INFO, SCORES } from "../../support/fake-engine.ts";
import { FakeWorker } from "./fake-worker.ts";

const OPTIONS: EngineOptions = { device: "auto", threads: 1 };
const PROGRESS = { file: "weights.bin", loadedBytes: 1, totalBytes: 2, overall: { percent: 25, loadedBytes: 1, totalBytes: 4 } };
const start = (worker: FakeWorker): Promise<Engine> => startWorkerEngine(worker, "file:///pack/", OPTIONS);

/** Waits until the worker's engine has so many calls. */
async function arrived(worker: FakeWorker, calls: number): Promise<void> {
  while (worker.engine.calls.length < calls) await sleep(1);
}

describe("starting", () => {
  it("loads the engine in the worker, and knows its facts", async () => {
    const given: unknown[] = [];
    const worker: FakeWorker = new FakeWorker((...args) => {
      given.push(...args);
      return Promise.resolve(worker.engine);
    });
    const engine = await start(worker);
    expect(engine.info).toEqual(INFO);
    expect(given).toEqual(["file:///pack/", OPTIONS, undefined]);
    expect([worker.terminated, worker.keepsProgramAlive]).toEqual([0, false]);
    await engine.close();
  });

  it("tells the worker this side's version", async () => {
    const versions: string[] = [];
    const worker = new FakeWorker(undefined, (host) => ({
      ...host,
      load: (callerVersion, ...rest) => {
        versions.push(callerVersion);
        return host.load(callerVersion, ...rest);
      },
    }));
    await (await start(worker)).close();
    expect(versions).toEqual([version]);
  });

  it("fails when the worker has another version, and ends the worker", async () => {
    const worker = new FakeWorker(undefined, (host) => ({ ...host, load: (_, ...rest) => host.load("99.9.9", ...rest) }));
    expect(await decideError(() => start(worker))).toMatchObject({
      code: "backend_unavailable",
      message: expect.stringContaining("99.9.9") as string,
    });
    expect(worker.terminated).toBe(1);
  });

  it("that fails in the worker fails with the worker's error, and ends the worker", async () => {
    const worker = new FakeWorker(() => Promise.reject(new DecideError("model_invalid", "damaged", { cause: new Error("why") })));
    const error = await decideError(() => start(worker));
    expect(error).toMatchObject({ code: "model_invalid", message: "damaged" });
    expect((error.cause as Error).message).toBe("Error: why");
    expect([worker.terminated, worker.keepsProgramAlive]).toEqual([1, false]);
  });

  it("with a worker that is gone already fails with worker_lost", async () => {
    const worker = new FakeWorker();
    const cause = new Error("gone");
    worker.die(cause);
    expect(await decideError(() => start(worker))).toMatchObject({ code: "worker_lost", cause });
    expect(worker.keepsProgramAlive).toBe(false);
  });

  it("reports progress; what the report throws is an uncaught error of this side, and the loading goes on", async () => {
    const worker: FakeWorker = new FakeWorker((_, __, onProgress) => {
      onProgress?.(PROGRESS);
      return Promise.resolve(worker.engine);
    });
    const uncaught: unknown[] = [];
    const others = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", (error) => uncaught.push(error));
    try {
      const told: unknown[] = [];
      const engine = await startWorkerEngine(worker, "file:///pack/", OPTIONS, (progress) => {
        told.push(progress);
        throw new Error("mine");
      });
      await expect.poll(() => uncaught).toEqual([new Error("mine")]);
      expect(told).toEqual([PROGRESS]);
      await engine.close();
    } finally {
      process.removeAllListeners("uncaughtException");
      for (const listener of others) process.on("uncaughtException", listener);
    }
  });
});

describe("a call", () => {
  it("is answered by the worker's engine, and keeps the program alive until then", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    const call = engine.score(BATCH);
    await arrived(worker, 1);
    expect(worker.keepsProgramAlive).toBe(true);
    worker.engine.calls[0]?.answer(SCORES);
    expect(await call).toEqual(SCORES);
    expect(worker.keepsProgramAlive).toBe(false);
    await engine.close();
  });

  it("that is aborted ends at once with the signal's reason, and is aborted in the worker, too", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    const controller = new AbortController();
    const aborted = rejection(() => engine.score(BATCH, controller.signal));
    const other = engine.score(BATCH);
    await arrived(worker, 2);
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    while (worker.engine.calls[0]?.signal?.aborted !== true) await sleep(1);
    expect(worker.engine.calls[1]?.signal?.aborted).toBe(false);
    worker.engine.calls[0].fail(new Error("aborted"));
    worker.engine.calls[1]?.answer(SCORES);
    expect(await other).toEqual(SCORES);
    await engine.close();
  });

  it("with a signal that is aborted already is not sent", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    expect(await rejection(() => engine.score(BATCH, AbortSignal.abort("before")))).toBe("before");
    await engine.close();
    expect(worker.engine.calls).toHaveLength(0);
  });

  it("of a worker that dies fails with worker_lost, and so does the next one", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    const failed = decideError(() => engine.score(BATCH));
    await arrived(worker, 1);
    worker.die(new Error("out of memory"));
    expect(await failed).toMatchObject({ code: "worker_lost", retryable: true });
    expect(await decideError(() => engine.score(BATCH))).toMatchObject({ code: "worker_lost" });
    expect(worker.keepsProgramAlive).toBe(false);
  });
});

describe("a worker that does not answer to an abort", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is ended, so that the next call can have another one", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    const controller = new AbortController();
    const aborted = rejection(() => engine.score(BATCH, controller.signal));
    const other = decideError(() => engine.score(BATCH));
    await arrived(worker, 2);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    controller.abort("enough");
    expect(await aborted).toBe("enough");
    vi.advanceTimersByTime(WATCHDOG_MS);
    expect((await other).code).toBe("worker_lost");
    expect(worker.terminated).toBe(1);
    expect((await decideError(() => engine.score(BATCH))).code).toBe("worker_lost");
  });
});

describe("closing", () => {
  it("closes the worker's engine and ends the worker, once, however often it is called", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    await Promise.all([engine.close(), engine.close()]);
    await engine.close();
    expect([worker.engine.closed, worker.terminated]).toEqual([1, 1]);
    expect(await decideError(() => engine.score(BATCH))).toMatchObject({ code: "closed" });
  });

  it("an engine whose worker is lost succeeds", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    worker.die(new Error("out of memory"));
    await worker.gone;
    await engine.close();
    expect(worker.engine.closed).toBe(0);
  });

  it("succeeds when the worker dies meanwhile", async () => {
    const worker = new FakeWorker();
    worker.engine.close = () => new Promise(() => undefined);
    const engine = await start(worker);
    const closing = engine.close();
    await sleep(20);
    worker.die(new Error("out of memory"));
    await closing;
    expect(worker.keepsProgramAlive).toBe(false);
  });

  it("fails with the worker's error, and ends the worker nevertheless", async () => {
    const worker = new FakeWorker();
    worker.engine.close = () => Promise.reject(new Error("not now"));
    const engine = await start(worker);
    expect(await decideError(() => engine.close())).toMatchObject({ code: "internal" });
    expect(worker.terminated).toBe(1);
  });
});

describe("a pinned state", () => {
  it("is released in the worker, once", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    const held = await engine.pin({ state: "s" });
    await engine.pin({ state: "other" });
    expect(await engine.kept()).toEqual({ heldBytes: 2 * held.bytes, cachedBytes: 0, cacheBytes: 0 });
    await Promise.all([held.release(), held.release()]);
    expect(worker.engine.held).toEqual(["other"]);
    await engine.close();
    await held.release();
  });

  it("is not left behind by a call that was aborted while its answer was on the way", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    const ending = new AbortController();
    const reason = new Error("enough");
    const pin = worker.engine.pin.bind(worker.engine);
    vi.spyOn(worker.engine, "pin").mockImplementation((state) => {
      ending.abort(reason);
      return pin(state);
    });
    expect(await rejection(() => engine.pin({ state: "s" }, ending.signal))).toBe(reason);
    expect(worker.engine.held).toEqual(["s"]);
    await expect.poll(() => worker.engine.held).toEqual([]);
    await engine.close();
  });

  it("needs no release once its worker is gone", async () => {
    const worker = new FakeWorker();
    const engine = await start(worker);
    const held = await engine.pin({ state: "s" });
    worker.die(new Error("gone"));
    await held.release();
    expect((await decideError(() => engine.kept())).code).toBe("worker_lost");
  });
});
