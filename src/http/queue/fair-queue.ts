import { DecideError } from "../../errors.ts";
import { FairSchedule } from "./fair-schedule.ts";
import type { ScheduledTurn } from "./fair-schedule.ts";
import { Run } from "./run.ts";
import type { Turn } from "./run.ts";
import { ServiceRate } from "./service-rate.ts";

/** Share of the deadline that a request may be predicted to wait. The rest absorbs errors of the prediction. */
const PREDICTED_WAIT_SHARE = 0.8;
/** Share of the deadline that a request may have waited when its turn comes. The rest absorbs an answer that takes longer than predicted. */
const ACTUAL_WAIT_SHARE = 0.95;
/** A request that is expected to take no longer may go ahead of the rest of one that does. */
const SHORT_MS = 250;
/** Requests that have begun and are not over: one runs, the others are paused. Each holds memory in the engine. */
const MAX_BEGUN = 3;

export interface FairQueueLimits {
  readonly waitingRequests: number;
  readonly waitingBytes: number;
  readonly deadlineMs: number;
  readonly runMs: number;
}

/** Holds the work that has begun, so that what begins from now on runs alone. Resolves once none of it runs, also none that was stopped. @returns what ends the pause. */
export type PauseWork = () => Promise<() => void>;

/** What a task needs of its run. */
export interface Begun {
  readonly queuedMs: number;
  /** Aborted with `input_too_long` once the task has worked for longer than `runMs`. */
  readonly timeLimit: AbortSignal;
  /**
   * Runs the part of the task that the model works on, which counts as the key's time. To be called once.
   * @throws {DecideError} `input_too_long` if the task heeds its signal and works for longer than `runMs`.
   */
  readonly work: <R>(task: (signal: AbortSignal) => Promise<R>) => Promise<R>;
}

interface Waiting extends ScheduledTurn {
  readonly sizeBytes: number;
  readonly sinceMs: number;
  /** False for one that begins as soon as it arrives. */
  hasWaited: boolean;
  /** Ends the wait, for the turn to begin. */
  begin(): void;
  /** Ends the wait with an error. */
  reject(error: DecideError): void;
}

/**
 * Runs one request at a time, in fair order by key. A long one is paused for short ones of keys that have used less time. A request whose wait would exceed
 * the deadline is refused at once.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #now: () => number;
  readonly #pauseWork: PauseWork | undefined;
  readonly #rate = new ServiceRate();
  readonly #schedule: FairSchedule<Waiting>;
  #waitingBytes = 0;
  /** Each one is paused for those after it. */
  readonly #begun: Run[] = [];
  /** Whether the last of `#begun` is being paused, or stopped. */
  #isHalting = false;
  /** Whether a run was stopped that may still go on, because it cannot be waited for. */
  #mayBeBusy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param now milliseconds on a monotonic clock.
   * @param pauseWork if work can be paused. Without it, requests run one after the other, and one that is stopped ends at once.
   */
  constructor(limits: FairQueueLimits, now: () => number, pauseWork?: PauseWork) {
    this.#limits = limits;
    this.#now = now;
    this.#pauseWork = pauseWork;
    this.#schedule = new FairSchedule(now);
  }

  /** `running` includes those that are paused. */
  get load(): { readonly waiting: number; readonly running: number } {
    return { waiting: this.#schedule.size, running: this.#begun.filter(({ outcome }) => outcome === undefined).length };
  }

  /**
   * Lets a service refuse a request before it reads it.
   * @throws {DecideError} `overloaded` if even the smallest request of this key would be refused now.
   */
  checkAdmission(key: string): void {
    const nobody = (): void => undefined;
    const smallest = {
      key,
      sizeBytes: 0,
      expectedMs: this.#rate.expectedMs(key, 0),
      sinceMs: this.#now(),
      hasWaited: true,
      begin: nobody,
      reject: nobody,
    };
    this.#schedule.add(smallest);
    const late = this.#tooLate(smallest);
    this.#schedule.remove(smallest);
    if (late !== undefined) throw late;
  }

  /** Charges the key for time that the service used for it outside of its turns. */
  charge(key: string, ms: number): void {
    this.#schedule.charge(key, ms);
  }

  /**
   * Runs `task` when its turn comes. The turn ends when the work has really stopped, which may be after the task.
   * @throws {DecideError} `overloaded` if the queue is full of turns that are due earlier, or if the wait would exceed the deadline.
   * @throws `signal.reason` if the signal is aborted before the turn begins. After that, the task handles the signal itself.
   */
  async run<T>(turn: Turn, task: (run: Begun) => Promise<T>): Promise<T> {
    turn.signal.throwIfAborted();
    const run = await this.#turn(turn);
    try {
      const result = await task({
        queuedMs: run.queuedMs,
        timeLimit: run.timeLimit,
        work: (work) => {
          const working = run.work(work);
          // Not before: what begins in a pause would run ahead of the shorter one that the pause was for.
          this.#goOn();
          return working;
        },
      });
      run.outcome = "answered";
      return result;
    } finally {
      run.outcome ??= run.isStopped ? "stopped" : "failed";
      if (run.outcome === "stopped" && run.isWorking && this.#pauseWork !== undefined) void this.#halt(run);
      else if (!this.#isHalting) this.#goOn();
    }
  }

  /** Waits for the turn. */
  #turn(turn: Turn): Promise<Run> {
    const { key, sizeBytes, signal } = turn;
    const sinceMs = this.#now();
    const expectedMs = this.#rate.expectedMs(key, sizeBytes);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#schedule.remove(waiting);
        this.#waitingBytes -= sizeBytes;
        signal.removeEventListener("abort", abort);
      };
      const abort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        key,
        sizeBytes,
        expectedMs,
        sinceMs,
        hasWaited: false,
        begin: () => {
          const start = this.#schedule.begin(waiting);
          leave();
          const now = this.#now;
          const run = new Run(turn, { expectedMs, start, queuedMs: now() - sinceMs, limitMs: this.#limits.runMs, now });
          this.#begun.push(run);
          resolve(run);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      this.#schedule.add(waiting);
      this.#waitingBytes += sizeBytes;
      signal.addEventListener("abort", abort);
      const late = this.#tooLate(waiting);
      if (late !== undefined) waiting.reject(late);
      this.#makeRoom();
      this.#goOn();
      waiting.hasWaited = true;
    });
  }

  /** Decides what runs next: what is due, what is paused, or what may go ahead of what runs. */
  #goOn(): void {
    clearTimeout(this.#timer);
    if (this.#isHalting) return;
    for (let over = this.#begun.at(-1); over?.outcome !== undefined; over = this.#begun.at(-1)) this.#end(over);
    const run = this.#begun.at(-1);
    if (run === undefined) {
      if (!this.#begin(this.#schedule.next())) this.#schedule.rest();
      return;
    }
    if (!run.isWorking && !run.isPaused) return;
    const short = this.#firstShort();
    const afterMs = short === undefined ? Infinity : this.#leadOf(run, short);
    if (afterMs <= 0) {
      if (run.isWorking) void this.#halt(run);
      else this.#begin(short);
      return;
    }
    if (run.isPaused) run.resume();
    if (afterMs < Infinity) {
      this.#timer = setTimeout(() => {
        this.#goOn();
      }, Math.ceil(afterMs));
    }
  }

  /** Pauses the last run, or waits until it has stopped. Until then, the time is its own. */
  async #halt(run: Run): Promise<void> {
    if (this.#isHalting) return;
    this.#isHalting = true;
    // Work that cannot tell when it has stopped is taken for stopped.
    const endPause = await this.#pauseWork?.().catch(() => undefined);
    this.#isHalting = false;
    run.pause(endPause ?? ((): void => undefined));
    this.#goOn();
  }

  /** Begins a turn, or rejects it if it cannot meet its deadline any more. */
  #begin(waiting: Waiting | undefined): boolean {
    if (waiting === undefined) return false;
    const waitedMs = waiting.hasWaited ? this.#now() - waiting.sinceMs : 0;
    const late = this.#lateError(waiting, waitedMs / ACTUAL_WAIT_SHARE);
    if (late === undefined) waiting.begin();
    else {
      waiting.reject(late);
      this.#goOn();
    }
    return true;
  }

  /** The last run is over, and its work has stopped. */
  #end(run: Run): void {
    const { outcome, expectedMs, turn } = run;
    this.#begun.pop();
    run.end();
    const { usedMs } = run;
    this.#schedule.correct(turn.key, usedMs - expectedMs);
    // The time of a run that had to share the model tells nothing.
    if (outcome === "answered" && !this.#mayBeBusy) this.#rate.learn(turn.key, turn.sizeBytes, usedMs);
    if (outcome === "stopped") this.#rate.learnAtLeast(turn.key, turn.sizeBytes, usedMs);
    this.#mayBeBusy = outcome === "stopped" && this.#pauseWork === undefined;
  }

  /** The short turn that is due first, if it could begin beside what has begun. */
  #firstShort(): Waiting | undefined {
    return this.#schedule.next((waiting) => this.#mayOvertake(waiting));
  }

  #mayOvertake({ key, expectedMs }: ScheduledTurn): boolean {
    if (this.#pauseWork === undefined || expectedMs > SHORT_MS || this.#begun.length >= MAX_BEGUN) return false;
    return this.#begun.every(({ turn }) => turn.key !== key);
  }

  /** For how much longer a run goes on before a short turn may go ahead of it. */
  #leadOf(run: Run, { key }: ScheduledTurn): number {
    // What is short itself is not worth a pause, unless it turns out to be long.
    const untilLongMs = run.expectedMs > SHORT_MS ? 0 : SHORT_MS - run.usedMs;
    return Math.max(untilLongMs, this.#schedule.startOf(key) - run.position);
  }

  /** Predicted wait of a turn that is in the schedule, from now on. */
  #waitMs(waiting: Waiting): number {
    const overtakes = this.#mayOvertake(waiting);
    const starts = [...this.#schedule.starts()];
    const start = starts.find(([turn]) => turn === waiting)?.[1] ?? Infinity;
    let waitMs = 0;
    for (const run of this.#begun)
      waitMs += overtakes ? Math.min(run.remainingMs, Math.max(0, this.#leadOf(run, waiting))) : run.remainingMs;
    for (const [turn, its] of starts) {
      if (turn === waiting || its > start) continue;
      const isOvertaken = overtakes && turn.key !== waiting.key && turn.expectedMs > SHORT_MS;
      waitMs += isOvertaken ? Math.min(turn.expectedMs, start - its) : turn.expectedMs;
    }
    return waitMs;
  }

  #tooLate(waiting: Waiting): DecideError | undefined {
    return this.#lateError(waiting, this.#waitMs(waiting) / PREDICTED_WAIT_SHARE);
  }

  /** An error if the answer would come after the deadline. A request that does not wait is never too late. */
  #lateError({ expectedMs }: Waiting, waitMs: number): DecideError | undefined {
    const lateMs = waitMs + expectedMs - this.#limits.deadlineMs;
    if (lateMs <= 0 || waitMs === 0) return undefined;
    return overloaded(`an answer would take longer than ${this.#limits.deadlineMs} ms`, lateMs);
  }

  /** If the queue is full, rejects the last turn in it, which belongs to the heaviest caller. */
  #makeRoom(): void {
    const { waitingRequests, waitingBytes } = this.#limits;
    // What begins at once does not wait.
    if (this.#begun.length === 0 && this.#schedule.size === 1) return;
    while (this.#schedule.size > waitingRequests || this.#waitingBytes > waitingBytes) {
      const last = this.#schedule.last();
      if (last === undefined) return;
      last.reject(overloaded(`${this.#schedule.size - 1} requests are waiting already`, this.#waitMs(last) / 2));
    }
  }
}

function overloaded(why: string, afterMs: number): DecideError {
  const retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  const message = `The service is overloaded: ${why}. Try again in ${retryAfterSeconds} s.`;
  return new DecideError("overloaded", message, { retryAfterSeconds });
}
