import { afterEach, describe, expect, it, vi } from "vitest";
import { EnginePool } from "../../../src/library/decider/engine-pool.ts";
import type { BatchScores, Device, Engine, EngineOptions } from "../../../src/library/engine/engine.ts";
import { DecideError } from "../../../src/errors.ts";
import type { Platform } from "../../../src/library/platform/platform.ts";
import { WATCHDOG_MS } from "../../../src/library/async/signals.ts";
import { decideError, rejection } from "../../support/rejection.ts";
import { FakeWorker } from "../worker/fake-worker.ts";
import { BATCH, INFO, SCORES, fakeEngine, fakePlatform } from "../../support/fake-engine.ts";

const OPTIONS = { device: "auto", precision: undefined, threads: 1, inline: false, assets: undefined, onProgress: undefined } as const;

interface TestPlatform {
  readonly platform: Platform;
  readonly workers: readonly FakeWorker[];
  /** What each engine was loaded with. */
  readonly loaded: readonly EngineOptions[];
}

/** A platform of which the test says how it loads, and what its engines do. */
function platformWith(
  score: (device: Device, signal: AbortSignal | undefined) => Promise<BatchScores>,
  load = (): Promise<void> => Promise.resolve(),
  close = (): Promise<void> => Promise.resolve(),
): TestPlatform {
  const workers: FakeWorker[] = [];
  const loaded: EngineOptions[] = [];
  const engineFor = async (options: EngineOptions): Promise<Engine> => {
    loaded.push(options);
    await load();
    const device = options.device === "auto" ? "webgpu" : options.device;
    const info = { device, deviceReason: options.deviceReason ?? "", precision: options.precision ?? "fp16" };
    return fakeEngine({ info, score: (_, signal) => score(device, signal), close });
  };
  const platform = fakePlatform({
    devices: ["webgpu", "wasm"],
    startWorker: () => {
      const worker = new FakeWorker((_, options) => engineFor(options));
      workers.push(worker);
      return worker;
    },
    loadInline: (_, options) => engineFor(options),
  });
  return { platform, workers, loaded };
}

const poolOn = (platform: Platform, more: Partial<ConstructorParameters<typeof EnginePool>[2]> = {}): EnginePool =>
  new EnginePool(platform, "file:///pack/", { ...OPTIONS, ...more });

const answers = (): Promise<BatchScores> => Promise.resolve(SCORES);
const gpuFails = (device: Device): Promise<BatchScores> =>
  device === "webgpu"
    ? Promise.reject(new DecideError("backend_failed", "no", { cause: new Error("the GPU device was lost") }))
    : answers();

describe("the pool of one worker", () => {
  it("loads its engine when it is first used, once for all calls", async () => {
    const { platform, loaded } = platformWith(answers);
    const pool = poolOn(platform);
    expect(loaded).toHaveLength(0);
    const all = await Promise.all([pool.score(BATCH), pool.score(BATCH), pool.info()]);
    expect(all[0].scores).toEqual(SCORES);
    expect(all[0].info.model).toBe(INFO.model);
    expect(loaded).toHaveLength(1);
    expect(pool.workersStarted).toBe(1);
    await pool.close();
  });

  it("starts another worker for the call after one that lost its worker", async () => {
    const { platform, workers } = platformWith(answers);
    const pool = poolOn(platform);
    await pool.info();
    workers[0]?.die(new Error("killed"));
    await pool.score(BATCH).catch(() => undefined);
    expect((await pool.score(BATCH)).scores).toEqual(SCORES);
    expect(pool.workersStarted).toBe(2);
    await pool.close();
  });

  it("gives the calls of a worker that died worker_lost, which may be made again", async () => {
    const { platform, workers } = platformWith(() => new Promise(() => undefined));
    const pool = poolOn(platform);
    await pool.info();
    const lost = decideError(() => pool.score(BATCH));
    await Promise.resolve();
    workers[0]?.die(new Error("killed"));
    expect(await lost).toMatchObject({ code: "worker_lost", retryable: true });
    await pool.close();
  });

  it.each([false, true])("loads anew after a loading that failed, inline: %s", async (inline) => {
    let fails = true;
    const { platform } = platformWith(answers, () =>
      fails ? Promise.reject(new DecideError("model_invalid", "damaged")) : Promise.resolve(),
    );
    const pool = poolOn(platform, { inline });
    expect((await decideError(() => pool.score(BATCH))).code).toBe("model_invalid");
    fails = false;
    expect((await pool.score(BATCH)).scores).toEqual(SCORES);
    await pool.close();
  });

  it("lets a call give up while the engine loads, without disturbing the others", async () => {
    let finish: () => void = () => undefined;
    const { platform, loaded } = platformWith(answers, () => new Promise((resolve) => (finish = resolve)));
    const pool = poolOn(platform, { inline: true });
    const controller = new AbortController();
    const patient = pool.score(BATCH);
    const impatient = rejection(() => pool.score(BATCH, controller.signal));
    controller.abort(new Error("enough"));
    expect(await impatient).toEqual(new Error("enough"));
    finish();
    expect((await patient).scores).toEqual(SCORES);
    expect(loaded).toHaveLength(1);
  });
});

describe("a device that fails during a call", () => {
  it("is left for its fallback, which answers the call and says why", async () => {
    const { platform, workers } = platformWith(gpuFails);
    const pool = poolOn(platform);
    const { info, scores } = await pool.score(BATCH);
    expect(scores).toEqual(SCORES);
    expect(info.device).toBe("wasm");
    expect(info.deviceReason).toContain("WebGPU failed during a call (Error: Error: the GPU device was lost)");
    expect(workers[0]?.terminated).toBeGreaterThan(0);
    // It stays there.
    expect((await pool.score(BATCH)).info.device).toBe("wasm");
    expect(pool.workersStarted).toBe(2);
    await pool.close();
  });

  it("is left once, however many calls it failed", async () => {
    const { platform } = platformWith(gpuFails);
    const pool = poolOn(platform);
    const all = await Promise.all(Array.from({ length: 5 }, () => pool.score(BATCH)));
    expect(all.map(({ info }) => info.device)).toEqual(Array.from({ length: 5 }, () => "wasm"));
    expect(pool.workersStarted).toBe(2);
    await pool.close();
  });

  it("takes a precision along only where the fallback has it", async () => {
    for (const [precision, kept] of [
      ["fp16", undefined],
      ["fp32", "fp32"],
    ] as const) {
      const { platform, loaded } = platformWith(gpuFails);
      const pool = poolOn(platform, { precision });
      await pool.score(BATCH);
      expect(loaded.map((options) => options.precision)).toEqual([precision, kept]);
      await pool.close();
    }
  });

  it("keeps its failure where it has no fallback", async () => {
    const { platform } = platformWith(() => Promise.reject(new DecideError("backend_failed", "no")));
    const pool = poolOn(platform, { device: "wasm" });
    expect((await decideError(() => pool.score(BATCH))).code).toBe("backend_failed");
    expect(pool.workersStarted).toBe(1);
    await pool.close();
  });
});

describe("closing a pool", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("does not wait for an engine that still loads", async () => {
    const { platform, workers, loaded } = platformWith(answers, () => new Promise(() => undefined));
    const pool = poolOn(platform);
    const waiting = decideError(() => pool.score(BATCH));
    await expect.poll(() => loaded).toHaveLength(1);
    await pool.close();
    expect(workers[0]?.terminated).toBeGreaterThan(0);
    expect((await waiting).code).toBe("worker_lost");
  });

  it("ends a worker that does not close", async () => {
    let closes: () => void = () => undefined;
    const closing = new Promise<void>((resolve) => (closes = resolve));
    const { platform, workers } = platformWith(answers, undefined, () => {
      closes();
      return new Promise(() => undefined);
    });
    const pool = poolOn(platform);
    await pool.info();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const closed = pool.close();
    await closing;
    expect(workers[0]?.terminated).toBe(0);
    vi.advanceTimersByTime(WATCHDOG_MS);
    await closed;
    expect(workers[0]?.terminated).toBeGreaterThan(0);
  });

  it("has nothing to do where nothing was loaded", async () => {
    const { platform } = platformWith(answers);
    const pool = poolOn(platform);
    await pool.close();
    expect(pool.workersStarted).toBe(0);
  });
});
