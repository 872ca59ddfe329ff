import { whenAborted, withAnySignal } from "../../library/async/signals.ts";
import { DecideError } from "../../errors.ts";
import type { ScheduledTurn } from "./fair-schedule.ts";

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

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A turn that has begun. Time before its work, such as that of loading a model, does not count, and cannot be paused. Neither does time in a pause. */
export class Run {
  readonly turn: Turn;
  readonly expectedMs: number;
  /** Virtual time at which it starts. */
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
  constructor(begun: Pick<Run, "turn" | "expectedMs" | "start" | "queuedMs">, limitMs: number, now: () => number) {
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
  let [resolve, reject]: [(given: B) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const begun = new Promise<B>((...both) => {
    [resolve, reject] = both;
  });
  const end = (): void => {
    stop();
    leave(waiting);
  };
  const waiting: WaitingTurn<B> = {
    turn,
    key,
    expectedMs,
    sinceMs,
    hasWaited: false,
    begun,
    begin(given) {
      end();
      resolve(given);
    },
    refuse(error) {
      end();
      reject(error);
    },
  };
  const stop = whenAborted(signal, () => {
    waiting.refuse(signal.reason as Error);
  });
  return waiting;
}

/** Runs that go on side by side, at most one a worker. They are paused together, since a pause is of the whole decider. */
export class PriorityLevel {
  readonly runs: Run[] = [];
  #endPause: (() => void) | undefined;

  get start(): number {
    return Math.min(...this.runs.map(({ start }) => start));
  }

  get isPaused(): boolean {
    return this.#endPause !== undefined;
  }

  /** Whether a run of it has begun, and the model works on it neither now nor after the pause: it loads, perhaps. */
  get isPreparing(): boolean {
    return this.runs.some((run) => !run.isWorking && !run.isPaused);
  }

  /** The model works on something else from now on. What prepares goes on with that. */
  pause(endPause: () => void): void {
    this.#endPause = endPause;
    for (const run of this.runs) if (run.isWorking) run.pause();
  }

  resume(): void {
    this.#endPause?.();
    this.#endPause = undefined;
    for (const run of this.runs) if (run.isPaused) run.resume();
  }

  remove(run: Run): void {
    this.runs.splice(this.runs.indexOf(run), 1);
    run.stop();
  }
}
