import type { FairSchedule, ScheduledTurn } from "./fair-schedule.ts";
import type { Run } from "./run.ts";

/** A request that is expected to take no longer may go ahead of the rest of one that does. */
const SHORT_MS = 250;
/** Requests that have begun and are not over: one runs, the others are paused. Each holds memory in the engine. */
const MAX_BEGUN = 3;

/** Which turns may go ahead of a run that has begun, and how long a turn waits by that: short ones of keys that have used less time pause longer ones. */
export class Overtaking<T extends ScheduledTurn> {
  readonly #schedule: FairSchedule<T>;
  readonly #begun: readonly Run[];
  readonly #canPause: boolean;

  /** @param begun the runs that have begun, as they change */
  constructor(schedule: FairSchedule<T>, begun: readonly Run[], canPause: boolean) {
    this.#schedule = schedule;
    this.#begun = begun;
    this.#canPause = canPause;
  }

  /** Whether a turn of the key could begin beside what has begun. */
  isPossible({ key, expectedMs }: ScheduledTurn): boolean {
    if (!this.#canPause || expectedMs > SHORT_MS || this.#begun.length >= MAX_BEGUN) return false;
    return this.#begun.every(({ turn }) => turn.key !== key);
  }

  /** The waiting turn that may go ahead first. */
  first(): T | undefined {
    return this.#schedule.next((turn) => this.isPossible(turn));
  }

  /** For how much longer a run goes on before a turn of the key may go ahead of it. */
  leadOf(run: Run, key: string): number {
    // What is short itself is not worth a pause, unless it turns out to be long.
    const untilLongMs = run.expectedMs > SHORT_MS ? 0 : SHORT_MS - run.usedMs;
    return Math.max(untilLongMs, this.#schedule.startOf(key) - run.position);
  }

  /** Predicted wait of a turn that comes now. */
  predictedWaitMs(coming: ScheduledTurn): number {
    const overtakes = this.isPossible(coming);
    const start = this.#schedule.startOfAnother(coming.key);
    let waitMs = 0;
    for (const run of this.#begun)
      waitMs += overtakes ? Math.min(run.remainingMs, Math.max(0, this.leadOf(run, coming.key))) : run.remainingMs;
    for (const [{ key, expectedMs }, its] of this.#schedule.starts()) {
      if (its > start) continue;
      const isOvertaken = overtakes && key !== coming.key && expectedMs > SHORT_MS;
      waitMs += isOvertaken ? Math.min(expectedMs, start - its) : expectedMs;
    }
    return waitMs;
  }
}
