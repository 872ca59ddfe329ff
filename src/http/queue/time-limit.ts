import { DecideError } from "../../errors.ts";
import type { Issue } from "../../errors.ts";

/**
 * Runs `task` with a signal that aborts with `signal`, or after `limitMs`.
 * @throws {DecideError} `input_too_long` after `limitMs`: one request must not block all others.
 */
export async function withinMs<T>(limitMs: number, signal: AbortSignal, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not AbortSignal.any: on Node 20, the signals it makes live as long as their sources.
  const ending = new AbortController();
  const abort = (): void => {
    ending.abort(signal.reason);
  };
  const timer = setTimeout(() => {
    ending.abort(tooLong(limitMs));
  }, limitMs);
  signal.addEventListener("abort", abort);
  try {
    signal.throwIfAborted();
    return await task(ending.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

function tooLong(limitMs: number): DecideError {
  const issues: Issue[] = [{ loc: ["body"], msg: `takes longer than ${limitMs} ms to answer`, type: "too_long" }];
  const message = `The request takes longer than ${limitMs} ms to answer, the limit of this service. Ask fewer questions at once, or shorten the state.`;
  return new DecideError("input_too_long", message, { issues });
}
