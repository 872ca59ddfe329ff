import type { Decider } from "../library/decider/decider.ts";

/** Id of a model, or `latest`. */
export type UmpireModelId = "latest" | (string & {});

export interface UmpireProviderOptions {
  /** Answers the calls, and is never closed by them. Default: the decider that all calls of `decide()` share. */
  readonly decider?: Pick<Decider, "decide"> | undefined;
}
