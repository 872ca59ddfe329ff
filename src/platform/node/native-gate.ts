import { setTimeout as sleep } from "node:timers/promises";
import type { PackFiles } from "../../engine/pack/open-pack.ts";
import type { Runtime } from "../../engine/runtime.ts";

/** Cells of the shared memory: how many calls run, and two flags. */
const RUNNING = 0;
const SHUT = 1;
const STARTED = 2;
const CELLS = 3;
/** One run of the model takes milliseconds, as starting does; a thread that is stuck in native code is not waited for. */
const PATIENCE_MS = 10_000;
const POLL_MS = 2;

/**
 * Keeps a worker from being ended inside native code, where onnxruntime's binding would abort the whole process: its callbacks cannot throw
 * once their thread is ending. The worker passes the gate for every native call; who ends the worker shuts it first. Both hold one memory.
 *
 * Nor is a worker ended while it reads files, its own scripts among them: Node would leave them open for as long as the process lives.
 */
export class NativeGate {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  /** The worker's first act, once its scripts are there. */
  started(): void {
    Atomics.store(this.#cells, STARTED, 1);
  }

  /** Runs native code. Once the gate is shut, it never comes back, and runs nothing. */
  async pass<T>(native: () => Promise<T>): Promise<T> {
    // First in, then looked: whoever shuts the gate first shuts it and then looks, so one of the two sees the other.
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

  /** Blocks until no native code runs; none will run again. */
  shut(): void {
    Atomics.store(this.#cells, SHUT, 1);
    const patienceEndsMs = performance.now() + PATIENCE_MS;
    for (let leftMs = PATIENCE_MS; leftMs > 0; leftMs = patienceEndsMs - performance.now()) {
      const running = Atomics.load(this.#cells, RUNNING);
      if (running === 0) return;
      Atomics.wait(this.#cells, RUNNING, running, leftMs);
    }
  }

  /** As `shut`, without blocking, and once the worker has started. @param isGone whether the worker has ended by itself, and is not to be waited for */
  async shutSoon(isGone: () => boolean): Promise<void> {
    Atomics.store(this.#cells, SHUT, 1);
    const patienceEndsMs = performance.now() + PATIENCE_MS;
    while (!this.#isIdle() && !isGone() && performance.now() < patienceEndsMs) await sleep(POLL_MS);
  }

  #isIdle(): boolean {
    return Atomics.load(this.#cells, STARTED) === 1 && Atomics.load(this.#cells, RUNNING) === 0;
  }

  #leave(): void {
    Atomics.sub(this.#cells, RUNNING, 1);
    Atomics.notify(this.#cells, RUNNING);
  }
}

/** The runtime with every native call behind the gate. */
export function gated({ InferenceSession, Tensor }: Runtime, gate: NativeGate): Runtime {
  return {
    Tensor,
    InferenceSession: {
      create: async (graph, options) => {
        const session = await gate.pass(() => InferenceSession.create(graph, options));
        return {
          run: (feeds, fetches) => gate.pass(() => session.run(feeds, fetches)),
          release: () => gate.pass(() => session.release()),
        };
      },
    },
  };
}

/** The files with every read behind the gate. */
export function gatedFiles(files: PackFiles, gate: NativeGate): PackFiles {
  return { ...files, read: (name, listed) => gate.pass(() => files.read(name, listed)) };
}
