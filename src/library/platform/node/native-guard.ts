import { setTimeout as sleep } from "node:timers/promises";
import type { PackFiles } from "../../engine/pack/open-pack.ts";
import { withSessions, type Runtime } from "../../engine/runtime.ts";

/** Cells of the shared memory: the number of native calls that run, and two flags. */
const RUNNING = 0;
const SHUT = 1;
const STARTED = 2;
const CELLS = 3;
/** A run of the model takes milliseconds, and so does starting. A thread that is in native code for longer is taken to be stuck. */
const LONGEST_WAIT_MS = 10_000;
const POLL_MS = 2;
/** How often to look after a thread that is stuck. */
const LATE_POLL_MS = 1000;

/**
 * Keeps a worker from being ended inside native code. onnxruntime's binding would abort the whole process there, because its callbacks cannot throw
 * into a thread that is ending. The worker makes every native call under the guard; the thread that ends the worker shuts it first. Both threads
 * hold the same memory.
 *
 * File reads are under the guard, too, and so does the start of the worker, when it reads its scripts: Node leaves files open that a worker was reading
 * when it was ended.
 */
export class NativeGuard {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;
  readonly #now: () => number;
  #longestWaitMs: number;

  /**
   * @param longestWaitMs how long `shut` and `shutSoon` wait at most
   * @param now the time in ms
   */
  constructor(
    memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT),
    longestWaitMs = LONGEST_WAIT_MS,
    now = () => performance.now(),
  ) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
    this.#longestWaitMs = longestWaitMs;
    this.#now = now;
  }

  /** The worker's first act, once its scripts are loaded. */
  started(): void {
    Atomics.store(this.#cells, STARTED, 1);
  }

  /** Runs native code. Once the guard is shut, `native` is not run and the promise never settles. */
  async run<T>(native: () => Promise<T>): Promise<T> {
    // This side counts itself in and then reads the flag; the other side sets the flag and then reads the count. So one of the two sees the other.
    Atomics.add(this.#cells, RUNNING, 1);
    if (Atomics.load(this.#cells, SHUT) === 1) {
      this.#leave();
      return new Promise(() => undefined);
    }
    try {
      return await native();
    } finally {
      this.#leave();
    }
  }

  /** Blocks until no native code runs, or for that long. Native code starts no more. @returns whether none runs */
  shut(): boolean {
    Atomics.store(this.#cells, SHUT, 1);
    const endsMs = this.#now() + this.#longestWaitMs;
    for (let leftMs = this.#longestWaitMs; leftMs > 0; leftMs = endsMs - this.#now()) {
      const running = Atomics.load(this.#cells, RUNNING);
      if (running === 0) return true;
      Atomics.wait(this.#cells, RUNNING, running, leftMs);
    }
    return !this.#isRunning();
  }

  /**
   * Like `shut`, but does not block, and waits for the worker's start as well.
   * @param isGone whether the worker has ended by itself, so that there is nothing to wait for
   * @returns whether no native code runs
   */
  async shutSoon(isGone: () => boolean): Promise<boolean> {
    Atomics.store(this.#cells, SHUT, 1);
    const endsMs = this.#now() + this.#longestWaitMs;
    while (!this.#isIdle() && !isGone() && this.#now() < endsMs) await sleep(POLL_MS);
    // A thread that ended inside native code never says that this has returned.
    if (isGone()) return true;
    // It is not waited for a second time.
    if (this.#isRunning()) this.#longestWaitMs = 0;
    return !this.#isRunning();
  }

  /** Waits for as long as native code runs. The wait keeps no program alive. */
  async free(): Promise<void> {
    while (this.#isRunning()) await sleep(LATE_POLL_MS, undefined, { ref: false });
  }

  #isIdle(): boolean {
    return Atomics.load(this.#cells, STARTED) === 1 && !this.#isRunning();
  }

  #isRunning(): boolean {
    return Atomics.load(this.#cells, RUNNING) !== 0;
  }

  #leave(): void {
    Atomics.sub(this.#cells, RUNNING, 1);
    Atomics.notify(this.#cells, RUNNING);
  }
}

/** The runtime with every native call under the guard. */
export function guarded({ InferenceSession, Tensor }: Runtime, guard: NativeGuard): Runtime {
  const create: typeof InferenceSession.create = (graph, options) => guard.run(() => InferenceSession.create(graph, options));
  return withSessions({ Tensor, InferenceSession: { create } }, (session) => ({
    run: (feeds, fetches) => guard.run(() => session.run(feeds, fetches)),
    release: () => guard.run(() => session.release()),
  }));
}

/** The files with every read under the guard. */
export function guardedFiles(files: PackFiles, guard: NativeGuard): PackFiles {
  return { ...files, read: (name, listed) => guard.run(() => files.read(name, listed)) };
}
