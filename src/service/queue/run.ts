import { withAnySignal } from "../../library/async/signals.ts";
import { DecideError } from "../../errors.ts";
import type { ScheduledTurn, FairSchedule } from "./fair-schedule.ts";

/** A request whose turn has come. */
export interface Turn {
  /** Keys share the time fairly, however many requests each of them sends. */
  readonly key: string;
  /** Size of the request: what is known in advance about the work it causes. */
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
}

/** How a run ended. `stopped`: by its caller, or by the limit. */
type RunOutcome = "answered" | "stopped" | "failed";

interface RunStart {
  readonly turn: Turn;
  readonly expectedMs: number;
  /** Virtual time at which it starts. */
  readonly start: number;
  readonly queuedMs: number;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A turn that has begun. Time before its work, such as that of loading a model, does not count, and cannot be paused. Neither does time in a pause. */
export class Run implements RunStart {
  readonly turn: Turn;
  readonly expectedMs: number;
  readonly start: number;
  readonly queuedMs: number;
  /** Undefined until it is over. */
  outcome: RunOutcome | undefined;
  isPaused = false;
  readonly #limitMs: number;
  readonly #now: () => number;
  readonly #over = new AbortController();
  #usedMs = 0;
  #sinceMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param limitMs for how long it may run @param now milliseconds on a monotonic clock */
  constructor(begun: RunStart, limitMs: number, now: () => number) {
    ({ turn: this.turn, expectedMs: this.expectedMs, start: this.start, queuedMs: this.queuedMs } = begun);
    this.#limitMs = limitMs;
    this.#now = now;
  }

  /** Aborted after `limitMs`, with `input_too_long`: one request must not block all others. */
  get timeLimit(): AbortSignal {
    return this.#over.signal;
  }

  get isWorking(): boolean {
    return this.#sinceMs !== undefined;
  }

  get isStopped(): boolean {
    return this.turn.signal.aborted || this.timeLimit.aborted;
  }

  get usedMs(): number {
    return this.#usedMs + (this.#sinceMs === undefined ? 0 : this.#now() - this.#sinceMs);
  }

  /** Where it is in virtual time. */
  get position(): number {
    return this.start + this.usedMs;
  }

  get remainingMs(): number {
    return this.outcome === undefined ? Math.max(0, this.expectedMs - this.usedMs) : 0;
  }

  /** @throws the reason why it is stopped, when the task throws it. */
  work<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.resume();
    return withAnySignal([this.turn.signal, this.timeLimit], task);
  }

  resume(): void {
    this.isPaused = false;
    this.#sinceMs = this.#now();
    const leftMs = Math.max(0, this.#limitMs - this.#usedMs);
    if (leftMs > LONGEST_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.#over.abort(tooLong(this.#limitMs));
    }, leftMs);
  }

  /** The model works on something else from now on. */
  pause(): void {
    this.stop();
    this.isPaused = true;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#usedMs = this.usedMs;
    this.#sinceMs = undefined;
  }
}

function tooLong(limitMs: number): DecideError {
  const message = `The request takes longer than ${limitMs} ms to answer, the limit of this service. Ask fewer questions at once, or shorten the state.`;
  const issues = [{ loc: ["body"], msg: `takes longer than ${limitMs} ms to answer`, type: "too_long" }] as const;
  return new DecideError("input_too_long", message, { issues });
}

/** A turn that waits, until it begins, is refused, or is aborted. @typeParam B what it is given when it begins */
export interface WaitingTurn<B = void> extends ScheduledTurn {
  readonly turn: Turn;
  readonly sinceMs: number;
  /** False for one that begins as soon as it arrives. */
  hasWaited: boolean;
  /** Rejects with what it is refused with; with `signal.reason` once its signal is aborted. */
  readonly begun: Promise<B>;
  begin(given: B): void;
  refuse(error: Error): void;
}

/** @param leave called once, when the wait ends */
export function waitingTurn<B = void>(
  turn: Turn,
  expectedMs: number,
  sinceMs: number,
  leave: (waiting: WaitingTurn<B>) => void,
): WaitingTurn<B> {
  const { key, signal } = turn;
  let end = (): void => undefined;
  let [begin, refuse]: [WaitingTurn<B>["begin"], WaitingTurn<B>["refuse"]] = [() => undefined, () => undefined];
  const begun = new Promise<B>((resolve, reject) => {
    begin = (given) => {
      end();
      resolve(given);
    };
    refuse = (error) => {
      end();
      reject(error);
    };
  });
  const waiting = { turn, key, expectedMs, sinceMs, hasWaited: false, begun, begin, refuse };
  const abort = (): void => {
    refuse(signal.reason as Error);
  };
  end = () => {
    signal.removeEventListener("abort", abort);
    leave(waiting);
  };
  signal.addEventListener("abort", abort);
  return waiting;
}

/** Runs that go on side by side, at most one a worker. They are paused together, since a pause is of the whole decider. */
export class PriorityLevel {
  readonly #runs: Run[] = [];
  #endPause: (() => void) | undefined;

  get runs(): readonly Run[] {
    return this.#runs;
  }

  get start(): number {
    return Math.min(...this.#runs.map(({ start }) => start));
  }

  get isPaused(): boolean {
    return this.#endPause !== undefined;
  }

  /** Whether a run of it has begun, and the model works on it neither now nor after the pause: it loads, perhaps. */
  get isPreparing(): boolean {
    return this.#runs.some((run) => !run.isWorking && !run.isPaused);
  }

  add(run: Run): void {
    this.#runs.push(run);
  }

  /** The model works on something else from now on. What prepares goes on with that. */
  pause(endPause: () => void): void {
    this.#endPause = endPause;
    for (const run of this.#runs) if (run.isWorking) run.pause();
  }

  resume(): void {
    this.#endPause?.();
    this.#endPause = undefined;
    for (const run of this.#runs) if (run.isPaused) run.resume();
  }

  remove(run: Run): void {
    this.#runs.splice(this.#runs.indexOf(run), 1);
    run.stop();
  }
}

/** A request that is expected to take no longer may go ahead of the rest of one that does. */
const SHORT_MS = 250;
/** Levels of requests that have begun and are not over: the last one runs, the others are paused. Each request holds memory in the engine. */
const MAX_LEVELS = 3;

/** Which turns may go ahead of those that have begun, and how long a turn waits by that: short ones of keys that have used less time pause longer ones. */
export interface PriorityRules<T extends ScheduledTurn> {
  /** The waiting turn that may go ahead of the last level first. */
  first(): T | undefined;
  /** The waiting turn that may begin first beside the last level, ahead of those that are paused for it. */
  firstBeside(): T | undefined;
  /** For how much longer a level goes on before a turn of the key may go ahead of it. */
  leadOf(level: PriorityLevel, key: string): number;
  /** Predicted wait of a turn that comes now: until the first worker is free of what goes before it. */
  predictedWaitMs(coming: ScheduledTurn): number;
}

/** @param levels what has begun, as it changes @param workers how many requests run at a time */
export function priorityRules<T extends ScheduledTurn>(
  schedule: FairSchedule<T>,
  levels: readonly PriorityLevel[],
  workers: () => number,
  canPause: boolean,
): PriorityRules<T> {
  /** Whether it is short, and its key has nothing else begun. */
  const isShortOfAnother = ({ key, expectedMs }: ScheduledTurn): boolean => {
    if (!canPause || expectedMs > SHORT_MS) return false;
    return levels.every(({ runs }) => runs.every(({ turn }) => turn.key !== key));
  };
  const leadOfRun = (run: Run, key: string): number => {
    // A short run is not worth a pause, unless it turns out to be long.
    const untilLongMs = run.expectedMs > SHORT_MS ? 0 : SHORT_MS - run.usedMs;
    return Math.max(untilLongMs, schedule.startOf(key) - run.position);
  };
  const leadOf = ({ runs }: PriorityLevel, key: string): number => Math.max(...runs.map((run) => leadOfRun(run, key)));
  return {
    leadOf,
    first: () => (levels.length >= MAX_LEVELS ? undefined : schedule.next(isShortOfAnother)),
    firstBeside() {
      const paused = levels.slice(0, -1);
      if (paused.length === 0) return schedule.next();
      return schedule.next((turn) => isShortOfAnother(turn) && paused.every((level) => leadOf(level, turn.key) <= 0));
    },
    predictedWaitMs(coming) {
      const overtakes = levels.length < MAX_LEVELS && isShortOfAnother(coming);
      const start = schedule.startOfAnother(coming.key);
      /** When each worker is free. */
      let free = Array.from({ length: workers() }, () => 0);
      for (const level of levels.toReversed()) {
        const leadMs = overtakes ? Math.max(0, leadOf(level, coming.key)) : Infinity;
        const sinceMs = Math.max(...free);
        // A level goes on once all of the one above it is over. There may be more runs than workers, since one was lost.
        free = free.map(() => sinceMs);
        for (const { remainingMs } of level.runs) addToFirst(free, Math.min(remainingMs, leadMs));
      }
      for (const [{ key, expectedMs }, its] of schedule.starts()) {
        if (its > start) continue;
        const isOvertaken = overtakes && key !== coming.key && expectedMs > SHORT_MS;
        addToFirst(free, isOvertaken ? Math.min(expectedMs, start - its) : expectedMs);
      }
      return Math.min(...free);
    },
  };
}

/** Gives work to the worker that is free first. */
function addToFirst(freeMs: number[], workMs: number): void {
  const firstMs = Math.min(...freeMs);
  freeMs[freeMs.indexOf(firstMs)] = firstMs + workMs;
}
