import { afterEach, describe, expect, it, vi } from "vitest";
import { EngineSlot } from "../../../src/library/decider/engine-slot.ts";
import type { BatchScores, Device, Engine, EngineOptions } from "../../../src/library/engine/engine.ts";
import { DecideError } from "../../../src/errors.ts";
import type { Platform } from "../../../src/library/platform/platform.ts";
import { WATCHDOG_MS } from "../../../src/library/async/timeout.ts";
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

const slotOn = (platform: Platform, more: Partial<ConstructorParameters<typeof EngineSlot>[2]> = {}): EngineSlot =>
  new EngineSlot(platform, "file:///pack/", { ...OPTIONS, ...more });

const answers = (): Promise<BatchScores> => Promise.resolve(SCORES);
const gpuFails = (device: Device): Promise<BatchScores> =>
  device === "webgpu"
    ? Promise.reject(new DecideError("backend_failed", "no", { cause: new Error("the GPU device was lost") }))
    : answers();

describe("an engine's slot", () => {
  it("loads its engine when it is first used, once for all calls", async () => {
    const { platform, loaded } = platformWith(answers);
    const slot = slotOn(platform);
    expect(loaded).toHaveLength(0);
    const all = await Promise.all([slot.score(BATCH), slot.score(BATCH), slot.info()]);
    expect(all[0].scores).toEqual(SCORES);
    expect(all[0].info.model).toBe(INFO.model);
    expect(loaded).toHaveLength(1);
    expect(slot.workersStarted).toBe(1);
    await slot.close();
  });

  it("starts another worker for the call after one that lost its worker", async () => {
    const { platform, workers } = platformWith(answers);
    const slot = slotOn(platform);
    await slot.info();
    workers[0]?.die(new Error("killed"));
    await slot.score(BATCH).catch(() => undefined);
    expect((await slot.score(BATCH)).scores).toEqual(SCORES);
    expect(slot.workersStarted).toBe(2);
    await slot.close();
  });

  it("gives the calls of a worker that died worker_lost, which may be made again", async () => {
    const { platform, workers } = platformWith(() => new Promise(() => undefined));
    const slot = slotOn(platform);
    await slot.info();
    const lost = decideError(() => slot.score(BATCH));
    await Promise.resolve();
    workers[0]?.die(new Error("killed"));
    expect(await lost).toMatchObject({ code: "worker_lost", retryable: true });
    await slot.close();
  });

  it.each([false, true])("loads anew after a loading that failed, inline: %s", async (inline) => {
    let fails = true;
    const { platform } = platformWith(answers, () =>
      fails ? Promise.reject(new DecideError("model_invalid", "damaged")) : Promise.resolve(),
    );
    const slot = slotOn(platform, { inline });
    expect((await decideError(() => slot.score(BATCH))).code).toBe("model_invalid");
    fails = false;
    expect((await slot.score(BATCH)).scores).toEqual(SCORES);
    await slot.close();
  });

  it("lets a call give up while the engine loads, without disturbing the others", async () => {
    let finish: () => void = () => undefined;
    const { platform, loaded } = platformWith(answers, () => new Promise((resolve) => (finish = resolve)));
    const slot = slotOn(platform, { inline: true });
    const controller = new AbortController();
    const patient = slot.score(BATCH);
    const impatient = rejection(() => slot.score(BATCH, controller.signal));
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
    const slot = slotOn(platform);
    const { info, scores } = await slot.score(BATCH);
    expect(scores).toEqual(SCORES);
    expect(info.device).toBe("wasm");
    expect(info.deviceReason).toContain("WebGPU failed during a call (Error: Error: the GPU device was lost)");
    expect(workers[0]?.terminated).toBeGreaterThan(0);
    // It stays there.
    expect((await slot.score(BATCH)).info.device).toBe("wasm");
    expect(slot.workersStarted).toBe(2);
    await slot.close();
  });

  it("is left once, however many calls it failed", async () => {
    const { platform } = platformWith(gpuFails);
    const slot = slotOn(platform);
    const all = await Promise.all(Array.from({ length: 5 }, () => slot.score(BATCH)));
    expect(all.map(({ info }) => info.device)).toEqual(Array.from({ length: 5 }, () => "wasm"));
    expect(slot.workersStarted).toBe(2);
    await slot.close();
  });

  it("takes a precision along only where the fallback has it", async () => {
    for (const [precision, kept] of [
      ["fp16", undefined],
      ["fp32", "fp32"],
    ] as const) {
      const { platform, loaded } = platformWith(gpuFails);
      const slot = slotOn(platform, { precision });
      await slot.score(BATCH);
      expect(loaded.map((options) => options.precision)).toEqual([precision, kept]);
      await slot.close();
    }
  });

  it("keeps its failure where it has no fallback", async () => {
    const { platform } = platformWith(() => Promise.reject(new DecideError("backend_failed", "no")));
    const slot = slotOn(platform, { device: "wasm" });
    expect((await decideError(() => slot.score(BATCH))).code).toBe("backend_failed");
    expect(slot.workersStarted).toBe(1);
    await slot.close();
  });
});

describe("closing a slot", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("does not wait for an engine that still loads", async () => {
    const { platform, workers, loaded } = platformWith(answers, () => new Promise(() => undefined));
    const slot = slotOn(platform);
    const waiting = decideError(() => slot.score(BATCH));
    await expect.poll(() => loaded).toHaveLength(1);
    await slot.close();
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
    const slot = slotOn(platform);
    await slot.info();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const closed = slot.close();
    await closing;
    expect(workers[0]?.terminated).toBe(0);
    vi.advanceTimersByTime(WATCHDOG_MS);
    await closed;
    expect(workers[0]?.terminated).toBeGreaterThan(0);
  });

  it("has nothing to do where nothing was loaded", async () => {
    const { platform } = platformWith(answers);
    const slot = slotOn(platform);
    await slot.close();
    expect(slot.workersStarted).toBe(0);
  });
});
