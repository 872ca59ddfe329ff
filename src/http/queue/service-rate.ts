/** Work that every request makes, whatever its size, in bytes of a request that would make as much. */
const FIXED_BYTES = 500;
/** What was learnt of a request counts half as much this many requests later. */
const HALF_LIFE_REQUESTS = 16;

/** How long requests take by their size, learnt from those that were answered. */
export class ServiceRate {
  #work = 0;
  #durationMs = 0;

  workOf(sizeBytes: number): number {
    return sizeBytes + FIXED_BYTES;
  }

  learn(sizeBytes: number, durationMs: number): void {
    const kept = 0.5 ** (1 / HALF_LIFE_REQUESTS);
    this.#work = kept * this.#work + this.workOf(sizeBytes);
    this.#durationMs = kept * this.#durationMs + durationMs;
  }

  /** 0 while nothing is known. */
  expectedMs(sizeBytes: number): number {
    return this.#work === 0 ? 0 : (this.workOf(sizeBytes) * this.#durationMs) / this.#work;
  }
}
