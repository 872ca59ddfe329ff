import { withTimeout } from "../../async/timeout.ts";
import { DecideError } from "../../errors.ts";
import type { Issue } from "../../errors.ts";

/**
 * Runs `task` with a signal that is aborted after `limitMs`, or with `signal`.
 * @throws {DecideError} `input_too_long` after `limitMs`: one request must not block all others.
 */
export function withinMs<T>(limitMs: number, signal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withTimeout(limitMs, task, { signal, reason: () => tooLong(limitMs) });
}

function tooLong(limitMs: number): DecideError {
  const issues: Issue[] = [{ loc: ["body"], msg: `takes longer than ${limitMs} ms to answer`, type: "too_long" }];
  const message = `The request takes longer than ${limitMs} ms to answer, the limit of this service. Ask fewer questions at once, or shorten the state.`;
  return new DecideError("input_too_long", message, { issues });
}
