import type { EngineInfo, Precision } from "../engine/engine.ts";
import type { OnProgress } from "./progress.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions } from "../decide/types.ts";

export interface DeciderOptions {
  /**
   * The model that answers where a request names none: a catalogue id, `latest`, or the place of a pack (on Node a folder's path or `file:` URL, in a
   * browser a URL or a path on the page's origin; a path must hold a slash). Default: `latest`.
   */
  readonly model?: string | URL | undefined;
  /**
   * Where the model runs. Default: `auto`, the fastest there is. On Node that is `cpu`; in a browser `wasm`, or `webgpu` where a measured probe finds it
   * faster. A call whose GPU fails is answered by `wasm`, and `info()` says so.
   */
  readonly device?: "auto" | "cpu" | "webgpu" | "wasm" | undefined;
  /**
   * Arithmetic of the model: on processors `int8`, which is 2 to 3 times faster, or `fp32`, the reference; on WebGPU `fp16`, where the adapter has it,
   * or `fp32`. Default: the first of them.
   */
  readonly precision?: Precision | undefined;
  /**
   * Threads inside one run of the model, 1 to 64. Default: half of the processors, at least 2 and at most 4 where there are as many. In a browser 1, whatever is
   * asked for, unless the page is cross-origin isolated.
   */
  readonly threads?: number | undefined;
  /** Runs the model on the caller's own thread, which it then blocks. Default: false, a worker thread. Node only: a page must stay alive. */
  readonly inline?: boolean | undefined;
  /** Calls that may wait or run at one time, 1 or more; beyond it `overloaded`. Default: 10,000. */
  readonly maxPending?: number | undefined;
  /** Browser only. Folder with the worker, runtime and models (`umpire/` of the package's `dist/`). Default: beside the script. */
  readonly assets?: string | URL | undefined;
  /** Browser only. Told of model and runtime files while they load. What it throws is reported as an uncaught error. Default: nothing. */
  readonly onProgress?: OnProgress | undefined;
  /** Ends the loading, and closes the decider, when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** What answers, and where. */
export type DeciderInfo = EngineInfo;

/** A model that requests may name. */
export interface ModelSummary {
  readonly id: string;
  readonly description: string;
  /** Year, month and day: 2026-11-21. */
  readonly releaseDate: string;
  /** It answers requests that name none, or `latest`. */
  readonly isDefault: boolean;
}

export interface DeciderStats {
  /** Calls that wait or run. */
  readonly pendingCalls: number;
  /** Workers that were started, one a model, and one more for each that was lost. 0 with `inline`. */
  readonly workersStarted: number;
}

export interface Decider extends AsyncDisposable {
  /**
   * Answers every question of the request from its state alone.
   * @throws {DecideError} `invalid_request`, `input_too_long`, `model_not_found`, `model_invalid`, `backend_unavailable`, `backend_failed`, `worker_lost`, `overloaded`, `closed`.
   * @throws `signal.reason` once the signal is aborted.
   */
  decide<const Q extends Questions>(request: DecideRequest<Q>, options?: DecideOptions): Promise<DecideResponse<Q>>;
  /** Facts of the default model, its budgets, and of what runs it. Loads the model if no call has. */
  info(): Promise<DeciderInfo>;
  /** The models that requests may name, newest first. */
  models(): Promise<readonly ModelSummary[]>;
  /** Counts, for whoever watches it. */
  stats(): DeciderStats;
  /** Finishes the calls that were made, refuses later ones with `closed`, frees threads and memory. May be called more than once. */
  close(): Promise<void>;
}

/** A decider that loads its model when it is first used, or at once when it is awaited. */
export interface LazyDecider extends Decider, PromiseLike<Decider> {}
