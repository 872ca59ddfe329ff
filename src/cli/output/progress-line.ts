import { bar } from "./bars.ts";

const BAR_CELLS = 24;
/** A terminal that is redrawn more often only flickers. */
const LEAST_MS = 100;

/** The part of a stream that a progress line needs. */
export interface TerminalStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** One line that says how many are done, redrawn in place. Nothing is written to a stream that is no terminal. */
export class ProgressLine {
  readonly #stream: TerminalStream;
  readonly #total: number | undefined;
  readonly #now: () => number;
  readonly #unit: string;
  readonly #startMs: number;
  #drawnMs = -Infinity;

  /**
   * @param total undefined: nobody knows
   * @param unit what is counted, such as MB; default: things
   */
  constructor(stream: TerminalStream, total: number | undefined, now: () => number = () => performance.now(), unit = "") {
    this.#stream = stream;
    this.#total = total;
    this.#now = now;
    this.#unit = unit === "" ? "" : ` ${unit}`;
    this.#startMs = now();
  }

  update(done: number): void {
    const nowMs = this.#now();
    if (this.#stream.isTTY !== true || nowMs - this.#drawnMs < LEAST_MS) return;
    this.#drawnMs = nowMs;
    this.#stream.write(`\r\u001b[K${this.#total === undefined ? `${done} done` : this.#barOf(done, this.#total, nowMs)}`);
  }

  /** Removes the line. */
  clear(): void {
    if (this.#stream.isTTY === true) this.#stream.write("\r\u001b[K");
  }

  #barOf(done: number, total: number, nowMs: number): string {
    const left = done === 0 ? "" : `, ${durationOf((nowMs - this.#startMs) * (total / done - 1))} left`;
    return `${bar(done / total, BAR_CELLS)} ${done} of ${total}${this.#unit}${left}`;
  }
}

/** For example `8 s` or `3 min`. */
function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
