import { abortable } from "../async/abortable.ts";
import type { Engine, EngineOptions } from "../engine/engine.ts";
import { DecideError, textOfCause } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import type { OnProgress } from "./progress.ts";
import { WorkerEngine } from "../worker/proxy.ts";

export interface SlotOptions extends EngineOptions {
  /** On the caller's own thread rather than in a worker. */
  readonly inline: boolean;
  readonly assets: string | undefined;
  readonly onProgress: OnProgress | undefined;
}

/** The place of one model's engine: made when first used, made anew after its worker was lost, its loading failed, or its GPU did. */
export class EngineSlot {
  readonly #platform: Platform;
  readonly #packUrl: string;
  readonly #options: SlotOptions;
  #wanted: EngineOptions;
  #workersStarted = 0;
  #current: LoadingEngine | undefined;

  constructor(platform: Platform, packUrl: string, options: SlotOptions) {
    const { device, precision, threads } = options;
    this.#platform = platform;
    this.#packUrl = packUrl;
    this.#options = options;
    this.#wanted = { device, precision, threads };
  }

  /**
   * Runs `task` with the engine. Aborting `signal` while the engine loads leaves the loading to others who wait for it. A task whose GPU fails
   * (lost, reset, out of memory) runs once more, on wasm, where the engine then stays.
   */
  async use<T>(task: (engine: Engine) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const engine = await abortable(this.#loaded(), signal);
    try {
      return await task(engine);
    } catch (error) {
      if (!this.#failedOnGpu(engine, error)) throw error;
      this.#leaveGpu(error);
      return task(await abortable(this.#loaded(), signal));
    }
  }

  /** Workers that this place has had. */
  get workersStarted(): number {
    return this.#workersStarted;
  }

  /** Called when nobody waits for an answer any more: an engine that is still on its way is not waited for, either. */
  async close(): Promise<void> {
    const current = this.#current;
    if (current?.ready === false) await current.end();
    // A loading that failed left nothing to close, and has told its caller.
    const engine = await current?.engine.catch(() => undefined);
    await engine?.close();
  }

  #loaded(): Promise<Engine> {
    if (this.#current !== undefined) return this.#current.engine;
    const current = this.#load();
    const forget = (): void => {
      if (this.#current === current) this.#current = undefined;
    };
    current.engine.then(() => (current.ready = true), forget);
    void current.gone.then(forget);
    this.#current = current;
    return current.engine;
  }

  #failedOnGpu(engine: Engine, error: unknown): error is DecideError {
    if (engine.info.device !== "webgpu" || !DecideError.isInstance(error)) return false;
    // Lost with its worker, because another call has just moved the slot away from it.
    return error.code === "backend_failed" || (error.code === "worker_lost" && this.#wanted.device === "wasm");
  }

  /** The first of the calls that a GPU failed moves the slot to wasm; the others find it there. */
  #leaveGpu(error: DecideError): void {
    if (this.#wanted.device === "wasm") return;
    const cause = textOfCause(error.cause ?? error);
    this.#wanted = {
      ...this.#wanted,
      device: "wasm",
      deviceReason: `WebGPU failed during a call (${cause}): the call was answered by wasm`,
    };
    if (this.#wanted.precision === "fp16") this.#wanted = { ...this.#wanted, precision: undefined };
    // Its worker is ended, not closed: a runtime whose device is gone may never answer.
    void this.#current?.end();
    this.#current = undefined;
  }

  #load(): LoadingEngine {
    const { inline, assets, onProgress } = this.#options;
    const { loadInline } = this.#platform;
    if (inline && loadInline !== undefined) {
      const engine = loadInline(this.#packUrl, this.#wanted);
      return { engine, gone: new Promise(() => undefined), end: () => Promise.resolve(), ready: false };
    }
    const worker = this.#platform.startWorker(assets);
    this.#workersStarted++;
    const engine = WorkerEngine.start(worker, this.#packUrl, this.#wanted, onProgress);
    return { engine, gone: worker.gone, end: () => worker.terminate(), ready: false };
  }
}

interface LoadingEngine {
  readonly engine: Promise<Engine>;
  /** Settles when the engine is lost. */
  readonly gone: Promise<unknown>;
  /** Ends its worker, whatever it does. */
  end(): Promise<void>;
  ready: boolean;
}
