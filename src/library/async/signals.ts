/**
 * Who waits for each signal. A signal has one listener of ours, however many calls wait for it: Node warns of a leak when it has more than ten. An
 * entry lives for as long as somebody waits.
 */
const WAITING = new WeakMap<AbortSignal, { readonly told: Set<() => void>; readonly tell: () => void }>();

/**
 * Calls `told` once the signal is aborted; not for one that is aborted already.
 * @returns a function that ends the wait. It must be called once nobody waits any more.
 */
export function whenAborted(signal: AbortSignal, told: () => void): () => void {
  const { told: all, tell } = WAITING.get(signal) ?? startWaiting(signal);
  // A function of this wait alone: the same `told` may wait more than once.
  const call = (): void => {
    told();
  };
  all.add(call);
  return () => {
    if (!all.delete(call) || all.size > 0) return;
    WAITING.delete(signal);
    signal.removeEventListener("abort", tell);
  };
}

function startWaiting(signal: AbortSignal): { readonly told: Set<() => void>; readonly tell: () => void } {
  const told = new Set<() => void>();
  const tell = (): void => {
    for (const call of told) call();
  };
  const waiting = { told, tell };
  WAITING.set(signal, waiting);
  signal.addEventListener("abort", tell, { once: true });
  return waiting;
}

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
