import { DecideError } from "../../errors.ts";
import { FairSchedule } from "./fair-schedule.ts";
import type { ScheduledTurn } from "./fair-schedule.ts";
import { ServiceRate } from "./service-rate.ts";

/** Share of the deadline that a request may be predicted to wait. The rest absorbs errors of the prediction. */
const PREDICTED_WAIT_SHARE = 0.8;
/** Share of the deadline that a request may have waited when its turn comes. The rest absorbs an answer that takes longer than predicted. */
const ACTUAL_WAIT_SHARE = 0.95;

export interface FairQueueLimits {
  readonly waitingRequests: number;
  readonly waitingBytes: number;
  readonly deadlineMs: number;
}

export interface Turn {
  /** Keys share the time fairly, however many requests each of them sends. */
  readonly key: string;
  /** Size of the request: what is known in advance about the work it causes. */
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
}

interface Waiting extends ScheduledTurn {
  readonly sinceMs: number;
  /** Ends the wait, for the turn to begin. */
  begin(): void;
  /** Ends the wait with an error. */
  reject(error: DecideError): void;
}

/** Runs one request at a time, in fair order by key. A request whose wait would exceed the deadline is refused at once. */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #now: () => number;
  readonly #rate = new ServiceRate();
  readonly #schedule = new FairSchedule<Waiting>();
  #running: { readonly sizeBytes: number; readonly sinceMs: number } | undefined;

  /** @param now milliseconds on a monotonic clock. */
  constructor(limits: FairQueueLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  get load(): { readonly waiting: number; readonly running: number } {
    return { waiting: this.#schedule.size, running: this.#running === undefined ? 0 : 1 };
  }

  /**
   * Lets a service refuse a request before it reads it.
   * @throws {DecideError} `overloaded` if even the smallest request of this key would be refused now.
   */
  checkAdmission(key: string): void {
    if (this.#running !== undefined) throwIfDefined(this.#tooLate(0, this.#waitMs(this.#schedule.startOf(key)) / PREDICTED_WAIT_SHARE));
  }

  /**
   * Runs `task` when its turn comes.
   * @throws {DecideError} `overloaded` if the queue is full of turns that are due earlier, or if the wait would exceed the deadline.
   * @throws `signal.reason` if the signal is aborted before the turn begins. After that, the task handles the signal itself.
   */
  async run<T>(turn: Turn, task: (queuedMs: number) => Promise<T>): Promise<T> {
    turn.signal.throwIfAborted();
    const arrivedMs = this.#now();
    if (this.#running !== undefined) await this.#wait(turn, arrivedMs);
    const { sizeBytes } = turn;
    const sinceMs = this.#now();
    this.#running = { sizeBytes, sinceMs };
    try {
      const result = await task(sinceMs - arrivedMs);
      this.#rate.learn(sizeBytes, this.#now() - sinceMs);
      return result;
    } finally {
      this.#running = undefined;
      this.#beginNext();
    }
  }

  #wait({ key, sizeBytes, signal }: Turn, sinceMs: number): Promise<void> {
    const start = this.#schedule.startOf(key);
    const finish = start + this.#rate.workOf(sizeBytes);
    throwIfDefined(this.#tooLate(sizeBytes, this.#waitMs(start) / PREDICTED_WAIT_SHARE));
    this.#makeRoom(sizeBytes, start);
    return new Promise((resolve, reject) => {
      const stopListening = (): void => {
        signal.removeEventListener("abort", abort);
      };
      const leave = (error: Error): void => {
        this.#schedule.remove(waiting);
        stopListening();
        reject(error);
      };
      const abort = (): void => {
        leave(signal.reason as Error);
      };
      const begin = (): void => {
        this.#schedule.begin(waiting);
        stopListening();
        resolve();
      };
      const waiting: Waiting = { key, sizeBytes, sinceMs, start, finish, begin, reject: leave };
      this.#schedule.add(waiting);
      signal.addEventListener("abort", abort);
    });
  }

  /** Begins the next turn that can still meet its deadline, and rejects those before it. */
  #beginNext(): void {
    let next: Waiting | undefined;
    while ((next = this.#schedule.next()) !== undefined) {
      const { sizeBytes, sinceMs } = next;
      const late = this.#tooLate(sizeBytes, (this.#now() - sinceMs) / ACTUAL_WAIT_SHARE);
      if (late === undefined) {
        // The turn's own continuation runs later. Until then, no other request may begin.
        this.#running = { sizeBytes, sinceMs: this.#now() };
        next.begin();
        return;
      }
      next.reject(late);
    }
    this.#schedule.reset();
  }

  /** Predicted wait of a turn with this virtual start, from now on. */
  #waitMs(start: number): number {
    let waitMs = 0;
    if (this.#running !== undefined) {
      const { sizeBytes, sinceMs } = this.#running;
      waitMs += Math.max(0, this.#rate.expectedMs(sizeBytes) - (this.#now() - sinceMs));
    }
    for (const { sizeBytes } of this.#schedule.turnsBefore(start)) waitMs += this.#rate.expectedMs(sizeBytes);
    return waitMs;
  }

  /** An error if the answer would come after the deadline. A request that does not wait is never too late. */
  #tooLate(sizeBytes: number, waitMs: number): DecideError | undefined {
    const lateMs = waitMs + this.#rate.expectedMs(sizeBytes) - this.#limits.deadlineMs;
    if (lateMs <= 0 || waitMs === 0) return undefined;
    return overloaded(`an answer would take longer than ${this.#limits.deadlineMs} ms`, lateMs);
  }

  /** If the queue is full, rejects the last turn in it, which belongs to the heaviest caller; or throws if the new turn would be the last. */
  #makeRoom(sizeBytes: number, start: number): void {
    const { waitingRequests, waitingBytes } = this.#limits;
    while (this.#schedule.size >= waitingRequests || this.#schedule.waitingBytes + sizeBytes > waitingBytes) {
      const full = overloaded(`${this.#schedule.size} requests are waiting already`, this.#waitMs(Infinity) / 2);
      const last = this.#schedule.last();
      if (last === undefined || last.start <= start) throw full;
      last.reject(full);
    }
  }
}

function overloaded(why: string, afterMs: number): DecideError {
  const retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  const message = `The service is overloaded: ${why}. Try again in ${retryAfterSeconds} s.`;
  return new DecideError("overloaded", message, { retryAfterSeconds });
}

function throwIfDefined(error: DecideError | undefined): void {
  if (error !== undefined) throw error;
}
