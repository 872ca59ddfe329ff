import { remember } from "./remember.ts";

/** Fixed work of every request, expressed as bytes of request size. */
const FIXED_BYTES = 500;
/** After this many further requests, an observation has half its weight. */
const HALF_LIFE_REQUESTS = 16;
/** Milliseconds for a byte of work, before anything was observed: about those of two processors. */
const FIRST_GUESS = 0.03;

/** An exponentially weighted average of observations. */
interface Average {
  work: number;
  durationMs: number;
}

/**
 * Predicts how long a request takes from its size and its key. One byte may cost fifty times as much as another, by what it says; so each key is judged by its own
 * requests. A key without any is judged by the average of all requests, each with the same weight: a few huge ones tell little about others.
 */
export class ServiceRate {
  readonly #byKey = new Map<string, Average>();
  readonly #ofAll: Average = { work: 0, durationMs: 0 };

  learn(key: string, sizeBytes: number, durationMs: number): void {
    const work = sizeBytes + FIXED_BYTES;
    const own = this.#byKey.get(key) ?? { work: 0, durationMs: 0 };
    average(own, work, durationMs);
    average(this.#ofAll, 1, durationMs / work);
    remember(this.#byKey, key, own);
  }

  /** Learns from a request that was stopped: it takes at least so long. */
  learnAtLeast(key: string, sizeBytes: number, durationMs: number): void {
    if (durationMs > this.expectedMs(key, sizeBytes)) this.learn(key, sizeBytes, durationMs);
  }

  expectedMs(key: string, sizeBytes: number): number {
    const { work, durationMs } = this.#byKey.get(key) ?? this.#ofAll;
    return (sizeBytes + FIXED_BYTES) * (work === 0 ? FIRST_GUESS : durationMs / work);
  }
}

function average(past: Average, work: number, durationMs: number): void {
  const kept = 0.5 ** (1 / HALF_LIFE_REQUESTS);
  past.work = kept * past.work + work;
  past.durationMs = kept * past.durationMs + durationMs;
}
