import { setTimeout as sleep } from "node:timers/promises";
import type { Runtime } from "../engine/runtime.ts";

/** Cells of the shared memory. */
const RUNNING = 0;
const SHUT = 1;
/** One run of the model takes milliseconds; a thread that is stuck in native code is not waited for. */
const PATIENCE_MS = 10_000;
const POLL_MS = 2;

/**
 * Keeps a worker from being ended inside native code, where onnxruntime's binding would abort the whole process: its callbacks cannot throw
 * once their thread is ending. The worker passes the gate for every native call; who ends the worker shuts it first. Both hold one memory.
 */
export class NativeGate {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  /** Runs native code, one call at a time. Once the gate is shut, the thread stops here for good. */
  async pass<T>(native: () => Promise<T>): Promise<T> {
    // First in, then looked: whoever shuts the gate first shuts it and then looks, so one of the two sees the other.
    Atomics.store(this.#cells, RUNNING, 1);
    if (Atomics.load(this.#cells, SHUT) === 1) {
      this.#leave();
      Atomics.wait(this.#cells, SHUT, 1);
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
    Atomics.wait(this.#cells, RUNNING, 1, PATIENCE_MS);
  }

  /** As `shut`, without blocking. */
  async shutSoon(): Promise<void> {
    Atomics.store(this.#cells, SHUT, 1);
    const patienceEndsMs = performance.now() + PATIENCE_MS;
    while (Atomics.load(this.#cells, RUNNING) === 1 && performance.now() < patienceEndsMs) await sleep(POLL_MS);
  }

  #leave(): void {
    Atomics.store(this.#cells, RUNNING, 0);
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
