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
