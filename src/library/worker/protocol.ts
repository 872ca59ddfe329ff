import type { OnProgress } from "../engine/progress.ts";
import type { Batch, BatchScores, EngineInfo, EngineOptions, Held, KeptBytes, StateToHold } from "../engine/engine.ts";
import type { Outcome } from "./outcome.ts";

/** What crosses of a held state. */
export type HeldFacts = Pick<Held, "tokens" | "bytes">;

/**
 * The calls that cross from the caller's thread to the worker. Arguments and results survive structured cloning. Errors cross as data, so that
 * none of their fields is lost.
 */
export interface EngineHost {
  /**
   * Called once, before any other call. `callerVersion` is the caller's version of umpire: the worker refuses any version but its own. It is the first
   * argument in every version, so that any two versions can compare. `packUrl` is the pack's folder. `onProgress` crosses as a comlink proxy.
   */
  load(callerVersion: string, packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined): Promise<Outcome<EngineInfo>>;
  /** `call` is a number that the caller chooses, for `abort`. Nobody reads the outcome of an aborted call. */
  score(call: number, batch: Batch): Promise<Outcome<BatchScores>>;
  /** As `score`. What is held is released by the call's number. */
  hold(call: number, state: StateToHold): Promise<Outcome<HeldFacts>>;
  /** Releases what a call holds, if it holds anything. */
  release(call: number): Promise<Outcome<void>>;
  kept(): Promise<Outcome<KeptBytes>>;
  abort(call: number): void;
  pause(depth: number): Promise<Outcome<void>>;
  /** Ends the last pause. */
  resume(): void;
  close(): Promise<Outcome<void>>;
}
