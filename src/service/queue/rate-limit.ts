import { DecideError } from "../../errors.ts";

const MINUTE_MS = 60_000;

/** Counts the requests of each key in the last minute. */
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
