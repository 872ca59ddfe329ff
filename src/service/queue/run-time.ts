import { DecideError } from "../../errors.ts";
import type { Issue } from "../../errors.ts";

/** The longest time that a timer can be set for. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Counts the time for which one request runs. Time in which it is paused does not count. */
export class RunTime {
  readonly #limitMs: number;
  readonly #now: () => number;
  readonly #over = new AbortController();
  #usedMs = 0;
  #sinceMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param now milliseconds on a monotonic clock. */
  constructor(limitMs: number, now: () => number) {
    this.#limitMs = limitMs;
    this.#now = now;
  }

  /** Aborted after `limitMs`, with `input_too_long`: one request must not block all others. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get isRunning(): boolean {
    return this.#sinceMs !== undefined;
  }

  get usedMs(): number {
    return this.#usedMs + (this.#sinceMs === undefined ? 0 : this.#now() - this.#sinceMs);
  }

  start(): void {
    this.#sinceMs = this.#now();
    const leftMs = Math.max(0, this.#limitMs - this.#usedMs);
    if (leftMs > LONGEST_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.#over.abort(tooLong(this.#limitMs));
    }, leftMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#usedMs = this.usedMs;
    this.#sinceMs = undefined;
  }
}

function tooLong(limitMs: number): DecideError {
  const issues: Issue[] = [{ loc: ["body"], msg: `takes longer than ${limitMs} ms to answer`, type: "too_long" }];
  const message = `The request takes longer than ${limitMs} ms to answer, the limit of this service. Ask fewer questions at once, or shorten the state.`;
  return new DecideError("input_too_long", message, { issues });
}
