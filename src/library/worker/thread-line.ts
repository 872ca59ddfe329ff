import { startWatchdog } from "../async/timeout.ts";
import { DecideError } from "../../errors.ts";
import { valueOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import type { WorkerThread } from "./worker-thread.ts";

/** Calls to a worker: each ends with the worker's answer or, when the worker dies, with `worker_lost`. While calls wait, the program is kept alive. */
export class ThreadLine {
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
