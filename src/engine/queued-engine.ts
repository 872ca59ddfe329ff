import { abortable } from "../async/abortable.ts";
import { DecideError } from "../errors.ts";
import type { Batch, BatchScores, Engine, EngineInfo } from "./engine.ts";

/** A loaded model of any family: it scores one batch at a time. */
export interface Model {
  /** Which of the pack's graphs runs, for `info()`; its file, for messages. */
  readonly graph: string;
  readonly graphFile: string;
  /** @throws {DecideError} `input_too_long`, `backend_failed`. @throws `signal.reason` once `signal` is aborted. */
  score(batch: Batch, signal: AbortSignal | undefined): Promise<BatchScores>;
  /** Frees everything. Called once, when nothing runs any more. */
  release(): Promise<void>;
}

/** The engine around a model: its calls wait for each other, so that only one batch's keys and values are in memory, whatever the load. */
export class QueuedEngine implements Engine {
  readonly info: EngineInfo;
  readonly #model: Model;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(model: Model, info: EngineInfo) {
    this.#model = model;
    this.info = info;
  }

  score(batch: Batch, signal?: AbortSignal): Promise<BatchScores> {
    if (this.#closing !== undefined) return Promise.reject(new DecideError("closed", "The engine is closed."));
    const turn = this.#last.then(() => {
      signal?.throwIfAborted();
      return this.#model.score(batch, signal);
    });
    this.#last = turn.catch(() => undefined);
    // A call that is aborted while it waits for its turn ends at once.
    return abortable(turn, signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#last.then(() => this.#model.release());
    return this.#closing;
  }
}
