import type { Endpoint } from "comlink";

/** A running worker, as a platform starts it. */
export interface WorkerThread {
  readonly endpoint: Endpoint;
  /** Settles when the worker is gone, with what it died of where that is known: a DecideError where there is something to say to the caller. */
  readonly gone: Promise<unknown>;
  /** Whether the worker keeps the program alive. */
  keepAlive(keep: boolean): void;
  terminate(): Promise<void>;
}
