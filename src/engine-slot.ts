import { abortable } from "./abortable.ts";
import type { Engine } from "./engine/engine.ts";
import type { LoadOptions } from "./engine/load.ts";
import type { Platform } from "./platform/platform.ts";
import { WorkerEngine } from "./worker/proxy.ts";

export interface SlotOptions extends LoadOptions {
  /** On the caller's own thread rather than in a worker. */
  readonly inline: boolean;
}

/** The place of one model's engine: made when first used, made anew after its worker was lost or its loading failed. */
export class EngineSlot {
  readonly #platform: Platform;
  readonly #packUrl: string;
  readonly #load: LoadOptions;
  readonly #inline: boolean;
  #engine: Promise<Engine> | undefined;

  constructor(platform: Platform, packUrl: string, options: SlotOptions) {
    this.#platform = platform;
    this.#packUrl = packUrl;
    this.#load = { precision: options.precision, threads: options.threads };
    this.#inline = options.inline;
  }

  /** Runs `task` with the engine. Aborting `signal` while the engine loads leaves the loading to others who wait for it. */
  async use<T>(task: (engine: Engine) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return task(await abortable(this.#loaded(), signal));
  }

  async close(): Promise<void> {
    // A loading that failed left nothing to close, and has told its caller.
    const engine = await this.#engine?.catch(() => undefined);
    await engine?.close();
  }

  #loaded(): Promise<Engine> {
    if (this.#engine !== undefined) return this.#engine;
    const { engine, gone } = this.#inline ? this.#loadInline() : this.#loadInWorker();
    const forget = (): void => {
      if (this.#engine === engine) this.#engine = undefined;
    };
    engine.catch(forget);
    void gone.then(forget);
    this.#engine = engine;
    return engine;
  }

  #loadInWorker(): LoadingEngine {
    const worker = this.#platform.startWorker();
    return { engine: WorkerEngine.start(worker, this.#packUrl, this.#load), gone: worker.gone };
  }

  #loadInline(): LoadingEngine {
    // Imported only here, so that the caller's thread does not carry tokenizer and runtime when a worker does the work.
    const load = async (): Promise<Engine> => {
      const [{ loadEngine }, runtime] = await Promise.all([import("./engine/load.ts"), this.#platform.loadRuntime()]);
      return loadEngine(this.#platform.packFiles(this.#packUrl), runtime, this.#load);
    };
    return { engine: load(), gone: new Promise(() => undefined) };
  }
}

interface LoadingEngine {
  readonly engine: Promise<Engine>;
  /** Settles when the engine is lost. */
  readonly gone: Promise<unknown>;
}
