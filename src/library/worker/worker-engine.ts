import * as Comlink from "comlink";
import { abortable, startWatchdog } from "../async/signals.ts";
import type {
  Batch,
  BatchScores,
  Engine,
  EngineInfo,
  EngineOptions,
  KeptBytes,
  OnProgress,
  Pin,
  Progress,
  StateToPin,
} from "../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import { version } from "../../version.ts";
import { valueOf, type EngineHost, type Outcome, type WorkerThread } from "./protocol.ts";

/**
 * An engine in a worker. When the worker dies, its waiting calls are rejected with `worker_lost` and the engine is `lost`: the next call needs a
 * new engine.
 */
export class WorkerEngine implements Engine {
  readonly info: EngineInfo;
  readonly #host: Comlink.Remote<EngineHost>;
  readonly #worker: WorkerThread;
  readonly #calls: WorkerCalls;
  #made = 0;
  #closing: Promise<void> | undefined;

  private constructor(worker: WorkerThread, host: Comlink.Remote<EngineHost>, calls: WorkerCalls, info: EngineInfo) {
    this.#worker = worker;
    this.#host = host;
    this.#calls = calls;
    this.info = info;
  }

  /**
   * Loads an engine in a worker that has just started. The worker is ended when that fails.
   * @throws {DecideError} the error of the engine's loading; `backend_unavailable` when the worker's script has another version; `worker_lost`
   */
  static async start(worker: WorkerThread, packUrl: string, options: EngineOptions, onProgress?: OnProgress): Promise<WorkerEngine> {
    const host = Comlink.wrap<EngineHost>(worker.endpoint);
    const calls = new WorkerCalls(worker);
    try {
      // What the caller's function throws is an uncaught error of the caller's, not an error of the call.
      const tell = (progress: Progress): void => {
        queueMicrotask(() => {
          onProgress?.(progress);
        });
      };
      const watched = onProgress && Comlink.proxy(tell);
      const info = await calls.call(() => host.load(version, packUrl, options, watched));
      return new WorkerEngine(worker, host, calls, info);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  /** True once the worker is gone. */
  get lost(): boolean {
    return this.#calls.lost;
  }

  async score(batch: Batch, signal?: AbortSignal): Promise<BatchScores> {
    return this.#call(signal, (call) => this.#host.score(call, batch));
  }

  async pin(state: StateToPin, signal?: AbortSignal): Promise<Pin> {
    let own = 0;
    const facts = await this.#call(signal, (call) => this.#host.pin((own = call), state));
    let released: Promise<void> | undefined;
    const release = (): Promise<void> => {
      // Once the worker is gone, nothing is kept. After closing, nothing either.
      if (this.#closing === undefined) released ??= this.#calls.call(() => this.#host.release(own)).catch(() => undefined);
      return released ?? Promise.resolve();
    };
    return { ...facts, release };
  }

  async kept(): Promise<KeptBytes> {
    return this.#calls.call(() => this.#host.kept());
  }

  async pause(priority: number): Promise<() => void> {
    await this.#calls.call(() => this.#host.pause(priority));
    return () => void this.#host.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** A call that the signal ends here at once, and in the worker at its next run. */
  async #call<T>(signal: AbortSignal | undefined, ask: (call: number) => Promise<Outcome<T>>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#closing !== undefined) throw new DecideError("closed", "The engine is closed.");
    const call = this.#made++;
    const answered = this.#calls.call(() => ask(call));
    return abortable(answered, signal, () => {
      void this.#host.abort(call);
      this.#calls.endUnless(answered);
    });
  }

  async #close(): Promise<void> {
    try {
      await this.#calls.call(() => this.#host.close());
    } catch (error) {
      // A worker that is dead has freed everything, too.
      if (!this.lost) throw error;
    } finally {
      await this.#worker.terminate();
    }
  }
}

/** Calls to a worker: each ends with the worker's answer or, when the worker dies, with `worker_lost`. While calls wait, the program is kept alive. */
export class WorkerCalls {
  readonly #worker: WorkerThread;
  readonly #waiting = new Set<(error: DecideError) => void>();
  #death: DecideError | undefined;

  constructor(worker: WorkerThread) {
    this.#worker = worker;
    void worker.gone.then((cause) => {
      this.#death = workerLost(cause);
      for (const reject of this.#waiting) reject(this.#death);
    });
  }

  /** True once the worker is gone. */
  get lost(): boolean {
    return this.#death !== undefined;
  }

  /**
   * The worker's answer to what `ask` sends. Nothing is sent to a worker that is gone.
   * @throws {DecideError} the worker's error; `worker_lost`, or the DecideError that the worker died of
   */
  async call<T>(ask: () => Promise<Outcome<T>>): Promise<T> {
    if (this.#death !== undefined) throw this.#death;
    let onDeath: (error: DecideError) => void = () => undefined;
    // A promise of this call alone: each race against one shared promise would stay in memory until the worker dies.
    const death = new Promise<never>((_, reject) => (onDeath = reject));
    this.#waiting.add(onDeath);
    this.#worker.keepAlive(true);
    try {
      return valueOf(await Promise.race([ask(), death]));
    } finally {
      this.#waiting.delete(onDeath);
      if (this.#waiting.size === 0) this.#worker.keepAlive(false);
    }
  }

  /** Ends the worker if an answer of it, such as that to a call that was aborted, does not come soon. */
  endUnless(answered: Promise<unknown>): void {
    const inTime = startWatchdog(() => void this.#worker.terminate());
    answered.then(inTime, inTime);
  }
}

function workerLost(cause: unknown): DecideError {
  if (DecideError.isInstance(cause)) return cause;
  return new DecideError("worker_lost", "The worker that ran the model died before it answered. Repeat the call: it starts a new worker.", {
    cause,
  });
}
