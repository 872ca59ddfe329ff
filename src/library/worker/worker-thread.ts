import type { Endpoint } from "comlink";

/** A running worker, as a platform starts it. */
export interface WorkerThread {
  readonly endpoint: Endpoint;
  /** Settles when the worker is gone, with the cause where it is known. A DecideError is passed on to the callers. */
  readonly gone: Promise<unknown>;
  /** Sets whether the worker keeps the program alive. */
  keepAlive(keep: boolean): void;
  terminate(): Promise<void>;
}
