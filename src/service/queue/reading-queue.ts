import { FairSchedule } from "./fair-schedule.ts";
import type { ScheduledTurn } from "./fair-schedule.ts";

/** After so much reading, everything else on the thread has a turn before the next body. */
const LONGEST_STRETCH_MS = 10;

interface Waiting extends ScheduledTurn {
  begin(): void;
}

/** Reads one body at a time, in fair order by key: reading holds the service's own thread, with which it also accepts requests and sends replies. */
export class ReadingQueue {
  readonly #now: () => number;
  readonly #charge: (key: string, ms: number) => void;
  readonly #schedule: FairSchedule<Waiting>;
  #isReading = false;
  /** Reading since everything else had its turn. */
  #stretchMs = 0;

  /** @param now milliseconds on a monotonic clock. @param charge is told how long each body took. */
  constructor(now: () => number, charge: (key: string, ms: number) => void) {
    this.#now = now;
    this.#charge = charge;
    this.#schedule = new FairSchedule(now);
  }

  /** Runs `read` when its turn comes. @throws `signal.reason` if the signal is aborted before. */
  async run<T>(key: string, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    await this.#turn(key, signal);
    const sinceMs = this.#now();
    try {
      return await read();
    } finally {
      const usedMs = this.#now() - sinceMs;
      this.#schedule.charge(key, usedMs);
      this.#charge(key, usedMs);
      this.#next(usedMs);
    }
  }

  #turn(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#schedule.remove(waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        key,
        expectedMs: 0,
        begin: () => {
          signal.removeEventListener("abort", abort);
          this.#schedule.begin(waiting);
          resolve();
        },
      };
      this.#schedule.add(waiting);
      signal.addEventListener("abort", abort, { once: true });
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#isReading) return;
    const next = this.#schedule.next();
    this.#isReading = next !== undefined;
    if (next === undefined) this.#schedule.rest();
    else next.begin();
  }

  #next(usedMs: number): void {
    const end = (): void => {
      this.#isReading = false;
      this.#begin();
    };
    this.#stretchMs += usedMs;
    if (this.#schedule.size > 0 && this.#stretchMs < LONGEST_STRETCH_MS) {
      end();
      return;
    }
    this.#stretchMs = 0;
    if (this.#schedule.size === 0) end();
    else setTimeout(end);
  }
}
