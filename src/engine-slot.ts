import { abortable } from "./abortable.ts";
import type { Engine } from "./engine/engine.ts";
import { DecideError, textOfCause } from "./errors.ts";
import type { EngineOptions, Platform } from "./platform/platform.ts";
import type { OnProgress } from "./progress.ts";
import { WorkerEngine } from "./worker/proxy.ts";

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
  #engine: Promise<Engine> | undefined;

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
      this.#leaveGpu(engine, error);
      return task(await abortable(this.#loaded(), signal));
    }
  }

  async close(): Promise<void> {
    // A loading that failed left nothing to close, and has told its caller.
    const engine = await this.#engine?.catch(() => undefined);
    await engine?.close();
  }

  #loaded(): Promise<Engine> {
    if (this.#engine !== undefined) return this.#engine;
    const { engine, gone } = this.#load();
    const forget = (): void => {
      if (this.#engine === engine) this.#engine = undefined;
    };
    engine.catch(forget);
    void gone.then(forget);
    this.#engine = engine;
    return engine;
  }

  #failedOnGpu(engine: Engine, error: unknown): error is DecideError {
    if (engine.info.device !== "webgpu" || !DecideError.isInstance(error)) return false;
    // Closed, because another call has just moved the slot away from it.
    return error.code === "backend_failed" || (error.code === "closed" && this.#wanted.device === "wasm");
  }

  /** The first of the calls that a GPU failed moves the slot to wasm; the others find it there. */
  #leaveGpu(failed: Engine, error: DecideError): void {
    if (this.#wanted.device === "wasm") return;
    const cause = textOfCause(error.cause ?? error);
    this.#wanted = {
      ...this.#wanted,
      device: "wasm",
      deviceReason: `WebGPU failed during a call (${cause}): the call was answered by wasm`,
    };
    if (this.#wanted.precision === "fp16") this.#wanted = { ...this.#wanted, precision: undefined };
    this.#engine = undefined;
    // What is left of it has nothing more to say.
    void failed.close().catch(() => undefined);
  }

  #load(): LoadingEngine {
    const { inline, assets, onProgress } = this.#options;
    const { loadInline } = this.#platform;
    if (inline && loadInline !== undefined) return { engine: loadInline(this.#packUrl, this.#wanted), gone: new Promise(() => undefined) };
    const worker = this.#platform.startWorker(assets);
    return { engine: WorkerEngine.start(worker, this.#packUrl, this.#wanted, onProgress), gone: worker.gone };
  }
}

interface LoadingEngine {
  readonly engine: Promise<Engine>;
  /** Settles when the engine is lost. */
  readonly gone: Promise<unknown>;
}
