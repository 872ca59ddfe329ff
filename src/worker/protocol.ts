import type { Batch, BatchScores, EngineInfo, EngineOptions } from "../engine/engine.ts";
import type { PlainError } from "../errors.ts";
import type { OnProgress } from "../decider/progress.ts";

/** What crosses the thread line. All of it survives structured cloning; errors cross as data, so that nothing of them is lost. */

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: PlainError };

export interface EngineHost {
  /** Once, first. `packUrl`: the pack's folder. `onProgress` crosses as a comlink proxy. */
  load(packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined): Promise<Outcome<EngineInfo>>;
  /** `call` is the caller's number for it, so that it can be aborted. An aborted call has an outcome that nobody reads. */
  score(call: number, batch: Batch): Promise<Outcome<BatchScores>>;
  abort(call: number): void;
  close(): Promise<Outcome<undefined>>;
}
