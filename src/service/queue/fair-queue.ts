import type { AllLimits } from "../handler/limits.ts";
import { ACTUAL_WAIT_SHARE, overloaded, PREDICTED_WAIT_SHARE, refusalOfLate, ServiceRate } from "./admission.ts";
import { FairSchedule, type ScheduledTurn } from "./fair-schedule.ts";
import { PriorityLevel, Run, waitingTurn, type Turn, type WaitingTurn } from "./run.ts";

export type FairQueueLimits = Pick<AllLimits, "waitingRequests" | "waitingBytes" | "deadlineMs" | "runMs">;

/** Holds the work that has begun, so that only what begins from now on runs. Resolves once none of it runs, also none that was stopped. @returns what ends the pause. */
type PauseWork = () => Promise<() => void>;

/** A request that is expected to take no longer may go ahead of the rest of one that does. */
const SHORT_MS = 250;
/** Levels of requests that have begun and are not over: the last one runs, the others are paused. Each request holds memory in the engine. */
const MAX_LEVELS = 3;

interface TaskContext {
  readonly queuedMs: number;
  /** Aborted with `input_too_long` once the task has worked for longer than `runMs`. */
  readonly timeLimit: AbortSignal;
  /**
   * Runs the part of the task that the model works on, which counts as the key's time. To be called once.
   * @throws {DecideError} `input_too_long` if the task heeds its signal and works for longer than `runMs`.
   */
  readonly work: <R>(task: (signal: AbortSignal) => Promise<R>) => Promise<R>;
}

/**
 * Runs one request a worker at a time, in fair order by key. Long ones are paused, all together, for short ones of keys that have used less time. A request
 * whose wait would exceed the deadline is refused at once.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #now: () => number;
  readonly #pauseWork: PauseWork | undefined;
  readonly #rate = new ServiceRate();
  readonly #schedule: FairSchedule<WaitingTurn<Run>>;
  #waitingBytes = 0;
  /** The runs that have begun: each level is paused for those after it. None is empty. */
  readonly #levels: PriorityLevel[] = [];
  readonly #workers: () => number;
  /** Whether the last level is being paused, or a run of it stopped. */
  #isHalting = false;
  /** Whether a run was stopped that may still go on, because it cannot be waited for. */
  #mayBeBusy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param now milliseconds on a monotonic clock.
   * @param pauseWork if work can be paused. Without it, none goes ahead of what has begun, and a request that is stopped ends at once.
   * @param workers how many requests run at a time, 1 or more; it may change.
   */
  constructor(limits: FairQueueLimits, now: () => number, pauseWork?: PauseWork, workers = (): number => 1) {
    this.#limits = limits;
    this.#now = now;
    this.#pauseWork = pauseWork;
    this.#workers = workers;
    this.#schedule = new FairSchedule(now);
  }

  /** `running` includes those that are paused. */
  get load(): { readonly waiting: number; readonly running: number } {
    const begun = this.#levels.flatMap(({ runs }) => runs);
    return { waiting: this.#schedule.size, running: begun.filter(({ outcome }) => outcome === undefined).length };
  }

  /** Lets a service refuse a request before it reads it. @throws {DecideError} `overloaded` if even the smallest request of this key would be refused now. */
  checkAdmission(key: string): void {
    this.#checkDeadline(key, this.#rate.expectedMs(key, 0));
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
  async run<T>(turn: Turn, task: (context: TaskContext) => Promise<T>): Promise<T> {
    turn.signal.throwIfAborted();
    const run = await this.#wait(turn);
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
      if (run.outcome === "stopped" && run.isWorking && this.#pauseWork !== undefined) void this.#halt();
      else if (!this.#isHalting) this.#goOn();
    }
  }

  #wait(turn: Turn): Promise<Run> {
    const { key, sizeBytes } = turn;
    const expectedMs = this.#rate.expectedMs(key, sizeBytes);
    this.#checkDeadline(key, expectedMs);
    const waiting = waitingTurn<Run>(turn, expectedMs, this.#now(), (ended) => {
      this.#schedule.remove(ended);
      this.#waitingBytes -= sizeBytes;
    });
    this.#schedule.add(waiting);
    this.#waitingBytes += sizeBytes;
    this.#makeRoom();
    this.#goOn();
    waiting.hasWaited = true;
    return waiting.begun;
  }

  /** @throws {DecideError} `overloaded` if a request that arrives now would be answered too late. */
  #checkDeadline(key: string, expectedMs: number): void {
    const waitMs = this.#predictedWaitMs({ key, expectedMs }) / PREDICTED_WAIT_SHARE;
    const late = refusalOfLate(waitMs, expectedMs, this.#limits.deadlineMs);
    if (late !== undefined) throw late;
  }

  /** Decides what runs next: what is due, what is paused, or what may go ahead of what runs. */
  #goOn(): void {
    clearTimeout(this.#timer);
    if (this.#isHalting) return;
    this.#endRuns();
    const level = this.#levels.at(-1);
    const beside = this.#hasRoom() ? this.#firstBeside() : undefined;
    if (beside !== undefined) {
      // First, so that it does not begin in the pause of those that it runs beside.
      level?.resume();
      this.#begin(beside, level);
      this.#goOn();
      return;
    }
    if (level === undefined) this.#schedule.rest();
    else if (level.isPreparing) level.resume();
    else this.#goOnWith(level);
  }

  /** Runs the last level, or pauses it for a turn that may go ahead of it. */
  #goOnWith(level: PriorityLevel): void {
    const short = this.#levels.length < MAX_LEVELS ? this.#schedule.next((turn) => this.#isShortOfAnother(turn)) : undefined;
    const afterMs = short === undefined ? Infinity : this.#leadOf(level, short.key);
    if (short !== undefined && afterMs <= 0) {
      if (level.isPaused) {
        this.#begin(short, undefined);
        this.#goOn();
      } else void this.#halt();
      return;
    }
    level.resume();
    if (afterMs < Infinity) {
      this.#timer = setTimeout(() => {
        this.#goOn();
      }, Math.ceil(afterMs));
    }
  }

  /** Pauses the last level, or waits until a run of it has stopped. Until then, the time is its own. */
  async #halt(): Promise<void> {
    if (this.#isHalting) return;
    this.#isHalting = true;
    // Work that cannot tell when it has stopped is taken for stopped.
    const endPause = await this.#pauseWork?.().catch(() => undefined);
    this.#isHalting = false;
    this.#levels.at(-1)?.pause(endPause ?? ((): void => undefined));
    this.#goOn();
  }

  #hasRoom(): boolean {
    return (this.#levels.at(-1)?.runs.length ?? 0) < this.#workers();
  }

  /** Begins a turn, or refuses it if it cannot meet its deadline any more. @param level undefined for a level of its own. */
  #begin(waiting: WaitingTurn<Run>, level: PriorityLevel | undefined): void {
    const { turn, expectedMs, sinceMs, hasWaited } = waiting;
    const queuedMs = this.#now() - sinceMs;
    const late = refusalOfLate(hasWaited ? queuedMs / ACTUAL_WAIT_SHARE : 0, expectedMs, this.#limits.deadlineMs);
    if (late !== undefined) {
      waiting.refuse(late);
      return;
    }
    const start = this.#schedule.begin(waiting, level?.start);
    const run = new Run({ turn, expectedMs, start, queuedMs }, this.#limits.runMs, this.#now);
    const its = level ?? new PriorityLevel();
    if (level === undefined) this.#levels.push(its);
    its.runs.push(run);
    waiting.begin(run);
  }

  /** Ends the runs of the last level that are over, and the level with its last run. Their work has stopped. */
  #endRuns(): void {
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      for (const run of level.runs.filter(({ outcome }) => outcome !== undefined)) {
        level.remove(run);
        this.#learn(run);
      }
      if (level.runs.length > 0) return;
      level.resume();
      this.#levels.pop();
    }
  }

  #learn({ outcome, expectedMs, usedMs, turn }: Run): void {
    this.#schedule.correct(turn.key, usedMs - expectedMs);
    // The time of a run that had to share the model tells nothing.
    if (outcome === "answered" && !this.#mayBeBusy) this.#rate.learn(turn.key, turn.sizeBytes, usedMs);
    if (outcome === "stopped") this.#rate.learnAtLeast(turn.key, turn.sizeBytes, usedMs);
    this.#mayBeBusy = outcome === "stopped" && this.#pauseWork === undefined;
  }

  /** If the queue is full, refuses the last turn in it, which belongs to the heaviest caller. */
  #makeRoom(): void {
    const { waitingRequests, waitingBytes } = this.#limits;
    // A turn that begins at once does not wait.
    if (this.#schedule.size === 1 && this.#hasRoom()) return;
    while (this.#schedule.size > waitingRequests || this.#waitingBytes > waitingBytes) {
      const last = this.#schedule.last();
      if (last === undefined) return;
      this.#schedule.remove(last);
      last.refuse(overloaded(`${this.#schedule.size} requests are waiting already`, this.#predictedWaitMs(last) / 2));
    }
  }

  /** The waiting turn that may begin first beside the last level, ahead of those that are paused for it. */
  #firstBeside(): WaitingTurn<Run> | undefined {
    const paused = this.#levels.slice(0, -1);
    if (paused.length === 0) return this.#schedule.next();
    return this.#schedule.next((turn) => this.#isShortOfAnother(turn) && paused.every((level) => this.#leadOf(level, turn.key) <= 0));
  }

  /** Whether the turn is short, and its key has nothing else begun: if it has used less time, it may pause longer ones. */
  #isShortOfAnother({ key, expectedMs }: ScheduledTurn): boolean {
    if (this.#pauseWork === undefined || expectedMs > SHORT_MS) return false;
    return this.#levels.every(({ runs }) => runs.every(({ turn }) => turn.key !== key));
  }

  /** For how much longer a level goes on before a turn of the key may go ahead of it. */
  #leadOf({ runs }: PriorityLevel, key: string): number {
    const leads = runs.map((run) => {
      // A short run is not worth a pause, unless it turns out to be long.
      const untilLongMs = run.expectedMs > SHORT_MS ? 0 : SHORT_MS - run.usedMs;
      return Math.max(untilLongMs, this.#schedule.startOf(key) - run.position);
    });
    return Math.max(...leads);
  }

  /** Predicted wait of a turn that comes now: until the first worker is free of what goes before it. */
  #predictedWaitMs(coming: ScheduledTurn): number {
    const overtakes = this.#levels.length < MAX_LEVELS && this.#isShortOfAnother(coming);
    const start = this.#schedule.startOfAnother(coming.key);
    /** When each worker is free. */
    let free = Array.from({ length: this.#workers() }, () => 0);
    for (const level of this.#levels.toReversed()) {
      const leadMs = overtakes ? Math.max(0, this.#leadOf(level, coming.key)) : Infinity;
      const sinceMs = Math.max(...free);
      // A level goes on once all of the one above it is over. There may be more runs than workers, since one was lost.
      free = free.map(() => sinceMs);
      for (const { remainingMs } of level.runs) addToFirst(free, Math.min(remainingMs, leadMs));
    }
    for (const [{ key, expectedMs }, its] of this.#schedule.starts()) {
      if (its > start) continue;
      const isOvertaken = overtakes && key !== coming.key && expectedMs > SHORT_MS;
      addToFirst(free, isOvertaken ? Math.min(expectedMs, start - its) : expectedMs);
    }
    return Math.min(...free);
  }
}

/** Gives work to the worker that is free first. */
function addToFirst(freeMs: number[], workMs: number): void {
  const firstMs = Math.min(...freeMs);
  freeMs[freeMs.indexOf(firstMs)] = firstMs + workMs;
}
