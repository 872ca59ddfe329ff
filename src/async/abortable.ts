/**
 * The promise's outcome, or a rejection with `signal.reason` as soon as the signal is aborted. The promise itself goes on: use `onAbort` to
 * stop what it stands for.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined, onAbort?: () => void): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  const ended = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => {
      onAbort?.();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true, signal: ended.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    ended.abort();
  }
}
