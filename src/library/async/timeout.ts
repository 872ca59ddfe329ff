import { abortable, withAnySignal } from "./signals.ts";

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
  const timing = new AbortController();
  const timer = setTimeout(() => {
    timing.abort(reason());
  }, timeoutMs);
  try {
    return await withAnySignal([signal, timing.signal], task);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The promise's outcome if it settles in time. The promise itself goes on after a timeout.
 * @throws {TimedOut} after `timeoutMs`.
 */
export function settledWithin<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  return withTimeout(timeoutMs, (signal) => abortable(promise, signal));
}

/** How long a worker may take for an answer that is due, in ms. A run of the model, which nothing interrupts, takes a small part of it. */
export const WATCHDOG_MS = 30_000;
/** A caller that was busy itself, or held by a debugger, reads what has come meanwhile only after its timers. It gets so long for that, in ms. */
const READING_MS = 1000;

/** Calls `giveUp` after `WATCHDOG_MS`. @returns what ends the wait. */
export function startWatchdog(giveUp: () => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, READING_MS);
  }, WATCHDOG_MS - READING_MS);
  return () => {
    clearTimeout(timer);
  };
}
