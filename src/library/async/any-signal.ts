import { whenAborted } from "./when-aborted.ts";

/**
 * Runs a task with a signal that is aborted with the first of some signals, for the same reason.
 * @throws the reason of a signal that is aborted already; the task is then not started.
 */
export async function withAnySignal<T>(
  signals: readonly (AbortSignal | undefined)[],
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Not AbortSignal.any: on Node 20, each signal it makes is kept for as long as its sources live.
  const ending = new AbortController();
  const given = signals.filter((signal) => signal !== undefined);
  for (const signal of given) signal.throwIfAborted();
  const stops = given.map((signal) =>
    whenAborted(signal, () => {
      ending.abort(signal.reason);
    }),
  );
  try {
    return await task(ending.signal);
  } finally {
    for (const stop of stops) stop();
  }
}
