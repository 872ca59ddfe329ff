import type { DecideError } from "../../errors.ts";
import { overloaded } from "./overloaded.ts";

/** Share of the deadline that a request may be predicted to wait. The rest absorbs errors of the prediction. */
const PREDICTED_WAIT_SHARE = 0.8;
/** Share of the deadline that a request may have waited when its turn comes. The rest absorbs an answer that takes longer than predicted. */
const ACTUAL_WAIT_SHARE = 0.95;

/** The time from a request's arrival to its answer. */
export class Deadline {
  readonly #limitMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** The refusal of a request that arrives and would be answered too late; undefined if it may wait. */
  refusalOnArrival(predictedWaitMs: number, expectedMs: number): DecideError | undefined {
    return this.#refusal(predictedWaitMs / PREDICTED_WAIT_SHARE, expectedMs);
  }

  /** The refusal of a request whose turn comes too late; undefined if it may begin. */
  refusalOfTurn(waitedMs: number, expectedMs: number): DecideError | undefined {
    return this.#refusal(waitedMs / ACTUAL_WAIT_SHARE, expectedMs);
  }

  /** A request that does not wait is never too late. */
  #refusal(waitMs: number, expectedMs: number): DecideError | undefined {
    const lateMs = waitMs + expectedMs - this.#limitMs;
    if (lateMs <= 0 || waitMs === 0) return undefined;
    return overloaded(`an answer would take longer than ${this.#limitMs} ms`, lateMs);
  }
}
