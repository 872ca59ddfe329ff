import * as Comlink from "comlink";
import { abortable } from "../async/abortable.ts";
import type { Batch, BatchScores, Engine, EngineInfo, EngineOptions } from "../engine/engine.ts";
import { DecideError, fromPlainError } from "../errors.ts";
import type { OnProgress, Progress } from "../decider/progress.ts";
import type { EngineHost, Outcome } from "./protocol.ts";
import type { WorkerThread } from "./worker-thread.ts";

/**
 * An engine in a worker. When the worker dies, the calls that it had are rejected with `worker_lost`, and the engine is `lost`: the next call
 * needs a new one.
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

  /** @throws {DecideError} what loading the engine threw, or `worker_lost`. */
  static async start(worker: WorkerThread, packUrl: string, options: EngineOptions, onProgress?: OnProgress): Promise<WorkerEngine> {
    const host = Comlink.wrap<EngineHost>(worker.endpoint);
    const line = new ThreadLine(worker);
    try {
      // In a task of its own, so that what it throws is the page's uncaught error, and no concern of the worker's.
      const watched =
        onProgress &&
        Comlink.proxy((progress: Progress) => {
          queueMicrotask(() => {
            onProgress(progress);
          });
        });
      return new WorkerEngine(worker, host, line, valueOf(await line.crossing(host.load(packUrl, options, watched))));
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
    signal?.throwIfAborted();
    if (this.#closing !== undefined) throw new DecideError("closed", "The engine is closed.");
    const call = this.#calls++;
    const answered = this.#line.crossing(this.#host.score(call, batch));
    return valueOf(await abortable(answered, signal, () => void this.#host.abort(call)));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      if (!this.lost) valueOf(await this.#line.crossing(this.#host.close()));
    } catch (error) {
      // A worker that died before it was done has freed everything, too.
      if (!this.lost) throw error;
    } finally {
      await this.#worker.terminate();
    }
  }
}

/** Crossings of the thread line: each ends with the worker's outcome or with `worker_lost`, and keeps the program alive until then. */
class ThreadLine {
  lost = false;
  readonly #worker: WorkerThread;
  readonly #waiting = new Set<(error: DecideError) => void>();

  constructor(worker: WorkerThread) {
    this.#worker = worker;
    void worker.gone.then((cause) => {
      this.lost = true;
      for (const reject of this.#waiting) reject(workerLost(cause));
    });
  }

  async crossing<T>(answer: Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (this.lost) throw workerLost(undefined);
    let onDeath: (error: DecideError) => void = () => undefined;
    const death = new Promise<never>((_, reject) => (onDeath = reject));
    this.#waiting.add(onDeath);
    this.#worker.keepAlive(true);
    try {
      return await Promise.race([answer, death]);
    } finally {
      this.#waiting.delete(onDeath);
      if (this.#waiting.size === 0) this.#worker.keepAlive(false);
    }
  }
}

function workerLost(cause: unknown): DecideError {
  if (DecideError.isInstance(cause)) return cause;
  return new DecideError("worker_lost", "The worker that ran the model died before it answered. The next call starts a new one.", {
    cause,
  });
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw fromPlainError(outcome.error);
}
