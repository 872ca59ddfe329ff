import { abortable, startWatchdog } from "../async/signals.ts";
import type { Scorer } from "../decide/decide.ts";
import { DEVICES } from "../engine/devices.ts";
import type {
  Batch,
  BatchScores,
  Engine,
  EngineInfo,
  KeptBytes,
  Pin,
  StateToPin,
  Device,
  EngineOptions,
  OnProgress,
} from "../engine/engine.ts";
import { DecideError, textOfCause } from "../../errors.ts";
import type { Platform } from "../platform/platform.ts";
import { startWorkerEngine } from "../worker/worker-engine.ts";
import { Turns, type Taker } from "./turns.ts";

export interface PoolOptions extends EngineOptions {
  /** Default: 1. */
  readonly workers?: number;
  /** On the caller's own thread rather than in a worker. */
  readonly inline: boolean;
  readonly assets: string | undefined;
  readonly onProgress: OnProgress | undefined;
}

/** A state that an engine of a pool keeps read. */
export interface PinInPool extends Pin {
  /** Whether the engine that keeps it is still there. */
  isHere(): boolean;
}

/**
 * The engines of one model, one a worker. A single engine has all calls at once, and runs them one after the other; of several, each has one call at a time.
 * The first engine loads when it is needed, the others once it is there, so that a page downloads the files once. A worker that dies fails its own calls
 * alone.
 */
export class EnginePool implements Scorer {
  readonly #workers: readonly [PoolWorker, ...PoolWorker[]];
  /** Used where there are several workers. */
  readonly #turns: Turns<PoolWorker>;
  readonly #state = { pausedBelow: 0, isClosed: false };
  /** Whether one engine is all that there is, or that the device can use. */
  #isAlone: boolean;

  constructor(platform: Platform, packUrl: string, { workers = 1, ...options }: PoolOptions) {
    const make = (): PoolWorker => new PoolWorker(platform, packUrl, options);
    this.#workers = [make(), ...Array.from({ length: workers - 1 }, make)];
    this.#turns = new Turns(this.#workers, this.#state);
    this.#isAlone = workers === 1;
  }

  async info(signal?: AbortSignal): Promise<EngineInfo> {
    const [first] = this.#workers;
    const { info } = await abortable(first.loaded(), signal);
    this.#isAlone = this.#workers.length === 1 || DEVICES[info.device].isOneForAll === true;
    if (!this.#isAlone) this.#turns.startOthers();
    return info;
  }

  /**
   * Scores a batch, and tells which engine did. Aborting `signal` while the engine loads does not disturb others who wait for it. A batch whose device
   * failed (a GPU that is lost, reset or out of memory) is scored once more on the device's fallback, where the engine then stays.
   */
  async score(batch: Batch, signal?: AbortSignal): Promise<{ readonly info: EngineInfo; readonly scores: BatchScores }> {
    return this.#call(batch, signal, async (engine) => ({ scores: await engine.score(batch, signal), info: engine.info }));
  }

  /** Keeps a state read in one of the engines, the same if one keeps it already. It is lost with the engine. */
  async pin(state: StateToPin, signal?: AbortSignal): Promise<PinInPool> {
    return this.#call(state, signal, async (engine, worker, turns) => {
      const isHere = worker.isSameFromNowOn();
      const pin = await engine.pin(state, signal);
      const forget = turns?.keep(state.state, { worker, isHere });
      const release = (): Promise<void> => {
        forget?.();
        return pin.release();
      };
      return { ...pin, release, isHere };
    });
  }

  /** Bytes kept by all engines that have loaded; the first is loaded for it. */
  async kept(signal?: AbortSignal): Promise<KeptBytes> {
    const [first] = this.#workers;
    const there = this.#workers.filter(({ isReady }) => isReady);
    const keptBy = async (worker: PoolWorker): Promise<KeptBytes> => abortable((await abortable(worker.loaded(), signal)).kept(), signal);
    const all = await Promise.all((there.length > 0 ? there : [first]).map(keptBy));
    const sum = (of: keyof KeptBytes): number => all.reduce((bytes, kept) => bytes + kept[of], 0);
    return { heldBytes: sum("heldBytes"), cachedBytes: sum("cachedBytes"), cacheBytes: sum("cacheBytes") };
  }

  /** Pauses all engines that are loaded. @returns what ends the pause. */
  async pause(priority: number): Promise<() => void> {
    this.#state.pausedBelow = priority;
    const ends = await Promise.all(this.#workers.map((worker) => worker.pause(priority)));
    return () => {
      this.#state.pausedBelow = priority - 1;
      for (const end of ends) end?.();
      this.#turns.goOn();
    };
  }

  /** Workers that have loaded, load, or will do so when they are needed. */
  get workers(): number {
    return this.#isAlone ? 1 : Math.max(1, this.#workers.filter(({ isMissing }) => !isMissing).length);
  }

  /** Workers that have loaded, but at least 1: a call that comes is answered, after the loading. */
  get readyWorkers(): number {
    return Math.max(1, this.#workers.filter(({ isReady }) => isReady).length);
  }

  get workersStarted(): number {
    return this.#workers.reduce((sum, { started }) => sum + started, 0);
  }

  async close(): Promise<void> {
    this.#state.isClosed = true;
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }

  /** Makes a call on the engine whose turn it is, and once more on its device's fallback if the device failed. */
  async #call<T>(
    state: StateToPin,
    signal: AbortSignal | undefined,
    call: (engine: Engine, worker: PoolWorker, turns: Turns<PoolWorker> | undefined) => Promise<T>,
  ): Promise<T> {
    if (!this.#isAlone && !this.#workers.some(({ isReady }) => isReady)) await this.info(signal);
    const turns = this.#isAlone ? undefined : this.#turns;
    const worker = turns === undefined ? this.#workers[0] : await turns.next(state, signal);
    try {
      const engine = await abortable(worker.loaded(), signal);
      try {
        return await call(engine, worker, turns);
      } catch (error) {
        if (!worker.fallBackAfter(error, engine.info.device)) throw error;
        return await call(await abortable(worker.loaded(), signal), worker, turns);
      }
    } catch (error) {
      if (DecideError.isInstance(error) && error.code === "worker_lost") turns?.replace(worker);
      throw error;
    } finally {
      turns?.leave(worker, state.priority);
    }
  }
}

interface Loading {
  readonly engine: Promise<Engine>;
  /** Settles when the engine is lost. */
  readonly gone: Promise<unknown>;
  /** Ends its worker, whatever it does. */
  readonly end: () => Promise<void>;
  isLoaded: boolean;
}

/** A worker of a pool. Its engine is made when it is first used, and made anew when its worker died, its loading failed, or its GPU did. */
class PoolWorker implements Taker {
  readonly priorities: number[] = [];
  lastState: string | undefined;
  isReady = false;
  isMissing = false;
  started = 0;
  readonly #platform: Platform;
  readonly #packUrl: string;
  readonly #options: PoolOptions;
  #wanted: EngineOptions;
  #current: Loading | undefined;

  constructor(platform: Platform, packUrl: string, options: PoolOptions) {
    const { device, precision, threads, cacheBytes } = options;
    this.#platform = platform;
    this.#packUrl = packUrl;
    this.#options = options;
    this.#wanted = { device, precision, threads, cacheBytes };
  }

  loaded(): Promise<Engine> {
    if (this.#current !== undefined) return this.#current.engine;
    const current = this.#load();
    this.#current = current;
    const forget = (): void => {
      if (this.#current === current) this.#current = undefined;
    };
    current.engine.then(({ info }) => {
      current.isLoaded = true;
      this.isReady = true;
      this.isMissing = false;
      this.#platform.onLoaded?.(info);
    }, forget);
    void current.gone.then(forget);
    return current.engine;
  }

  /** @returns whether its engine is still the one that it has now */
  isSameFromNowOn(): () => boolean {
    const current = this.#current;
    return () => current !== undefined && this.#current === current;
  }

  /**
   * After a call that failed with its device, moves to the device's fallback. The first such call does; others that failed with it find it there.
   * @returns whether the call may be made once more
   */
  fallBackAfter(error: unknown, device: Device): boolean {
    const { label, fallback } = DEVICES[device];
    if (fallback === undefined || !DecideError.isInstance(error)) return false;
    const hasFallenBack = this.#wanted.device === fallback;
    // A worker that is lost because another call has just moved to the fallback counts, too.
    if (error.code !== "backend_failed" && !(error.code === "worker_lost" && hasFallenBack)) return false;
    if (hasFallenBack) return true;
    const deviceReason = `${label} failed during a call (${textOfCause(error.cause ?? error)}): the call was answered by ${fallback}`;
    const precision = DEVICES[fallback].precisions.find((one) => one === this.#wanted.precision);
    this.#wanted = { ...this.#wanted, device: fallback, deviceReason, precision };
    // Its worker is ended, not closed: a runtime whose device is gone may never answer.
    void this.#current?.end();
    this.#current = undefined;
    return true;
  }

  /** Pauses the engine, if it is loaded. A worker that is gone runs nothing, and its calls tell. @returns what ends the pause. */
  async pause(priority: number): Promise<(() => void) | undefined> {
    if (this.#current?.isLoaded !== true) return undefined;
    return this.#current.engine.then((engine) => engine.pause(priority)).catch(() => undefined);
  }

  /** Called when no call is pending, so an engine that is still loading is ended instead of awaited, and so is one that does not close. */
  async close(): Promise<void> {
    const current = this.#current;
    if (current?.isLoaded === false) await current.end();
    // A loading that failed left nothing to close, and has told its caller.
    const engine = await current?.engine.catch(() => undefined);
    const inTime = startWatchdog(() => void current?.end());
    try {
      await engine?.close();
    } finally {
      inTime();
    }
  }

  #load(): Loading {
    const { inline, assets, onProgress } = this.#options;
    const { loadInline } = this.#platform;
    if (inline && loadInline !== undefined) {
      const engine = loadInline(this.#packUrl, this.#wanted);
      return { engine, gone: new Promise(() => undefined), end: () => Promise.resolve(), isLoaded: false };
    }
    const worker = this.#platform.startWorker(assets);
    this.started++;
    const engine = startWorkerEngine(worker, this.#packUrl, this.#wanted, onProgress);
    return { engine, gone: worker.gone, end: () => worker.terminate(), isLoaded: false };
  }
}
