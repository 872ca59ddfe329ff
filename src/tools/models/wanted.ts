import type { Engines } from "./engines.ts";
import type { Stated } from "./pair-kind.ts";
import type { ModelSource } from "./source.ts";

/** What is to be made of a model. */
export interface Wanted extends Stated {
  readonly id: string;
  /** Where the pack goes: a folder that is not there yet. */
  readonly folder: string;
  /** Graphs in the source, one for each precision. None: the one that fits this processor. */
  readonly graphs: readonly string[];
  /** As a person knows it. Default: what the source says. */
  readonly licence?: string | undefined;
}

/** What the program lends. */
export interface Adding {
  readonly engines: Engines;
  /** Asked before large files are fetched. @throws {AddingFailed} if they are not wanted */
  readonly confirm: (source: ModelSource, fetchedBytes: number) => Promise<void>;
  /** What begins now, in a few words. */
  readonly onStep: (step: string) => void;
  readonly signal?: AbortSignal;
}
