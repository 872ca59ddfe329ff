/**
 * Who waits for each signal. A signal has one listener of ours, however many calls wait for it: Node warns of a leak when it has more than ten. An
 * entry lives for as long as somebody waits.
 */
const WAITING = new WeakMap<AbortSignal, { readonly all: Set<() => void>; readonly tell: () => void }>();

/**
 * Calls `told` once the signal is aborted; not for one that is aborted already.
 * @returns a function that ends the wait. It must be called once nobody waits any more.
 */
export function whenAborted(signal: AbortSignal, told: () => void): () => void {
  let waiting = WAITING.get(signal);
  if (waiting === undefined) {
    const calls = new Set<() => void>();
    const tellAll = (): void => {
      for (const call of calls) call();
    };
    waiting = { all: calls, tell: tellAll };
    WAITING.set(signal, waiting);
    signal.addEventListener("abort", tellAll, { once: true });
  }
  const { all, tell } = waiting;
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

/**
 * The promise's outcome, or a rejection with `signal.reason` as soon as the signal is aborted. The promise itself goes on: use `onAbort` to
 * stop what it stands for.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined, onAbort?: () => void): Promise<T> {
  if (signal === undefined) return promise;
  // Nobody waits for it: where it fails, that must not end the program.
  if (signal.aborted) promise.catch(() => undefined);
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

/** A promise did not settle in time. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

/**
 * The promise's outcome if it settles in time. The promise itself goes on after a timeout.
 * @throws {TimedOut} after `timeoutMs`.
 */
export async function settledWithin<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TimedOut(`No result within ${timeoutMs} ms`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
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

/** Work that never yields holds a page's own events up. It gets so long at a time, in ms. */
const SLICE_MS = 12;

/** Lets a long computation give way to others on its thread, and hear of an abort. */
export class Yielder {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  get isDue(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** @throws `signal.reason` once the signal is aborted. */
  async toEventLoop(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
