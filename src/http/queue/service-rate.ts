/** Fixed work of every request, expressed as bytes of request size. */
const FIXED_BYTES = 500;
/** After this many further requests, an observation has half its weight. */
const HALF_LIFE_REQUESTS = 16;

/** Predicts how long a request takes from its size: an exponentially weighted average over the requests that were answered. */
export class ServiceRate {
  #work = 0;
  #durationMs = 0;

  /** The work of a request, in bytes. */
  workOf(sizeBytes: number): number {
    return sizeBytes + FIXED_BYTES;
  }

  learn(sizeBytes: number, durationMs: number): void {
    const kept = 0.5 ** (1 / HALF_LIFE_REQUESTS);
    this.#work = kept * this.#work + this.workOf(sizeBytes);
    this.#durationMs = kept * this.#durationMs + durationMs;
  }

  /** 0 before the first observation. */
  expectedMs(sizeBytes: number): number {
    return this.#work === 0 ? 0 : (this.workOf(sizeBytes) * this.#durationMs) / this.#work;
  }
}
