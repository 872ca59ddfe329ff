import { withAnySignal } from "../../library/async/signals.ts";
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

interface RunStart {
  readonly turn: Turn;
  readonly expectedMs: number;
  /** Virtual time at which it starts. */
  readonly start: number;
  readonly queuedMs: number;
}

/** The longest time that a timer can be set for. */
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
  constructor({ turn, expectedMs, start, queuedMs }: RunStart, limitMs: number, now: () => number) {
    this.turn = turn;
    this.expectedMs = expectedMs;
    this.start = start;
    this.queuedMs = queuedMs;
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
export class WaitingTurn<B = void> implements ScheduledTurn {
  readonly turn: Turn;
  readonly key: string;
  readonly expectedMs: number;
  readonly sinceMs: number;
  /** False for one that begins as soon as it arrives. */
  hasWaited = false;
  /** @throws what it is refused with; `signal.reason` once its signal is aborted. */
  readonly begun: Promise<B>;
  readonly #leave: (waiting: WaitingTurn<B>) => void;
  #resolve: (given: B) => void = () => undefined;
  #reject: (reason: Error) => void = () => undefined;

  /** @param leave called once, when the wait ends */
  constructor(turn: Turn, expectedMs: number, sinceMs: number, leave: (waiting: WaitingTurn<B>) => void) {
    this.turn = turn;
    this.key = turn.key;
    this.expectedMs = expectedMs;
    this.sinceMs = sinceMs;
    this.#leave = leave;
    this.begun = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    turn.signal.addEventListener("abort", this.#abort);
  }

  begin(given: B): void {
    this.#end();
    this.#resolve(given);
  }

  refuse(error: Error): void {
    this.#end();
    this.#reject(error);
  }

  readonly #abort = (): void => {
    this.refuse(this.turn.signal.reason as Error);
  };

  #end(): void {
    this.turn.signal.removeEventListener("abort", this.#abort);
    this.#leave(this);
  }
}
