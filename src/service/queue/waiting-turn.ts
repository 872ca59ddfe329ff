import type { DecideError } from "../../errors.ts";
import type { ScheduledTurn } from "./fair-schedule.ts";
import type { Run, Turn } from "./run.ts";

/** A turn that waits, until it begins, is refused, or is aborted. */
export class WaitingTurn implements ScheduledTurn {
  readonly turn: Turn;
  readonly expectedMs: number;
  readonly sinceMs: number;
  /** False for one that begins as soon as it arrives. */
  hasWaited = false;
  /** @throws what it is refused with; `signal.reason` once its signal is aborted. */
  readonly run: Promise<Run>;
  readonly #leave: (waiting: WaitingTurn) => void;
  #resolve: (run: Run) => void = () => undefined;
  #reject: (reason: Error) => void = () => undefined;

  /** @param leave called once, when the wait ends */
  constructor(turn: Turn, expectedMs: number, sinceMs: number, leave: (waiting: WaitingTurn) => void) {
    this.turn = turn;
    this.expectedMs = expectedMs;
    this.sinceMs = sinceMs;
    this.#leave = leave;
    this.run = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    turn.signal.addEventListener("abort", this.#abort);
  }

  get key(): string {
    return this.turn.key;
  }

  begin(run: Run): void {
    this.#end();
    this.#resolve(run);
  }

  refuse(error: DecideError): void {
    this.#end();
    this.#reject(error);
  }

  readonly #abort = (): void => {
    this.#end();
    this.#reject(this.turn.signal.reason as Error);
  };

  #end(): void {
    this.turn.signal.removeEventListener("abort", this.#abort);
    this.#leave(this);
  }
}
