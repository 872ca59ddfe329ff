import { abortable } from "./abortable.ts";
import { whenAborted } from "./when-aborted.ts";

/** The usual reason of a signal that was aborted by a timeout. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

export interface TimeoutOptions {
  /** Aborts the task as well, with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Makes the reason of a timeout. Default: a `TimedOut`. */
  readonly reason?: () => Error;
}

/**
 * Runs `task` with a signal that is aborted after `timeoutMs`. The task decides what an abort means: the result is the task's own.
 * @throws `signal.reason` if `signal` is already aborted; the task is then not started.
 */
export async function withTimeout<T>(
  timeoutMs: number,
  task: (signal: AbortSignal) => Promise<T>,
  { signal, reason = () => new TimedOut(`No result within ${timeoutMs} ms`) }: TimeoutOptions = {},
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const timer = setTimeout(() => {
    ending.abort(reason());
  }, timeoutMs);
  const stop =
    signal &&
    whenAborted(signal, () => {
      ending.abort(signal.reason);
    });
  try {
    return await task(ending.signal);
  } finally {
    clearTimeout(timer);
    stop?.();
  }
}

/**
 * The promise's outcome if it settles in time. The promise itself goes on after a timeout.
 * @throws {TimedOut} after `timeoutMs`.
 */
export function settledWithin<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  return withTimeout(timeoutMs, (signal) => abortable(promise, signal));
}
