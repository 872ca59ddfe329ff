import { abortable } from "../async/signals.ts";
import { startWatchdog } from "../async/timeout.ts";
import type { Scorer } from "../decide/decide.ts";
import { DEVICES } from "../engine/devices.ts";
import type { Batch, BatchScores, Device, Engine, EngineInfo, EngineOptions, Held, KeptBytes, StateToHold } from "../engine/engine.ts";
import { DecideError, textOfCause } from "../../errors.ts";
import type { Platform } from "../platform/platform.ts";
import { WorkerEngine } from "../worker/proxy.ts";

import type { OnProgress } from "../engine/progress.ts";

export interface SlotOptions extends EngineOptions {
  /** On the caller's own thread rather than in a worker. */
  readonly inline: boolean;
  readonly assets: string | undefined;
  readonly onProgress: OnProgress | undefined;
}

/** A state that a slot's engine keeps read. */
export interface HeldInSlot {
  readonly held: Held;
  /** Whether the slot's engine is still the one that holds it. */
  isHere(): boolean;
}

/** The place of one model's engine. The engine is made when it is first used, and made anew when its worker died, its loading failed, or its GPU did. */
export class EngineSlot implements Scorer {
  readonly #platform: Platform;
  readonly #packUrl: string;
  readonly #options: SlotOptions;
  #wanted: EngineOptions;
  #workersStarted = 0;
  #current: LoadingEngine | undefined;

  constructor(platform: Platform, packUrl: string, options: SlotOptions) {
    const { device, precision, threads, cacheBytes } = options;
    this.#platform = platform;
    this.#packUrl = packUrl;
    this.#options = options;
    this.#wanted = { device, precision, threads, cacheBytes };
  }

  /** Facts of the engine, which is loaded for it. */
  async info(signal?: AbortSignal): Promise<EngineInfo> {
    return (await abortable(this.#loaded(), signal)).info;
  }

  /**
   * Scores a batch, and tells which engine did. Aborting `signal` while the engine loads does not disturb others who wait for it. A batch whose device
   * failed (a GPU that is lost, reset or out of memory) is scored once more on the device's fallback, where the engine then stays.
   */
  async score(batch: Batch, signal?: AbortSignal): Promise<{ readonly info: EngineInfo; readonly scores: BatchScores }> {
    return this.#onEngine(signal, async (engine) => ({ scores: await engine.score(batch, signal), info: engine.info }));
  }

  /** Holds a state in the engine, on the device's fallback if need be. It is lost with the engine. */
  async hold(state: StateToHold, signal?: AbortSignal): Promise<HeldInSlot> {
    return this.#onEngine(signal, async (engine) => {
      const current = this.#current;
      const held = await engine.hold(state, signal);
      return { held, isHere: () => current !== undefined && this.#current === current };
    });
  }

  /** What the engine keeps, which is loaded for it. */
  async kept(signal?: AbortSignal): Promise<KeptBytes> {
    const engine = await abortable(this.#loaded(), signal);
    return abortable(engine.kept(), signal);
  }

  /** A call that failed with its device is made once more on the fallback. */
  async #onEngine<T>(signal: AbortSignal | undefined, call: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = await abortable(this.#loaded(), signal);
    try {
      return await call(engine);
    } catch (error) {
      const { device } = engine.info;
      const { fallback } = DEVICES[device];
      if (fallback === undefined || !this.#failedOnDevice(error, fallback)) throw error;
      this.#fallBack(device, fallback, error);
      return await call(await abortable(this.#loaded(), signal));
    }
  }

  /** Pauses the engine, if it is loaded. A worker that is gone runs nothing, and its calls tell. @returns what ends the pause. */
  async pause(depth: number): Promise<(() => void) | undefined> {
    if (!this.#current?.isReady()) return undefined;
    return this.#current.engine.then((engine) => engine.pause(depth)).catch(() => undefined);
  }

  /** How many calls it can run at one time. */
  readonly workers = 1;
  readonly readyWorkers = 1;

  /** Workers that this slot has started. */
  get workersStarted(): number {
    return this.#workersStarted;
  }

  /** Called when no call is pending, so an engine that is still loading is ended instead of awaited, and so is one that does not close. */
  async close(): Promise<void> {
    const current = this.#current;
    if (current?.isReady() === false) await current.end();
    // A loading that failed left nothing to close, and has told its caller.
    const engine = await current?.engine.catch(() => undefined);
    const inTime = startWatchdog(() => void current?.end());
    try {
      await engine?.close();
    } finally {
      inTime();
    }
  }

  #loaded(): Promise<Engine> {
    if (this.#current !== undefined) return this.#current.engine;
    const current = this.#load();
    const forget = (): void => {
      if (this.#current === current) this.#current = undefined;
    };
    current.engine.then(({ info }) => this.#platform.onLoaded?.(info), forget);
    void current.gone.then(forget);
    this.#current = current;
    return current.engine;
  }

  #failedOnDevice(error: unknown, fallback: Device): error is DecideError {
    if (!DecideError.isInstance(error)) return false;
    // A worker that is lost because another call has just moved the slot to the fallback counts, too.
    return error.code === "backend_failed" || (error.code === "worker_lost" && this.#wanted.device === fallback);
  }

  /** The first call that fails on a device moves the slot to the fallback; others that failed with it find it there. */
  #fallBack(device: Device, fallback: Device, error: DecideError): void {
    if (this.#wanted.device === fallback) return;
    const { precision, threads, cacheBytes } = this.#wanted;
    const cause = textOfCause(error.cause ?? error);
    this.#wanted = {
      device: fallback,
      deviceReason: `${DEVICES[device].label} failed during a call (${cause}): the call was answered by ${fallback}`,
      precision: precision !== undefined && DEVICES[fallback].precisions.includes(precision) ? precision : undefined,
      threads,
      cacheBytes,
    };
    // Its worker is ended, not closed: a runtime whose device is gone may never answer.
    void this.#current?.end();
    this.#current = undefined;
  }

  #load(): LoadingEngine {
    const { inline, assets, onProgress } = this.#options;
    const { loadInline } = this.#platform;
    if (inline && loadInline !== undefined) {
      return loading(loadInline(this.#packUrl, this.#wanted), new Promise(() => undefined), () => Promise.resolve());
    }
    const worker = this.#platform.startWorker(assets);
    this.#workersStarted++;
    return loading(WorkerEngine.start(worker, this.#packUrl, this.#wanted, onProgress), worker.gone, () => worker.terminate());
  }
}

interface LoadingEngine {
  readonly engine: Promise<Engine>;
  /** Settles when the engine is lost. */
  readonly gone: Promise<unknown>;
  /** Ends its worker, whatever it does. */
  end(): Promise<void>;
  /** Whether it has been loaded. */
  isReady(): boolean;
}

function loading(engine: Promise<Engine>, gone: Promise<unknown>, end: () => Promise<void>): LoadingEngine {
  let isReady = false;
  engine.then(
    () => (isReady = true),
    () => undefined,
  );
  return { engine, gone, end, isReady: () => isReady };
}
