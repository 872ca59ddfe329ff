import * as Comlink from "comlink";
import { abortable } from "../async/signals.ts";
import type { OnProgress, Progress } from "../engine/progress.ts";
import type { Batch, BatchScores, Engine, EngineInfo, EngineOptions, Held, KeptBytes, StateToHold } from "../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import { version } from "../../version.ts";
import type { EngineHost } from "./protocol.ts";
import { ThreadLine } from "./thread-line.ts";
import type { WorkerThread } from "./worker-thread.ts";

/**
 * An engine in a worker. When the worker dies, its waiting calls are rejected with `worker_lost` and the engine is `lost`: the next call needs a
 * new engine.
 */
export class WorkerEngine implements Engine {
  readonly info: EngineInfo;
  readonly #host: Comlink.Remote<EngineHost>;
  readonly #worker: WorkerThread;
  readonly #line: ThreadLine;
  #calls = 0;
  #closing: Promise<void> | undefined;

  private constructor(worker: WorkerThread, host: Comlink.Remote<EngineHost>, line: ThreadLine, info: EngineInfo) {
    this.#worker = worker;
    this.#host = host;
    this.#line = line;
    this.info = info;
  }

  /**
   * Loads an engine in a worker that has just started. The worker is ended when that fails.
   * @throws {DecideError} the error of the engine's loading; `backend_unavailable` when the worker's script has another version; `worker_lost`
   */
  static async start(worker: WorkerThread, packUrl: string, options: EngineOptions, onProgress?: OnProgress): Promise<WorkerEngine> {
    const host = Comlink.wrap<EngineHost>(worker.endpoint);
    const line = new ThreadLine(worker);
    try {
      // What the caller's function throws is an uncaught error of the caller's, not an error of the call.
      const tell = (progress: Progress): void => {
        queueMicrotask(() => {
          onProgress?.(progress);
        });
      };
      const watched = onProgress && Comlink.proxy(tell);
      const info = await line.call(() => host.load(version, packUrl, options, watched));
      return new WorkerEngine(worker, host, line, info);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  /** True once the worker is gone. */
  get lost(): boolean {
    return this.#line.lost;
  }

  async score(batch: Batch, signal?: AbortSignal): Promise<BatchScores> {
    return this.#call(signal, (call) => this.#line.call(() => this.#host.score(call, batch)));
  }

  async hold(state: StateToHold, signal?: AbortSignal): Promise<Held> {
    const hold = async (call: number): Promise<Held> => {
      const facts = await this.#line.call(() => this.#host.hold(call, state));
      // Once the worker is gone, nothing is held. After closing, nothing either.
      const release = once(() =>
        this.#closing === undefined ? this.#line.call(() => this.#host.release(call)).catch(() => undefined) : Promise.resolve(),
      );
      // The abort may have come when the state was read.
      if (signal?.aborted) await release();
      return { ...facts, release };
    };
    return this.#call(signal, hold);
  }

  async kept(): Promise<KeptBytes> {
    return this.#line.call(() => this.#host.kept());
  }

  async pause(depth: number): Promise<() => void> {
    await this.#line.call(() => this.#host.pause(depth));
    return () => void this.#host.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** A call that the signal ends here at once, and in the worker at its next run. */
  async #call<T>(signal: AbortSignal | undefined, ask: (call: number) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#closing !== undefined) throw new DecideError("closed", "The engine is closed.");
    const call = this.#calls++;
    const answered = ask(call);
    return abortable(answered, signal, () => {
      void this.#host.abort(call);
      this.#line.endUnless(answered);
    });
  }

  async #close(): Promise<void> {
    try {
      await this.#line.call(() => this.#host.close());
    } catch (error) {
      // A worker that is dead has freed everything, too.
      if (!this.lost) throw error;
    } finally {
      await this.#worker.terminate();
    }
  }
}

/** The function, which runs once, however often it is called. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= run());
}
