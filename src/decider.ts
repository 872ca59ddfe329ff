import type { EngineInfo, Precision } from "./engine/engine.ts";
import type { DecideRequest, DecideResponse, Questions } from "./types.ts";

export interface DeciderOptions {
  /**
   * The model that answers where a request names none: a catalogue id, `latest`, or the place of a pack (a folder's path or `file:` URL; a path
   * must hold a slash). Default: `latest`.
   */
  readonly model?: string | URL | undefined;
  /** Where the model runs. Default: `auto`, the best there is. On Node: `cpu`. */
  readonly device?: "auto" | "cpu" | "webgpu" | "wasm" | undefined;
  /** Arithmetic of the model: `int8` is 2 to 3 times faster, `fp32` the reference. Default: `int8`. */
  readonly precision?: Precision | undefined;
  /** Threads inside one run of the model, 1 to 64. Default: half of the processors, at least 2 and at most 4 where there are as many. */
  readonly threads?: number | undefined;
  /** Runs the model on the caller's own thread, which it then blocks. Default: false, a worker thread. */
  readonly inline?: boolean | undefined;
  /** Calls that may wait or run at one time, 1 or more; beyond it `overloaded`. Default: 10,000. */
  readonly maxPending?: number | undefined;
  /** Ends the loading, and closes the decider, when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

export interface DecideOptions {
  /** Ends this call, queued or running: it rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** What answers, and where. */
export type DeciderInfo = EngineInfo;

export interface Decider extends AsyncDisposable {
  /**
   * Answers every question of the request from its state alone.
   * @throws {DecideError} `invalid_request`, `input_too_long`, `model_not_found`, `model_invalid`, `backend_unavailable`, `backend_failed`, `worker_lost`, `overloaded`, `closed`.
   * @throws `signal.reason` once the signal is aborted.
   */
  decide<const Q extends Questions>(request: DecideRequest<Q>, options?: DecideOptions): Promise<DecideResponse<Q>>;
  /** Facts of the default model, its budgets, and of what runs it. Loads the model if no call has. */
  info(): Promise<DeciderInfo>;
  /** Finishes the calls that were made, refuses later ones with `closed`, frees threads and memory. May be called more than once. */
  close(): Promise<void>;
}

/** A decider that loads its model when it is first used, or at once when it is awaited. */
export interface LazyDecider extends Decider, PromiseLike<Decider> {}
