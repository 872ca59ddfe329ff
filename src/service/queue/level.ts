import type { Run } from "./run.ts";

/** Runs that go on side by side, at most one a worker. They are paused together, since a pause is of the whole decider. */
export class Level {
  readonly #runs: Run[] = [];
  #endPause: (() => void) | undefined;

  get runs(): readonly Run[] {
    return this.#runs;
  }

  /** The earliest virtual start of its runs. */
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

  /** Takes out a run that is over. */
  remove(run: Run): void {
    this.#runs.splice(this.#runs.indexOf(run), 1);
    run.end();
  }
}
