import { DecideError } from "../../errors.ts";
import { ServiceRate } from "./service-rate.ts";

/** Of the deadline, what a request is let wait for by the estimate at its arrival: the rest is for what was estimated too low. */
const FORESEEN_SHARE = 0.8;
/** Of the deadline, what a request may have waited for when its turn comes: the rest is for an answer that takes longer than others did. */
const WAITED_SHARE = 0.95;

export interface FairQueueLimits {
  readonly waitingRequests: number;
  readonly waitingBytes: number;
  readonly deadlineMs: number;
}

export interface Turn {
  /** Whose turn: the keys share the time, however much each of them asks. */
  readonly key: string;
  /** Size of the request: what is known beforehand about the work it makes. */
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
}

interface Waiting extends Turn {
  readonly sinceMs: number;
  /** Virtual time at which its turn starts and ends. */
  readonly start: number;
  readonly finish: number;
  begin(): void;
  refuse(error: DecideError): void;
}

/**
 * One request at a time, the keys in turn by the work that each has had: start-time fair queueing (Goyal, Vin, Cheng 1996) with sizes for
 * work. Whoever floods waits behind their own requests. A request whose wait would pass the deadline is refused at once.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #now: () => number;
  readonly #rate = new ServiceRate();
  readonly #waiting = new Set<Waiting>();
  /** Of the last turn that each key had. */
  readonly #lastFinish = new Map<string, number>();
  #virtualTime = 0;
  #running: { readonly sizeBytes: number; readonly sinceMs: number } | undefined;
  #waitingBytes = 0;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(limits: FairQueueLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  get load(): { readonly waiting: number; readonly running: number } {
    return { waiting: this.#waiting.size, running: this.#running === undefined ? 0 : 1 };
  }

  /**
   * Whether a request of this key would be refused whatever its size, before it is read.
   * @throws {DecideError} `overloaded` if so.
   */
  refuseIfHopeless(key: string): void {
    if (this.#running !== undefined) this.#refuseIfLate(0, this.#waitMs(this.#startOf(key)) / FORESEEN_SHARE);
  }

  /**
   * Runs `task` when its turn comes.
   * @throws {DecideError} `overloaded` when the queue is full of others' turns, or the wait would pass the deadline.
   * @throws `signal.reason` once the signal is aborted before the turn began; after that, aborting is the task's own business.
   */
  async run<T>(turn: Turn, task: (queuedMs: number) => Promise<T>): Promise<T> {
    turn.signal.throwIfAborted();
    const askedMs = this.#now();
    if (this.#running !== undefined) await this.#wait(turn, askedMs);
    const { sizeBytes } = turn;
    const sinceMs = this.#now();
    this.#running = { sizeBytes, sinceMs };
    try {
      const result = await task(sinceMs - askedMs);
      this.#rate.learn(sizeBytes, this.#now() - sinceMs);
      return result;
    } finally {
      this.#running = undefined;
      this.#next();
    }
  }

  #wait(turn: Turn, sinceMs: number): Promise<void> {
    const { key, sizeBytes, signal } = turn;
    const start = this.#startOf(key);
    const finish = start + this.#rate.workOf(sizeBytes);
    this.#refuseIfLate(sizeBytes, this.#waitMs(start) / FORESEEN_SHARE);
    this.#makeRoom(sizeBytes, start);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiting);
        this.#waitingBytes -= sizeBytes;
        signal.removeEventListener("abort", abort);
      };
      const abort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        ...turn,
        sinceMs,
        start,
        finish,
        begin: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      this.#waiting.add(waiting);
      this.#waitingBytes += sizeBytes;
      signal.addEventListener("abort", abort);
    });
  }

  /** After the turns that the key had and those that it waits for. Those that it gave up, or was refused, cost it nothing. */
  #startOf(key: string): number {
    let start = Math.max(this.#virtualTime, this.#lastFinish.get(key) ?? 0);
    for (const other of this.#waiting) if (other.key === key) start = Math.max(start, other.finish);
    return start;
  }

  /** Begins the earliest turn that can still keep its deadline. */
  #next(): void {
    for (;;) {
      const next = minBy(this.#waiting, ({ start }) => start);
      if (next === undefined) {
        // Nobody is owed anything any more.
        this.#lastFinish.clear();
        this.#virtualTime = 0;
        return;
      }
      this.#virtualTime = next.start;
      try {
        this.#refuseIfLate(next.sizeBytes, (this.#now() - next.sinceMs) / WAITED_SHARE);
      } catch (error) {
        next.refuse(error as DecideError);
        continue;
      }
      this.#lastFinish.set(next.key, next.finish);
      // Taken until the task's own continuation runs, so that nobody slips in between.
      this.#running = { sizeBytes: next.sizeBytes, sinceMs: this.#now() };
      next.begin();
      return;
    }
  }

  /** How long a turn that starts at `start` would wait, from now on. */
  #waitMs(start: number): number {
    let waitMs = 0;
    if (this.#running !== undefined) {
      const { sizeBytes, sinceMs } = this.#running;
      waitMs += Math.max(0, this.#rate.expectedMs(sizeBytes) - (this.#now() - sinceMs));
    }
    for (const other of this.#waiting) if (other.start <= start) waitMs += this.#rate.expectedMs(other.sizeBytes);
    return waitMs;
  }

  #refuseIfLate(sizeBytes: number, waitMs: number): void {
    const lateMs = waitMs + this.#rate.expectedMs(sizeBytes) - this.#limits.deadlineMs;
    if (lateMs <= 0 || waitMs === 0) return;
    throw this.#overloaded(`an answer would take longer than ${this.#limits.deadlineMs} ms`, lateMs);
  }

  /** Where the queue is full, the turn that is furthest off goes, if it is further off than `start`: it is of whoever asks most. */
  #makeRoom(sizeBytes: number, start: number): void {
    const { waitingRequests, waitingBytes } = this.#limits;
    const isFull = (): boolean => this.#waiting.size >= waitingRequests || this.#waitingBytes + sizeBytes > waitingBytes;
    while (isFull()) {
      const last = minBy(this.#waiting, (waiting) => -waiting.start);
      const full = `${this.#waiting.size} requests wait already`;
      if (last === undefined || last.start <= start) throw this.#overloaded(full, this.#waitMs(Infinity) / 2);
      last.refuse(this.#overloaded(full, this.#waitMs(Infinity) / 2));
    }
  }

  #overloaded(why: string, afterMs: number): DecideError {
    const retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
    return new DecideError("overloaded", `The service has more to do than it can: ${why}. Ask again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    });
  }
}

function minBy<T>(items: Iterable<T>, valueOf: (item: T) => number): T | undefined {
  let least: T | undefined;
  for (const item of items) if (least === undefined || valueOf(item) < valueOf(least)) least = item;
  return least;
}
