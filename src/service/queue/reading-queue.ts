import { FairSchedule } from "./fair-schedule.ts";
import { waitingTurn, type WaitingTurn } from "./run.ts";

/** After so much reading, everything else on the thread has a turn before the next body. */
const LONGEST_STRETCH_MS = 10;

/** Reads one body at a time, in fair order by key: reading holds the service's own thread, with which it also accepts requests and sends replies. */
export class ReadingQueue {
  readonly #now: () => number;
  readonly #charge: (key: string, ms: number) => void;
  readonly #schedule: FairSchedule<WaitingTurn>;
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
    // Its size tells nothing: each key's time is measured.
    const waiting = waitingTurn({ key, sizeBytes: 0, signal }, 0, this.#now(), (ended) => {
      this.#schedule.remove(ended);
    });
    this.#schedule.add(waiting);
    this.#begin();
    await waiting.begun;
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

  #begin(): void {
    if (this.#isReading) return;
    const next = this.#schedule.next();
    this.#isReading = next !== undefined;
    if (next === undefined) {
      this.#schedule.rest();
      return;
    }
    this.#schedule.begin(next);
    next.begin();
  }

  #next(usedMs: number): void {
    const end = (): void => {
      this.#isReading = false;
      this.#begin();
    };
    const isLast = this.#schedule.size === 0;
    this.#stretchMs += usedMs;
    const givesWay = !isLast && this.#stretchMs >= LONGEST_STRETCH_MS;
    if (isLast || givesWay) this.#stretchMs = 0;
    if (givesWay) setTimeout(end);
    else end();
  }
}
