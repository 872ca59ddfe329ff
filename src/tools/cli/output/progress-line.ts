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
    this.draw((nowMs) => (this.#total === undefined ? `${done} done` : this.#barOf(done, this.#total, nowMs)));
  }

  /** Draws another line in place, if it is time to. @param textOf the line, by the time in milliseconds; no wider than the terminal */
  draw(textOf: (nowMs: number) => string): void {
    if (this.#stream.isTTY !== true) return;
    const nowMs = this.#now();
    if (nowMs - this.#drawnMs < LEAST_MS) return;
    this.#drawnMs = nowMs;
    this.#stream.write(`\r\u001b[K${textOf(nowMs)}`);
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

/** For example `8 s`, `3 min` or `5 h`. */
export function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(minutes < 600 ? 1 : 0)} h`;
}
