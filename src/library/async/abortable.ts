import { whenAborted } from "./when-aborted.ts";

/**
 * The promise's outcome, or a rejection with `signal.reason` as soon as the signal is aborted. The promise itself goes on: use `onAbort` to
 * stop what it stands for.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined, onAbort?: () => void): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = whenAborted(signal, () => {
      onAbort?.();
      reject(signal.reason as Error);
    });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop();
  }
}
