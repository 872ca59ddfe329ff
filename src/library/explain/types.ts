import type { Answer, DecideOptions, DecideResponse } from "../decide/types.ts";

/** `decide` of a decider. */
export type Decide = (request: unknown, options?: DecideOptions) => Promise<DecideResponse>;

export interface ExplainOptions {
  /** Ends the call: it rejects with `signal.reason`. Example: `AbortSignal.timeout(5000)`. */
  readonly signal?: AbortSignal | undefined;
  /** How many passages the state is divided into at most, 1 to 1,000. Each is one more reading of the state. Default: 32. */
  readonly maxPassages?: number | undefined;
}

/** A sentence or a line of the state; of a long state, several. */
export interface Passage {
  /** Where it begins in `text`, in UTF-16 code units, as for `text.slice(start, end)`. */
  readonly start: number;
  /** Where it ends; the white space after it is part of it. */
  readonly end: number;
  /**
   * `logOdds` minus the log-odds of the same answer with this passage left out. Above 0: the passage speaks for the answer; below 0: against it. Example:
   * 0.69, ln 2: with the passage the odds are twice as high.
   */
  readonly change: number;
}

/** Why a question was answered as it was. */
export interface Explanation {
  /** The answer, as `decide` gives it. */
  readonly answer: Answer;
  /** The part of the answer that is explained: of a choice the chosen option; of a noul "true" from 0.5 on, else "false"; of a score the likeliest level, "0" to "n-1". */
  readonly key: string;
  /** ln(p / (1 - p)) for the probability p of `key`, with the whole state read; -27.7 to 27.7. */
  readonly logOdds: number;
  /** The state as the model reads it: a string as it was given, an object or array as text. */
  readonly text: string;
  /** Together they are all of `text`, none overlaps another. The largest change comes first; on a tie, the earlier passage. Empty if the state is. */
  readonly passages: readonly Passage[];
  /** How often the state was read: once as a whole, and once without each passage. */
  readonly readings: number;
}
