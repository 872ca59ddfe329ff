import * as Comlink from "comlink";
import { abortable, startWatchdog } from "../async/signals.ts";
import type { Engine, EngineOptions, OnProgress, Pin, Progress, StateToPin } from "../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import { version } from "../../version.ts";
import { valueOf, type EngineHost, type Outcome, type WorkerThread } from "./protocol.ts";

/**
 * Loads an engine in a worker that has just started. The worker is ended when that fails. When the worker dies, the engine's waiting calls are rejected with
 * `worker_lost`, and the next call needs a new engine.
 * @throws {DecideError} the error of the engine's loading; `backend_unavailable` when the worker's script has another version; `worker_lost`
 */
export async function startWorkerEngine(
  worker: WorkerThread,
  packUrl: string,
  options: EngineOptions,
  onProgress?: OnProgress,
): Promise<Engine> {
  const host = Comlink.wrap<EngineHost>(worker.endpoint);
  const calls = new WorkerCalls(worker);
  let made = 0;
  let closing: Promise<void> | undefined;
  try {
    // An error that the caller's function throws is an uncaught error of the caller's, not an error of the call.
    const tell = (progress: Progress): void => {
      queueMicrotask(() => {
        onProgress?.(progress);
      });
    };
    const info = await calls.call(() => host.load(version, packUrl, options, onProgress && Comlink.proxy(tell)));
    return {
      info,
      score: (batch, signal) => ask(signal, (call) => host.score(call, batch)),
      pin,
      kept: () => calls.call(() => host.kept()),
      async pause(priority) {
        await calls.call(() => host.pause(priority));
        return () => void host.resume();
      },
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }

  async function pin(state: StateToPin, signal?: AbortSignal): Promise<Pin> {
    let own = 0;
    const facts = await ask(signal, (call) => host.pin((own = call), state));
    let released: Promise<void> | undefined;
    const release = (): Promise<void> => {
      // Once the worker is gone, nothing is kept. After closing, nothing either.
      if (closing === undefined) released ??= calls.call(() => host.release(own)).catch(() => undefined);
      return released ?? Promise.resolve();
    };
    return { ...facts, release };
  }

  /** A call that the signal ends here at once, and in the worker at its next run. */
  async function ask<T>(signal: AbortSignal | undefined, send: (call: number) => Promise<Outcome<T>>): Promise<T> {
    signal?.throwIfAborted();
    if (closing !== undefined) throw new DecideError("closed", "The engine is closed.");
    const call = made++;
    const answered = calls.call(() => send(call));
    return abortable(answered, signal, () => {
      void host.abort(call);
      calls.endUnless(answered);
    });
  }

  async function close(): Promise<void> {
    try {
      await calls.call(() => host.close());
    } catch (error) {
      // A worker that is dead has freed everything, too.
      if (!calls.lost) throw error;
    } finally {
      await worker.terminate();
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
    this.#worker.keepAlive?.(true);
    try {
      return valueOf(await Promise.race([ask(), death]));
    } finally {
      this.#waiting.delete(onDeath);
      if (this.#waiting.size === 0) this.#worker.keepAlive?.(false);
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
