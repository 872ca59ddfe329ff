/** Into how many steps the time is divided for which entries count as recent. */
const STEPS = 100;

export interface LedgerClock {
  /** Milliseconds since 1970. Somebody may set this clock. */
  readonly timeMs: () => number;
  /** Milliseconds since some time. Nobody can set this clock. */
  readonly steadyMs: () => number;
}

export const SYSTEM_CLOCK: LedgerClock = { timeMs: () => Date.now(), steadyMs: () => performance.now() };

interface Mark {
  readonly atMs: number;
  /** The greatest id of an entry at that time, or less. */
  readonly lastId: number;
}

/**
 * Which entries are recent. Somebody may set the system's clock back and forth while entries are made, so entries count as recent by their ids and a
 * clock that nobody can set, and those from before by their time as well. An entry may count as recent for too long, never for too short a time.
 */
export class RecentEntries {
  readonly #recentMs: number;
  readonly #steadyMs: () => number;
  /** The system's time less the steady clock's, at the start. */
  readonly #offsetMs: number;
  /** Oldest first. Entries with greater ids than that of the first one are recent. */
  readonly #marks: Mark[];

  /** @param lastId the greatest id of an entry that was there before */
  constructor(recentMs: number, lastId: number, { timeMs, steadyMs }: LedgerClock) {
    this.#recentMs = recentMs;
    this.#steadyMs = steadyMs;
    this.#offsetMs = timeMs() - steadyMs();
    this.#marks = [{ atMs: steadyMs(), lastId }];
  }

  /** Tells of an entry that was just made. */
  added(lastId: number): void {
    const atMs = this.#steadyMs();
    const [before, last] = this.#marks.slice(-2);
    // A mark that is moved on to now covers the entries since then.
    if (before !== undefined && last !== undefined && last.atMs - before.atMs < this.#recentMs / STEPS) this.#marks.pop();
    this.#marks.push({ atMs, lastId });
  }

  /** @param timeMs when the entry says that it was made, in milliseconds since 1970 */
  has(id: number, timeMs: number): boolean {
    const sinceMs = this.#steadyMs() - this.#recentMs;
    while (this.#marks[1] !== undefined && this.#marks[1].atMs <= sinceMs) this.#marks.shift();
    return id > (this.#marks[0]?.lastId ?? 0) || timeMs > sinceMs + this.#offsetMs;
  }
}
