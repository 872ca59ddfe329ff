import { DecideError } from "../../errors.ts";
import { remember } from "./fair-schedule.ts";

/** Share of the deadline that a request may be predicted to wait. The rest absorbs errors of the prediction. */
export const PREDICTED_WAIT_SHARE = 0.8;
/** Share of the deadline that a request may have waited when its turn comes. The rest absorbs an answer that takes longer than predicted. */
export const ACTUAL_WAIT_SHARE = 0.95;

/** The refusal of a request that would be answered too late; undefined if it may go on. One that does not wait is never too late. */
export function refusalOfLate(waitMs: number, expectedMs: number, deadlineMs: number): DecideError | undefined {
  const lateMs = waitMs + expectedMs - deadlineMs;
  if (lateMs <= 0 || waitMs === 0) return undefined;
  return overloaded(`an answer would take longer than ${deadlineMs} ms`, lateMs);
}

const FIXED_BYTES = 500;
/** After this many further requests, an observation has half its weight. */
const HALF_LIFE_REQUESTS = 16;
/** Milliseconds for a byte of work, before anything was observed: about those of two processors. */
const FIRST_GUESS = 0.03;

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

const MINUTE_MS = 60_000;

export class RateLimit {
  /** Times of the last minute's requests by key, oldest first. */
  readonly #times = new Map<string, number[]>();

  /**
   * Counts one request of the key.
   * @throws {DecideError} `overloaded` (429) if there were `requestsPerMinute` within the last minute; the request is not counted then.
   */
  count(key: string, requestsPerMinute: number, nowMs: number): void {
    if (requestsPerMinute === Infinity) return;
    const recent = this.#times.get(key) ?? [];
    this.#times.set(key, recent);
    while (recent[0] !== undefined && recent[0] <= nowMs - MINUTE_MS) recent.shift();
    const [oldest = nowMs] = recent;
    if (recent.length >= requestsPerMinute) {
      // The difference first: it is exact, so that a whole second is not rounded up to the next.
      const retryAfterSeconds = Math.max(1, Math.ceil((MINUTE_MS - (nowMs - oldest)) / 1000));
      const message = `This key has reached its limit of ${requestsPerMinute} requests a minute. Try again in ${retryAfterSeconds} s.`;
      throw new DecideError("overloaded", message, { retryAfterSeconds });
    }
    recent.push(nowMs);
  }
}

/** @param why completes "The service is overloaded: ..." @param afterMs when trying again may help */
export function overloaded(why: string, afterMs: number): DecideError {
  const retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  const message = `The service is overloaded: ${why}. Try again in ${retryAfterSeconds} s.`;
  return new DecideError("overloaded", message, { retryAfterSeconds });
}
