/** Into how many steps the time is divided for which entries count as recent. */
const STEPS = 100;

interface Mark {
  readonly atMs: number;
  /** The greatest id of an entry at that time, or less. */
  readonly lastId: number;
}

/**
 * Which entries are recent, by their ids and a clock that nobody can set: the system's clock may be set back and forth while entries are made. An
 * entry may count as recent for longer than it is, never for less.
 */
export class RecentEntries {
  readonly #recentMs: number;
  readonly #now: () => number;
  /** Oldest first. Entries with greater ids than that of the first one are recent. */
  readonly #marks: Mark[];

  /**
   * @param lastId the greatest id of an entry that was there before
   * @param now milliseconds on a monotonic clock
   */
  constructor(recentMs: number, lastId: number, now: () => number) {
    this.#recentMs = recentMs;
    this.#now = now;
    this.#marks = [{ atMs: now(), lastId }];
  }

  /** Tells of an entry that was just made. */
  added(lastId: number): void {
    const atMs = this.#now();
    const [before, last] = this.#marks.slice(-2);
    // A mark that is moved on to now covers the entries since then.
    if (before !== undefined && last !== undefined && last.atMs - before.atMs < this.#recentMs / STEPS) this.#marks.pop();
    this.#marks.push({ atMs, lastId });
  }

  /** True for each entry that was made within `recentMs`, false for each that was there before this object. */
  has(id: number): boolean {
    const sinceMs = this.#now() - this.#recentMs;
    while (this.#marks[1] !== undefined && this.#marks[1].atMs <= sinceMs) this.#marks.shift();
    return id > (this.#marks[0]?.lastId ?? 0);
  }
}
