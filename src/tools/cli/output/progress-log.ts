import type { TerminalStream } from "./progress-line.ts";

/** Often enough to see that it goes on, and only 120 lines in an hour. */
const EVERY_MS = 30_000;

/** Says now and then how far something is, one line after another: for a stream that is no terminal, such as a scheduler's log. */
export class ProgressLog {
  readonly #stream: TerminalStream;
  readonly #now: () => number;
  #writtenMs: number;

  constructor(stream: TerminalStream, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
    this.#writtenMs = now();
  }

  /** Writes a line, if the last one is old enough. @param textOf the line, by the time in milliseconds */
  draw(textOf: (nowMs: number) => string): void {
    const nowMs = this.#now();
    if (nowMs - this.#writtenMs < EVERY_MS) return;
    this.#writtenMs = nowMs;
    this.#stream.write(`${textOf(nowMs)}\n`);
  }

  /** What is written stays. */
  clear(): void {
    return;
  }
}
