/** Into how many steps the time is divided for which entries count as recent. */
const STEPS = 100;

export interface LedgerClock {
  /** Milliseconds since 1970. Somebody may set this clock. */
  readonly timeMs: () => number;
  /** Milliseconds since some time. Nobody can set this clock. */
  readonly steadyMs: () => number;
}

export const SYSTEM_CLOCK: LedgerClock = { timeMs: () => Date.now(), steadyMs: () => performance.now() };

export interface RecentEntries {
  /** Tells of an entry that was just made. */
  added(lastId: number): void;
  /** @param timeMs when the entry says that it was made, in milliseconds since 1970 */
  has(id: number, timeMs: number): boolean;
}

/**
 * Which entries are recent. Somebody may set the system's clock back and forth while entries are made, so entries count as recent by their ids and a
 * clock that nobody can set, and those from before by their time as well. An entry may count as recent for too long, never for too short a time.
 * @param lastId the greatest id of an entry that was there before
 */
export function recentEntries(recentMs: number, lastId: number, { timeMs, steadyMs }: LedgerClock): RecentEntries {
  /** The system's time less the steady clock's, at the start. */
  const offsetMs = timeMs() - steadyMs();
  /** Times, and the greatest ids of an entry at those times, or less; oldest first. Entries with greater ids than that of the first one are recent. */
  const marks = [{ atMs: steadyMs(), lastId }];
  return {
    added(lastId) {
      const atMs = steadyMs();
      const [before, last] = marks.slice(-2);
      // A mark that is moved on to now covers the entries since then.
      if (before !== undefined && last !== undefined && last.atMs - before.atMs < recentMs / STEPS) marks.pop();
      marks.push({ atMs, lastId });
    },
    has(id, timeMs) {
      const sinceMs = steadyMs() - recentMs;
      while (marks[1] !== undefined && marks[1].atMs <= sinceMs) marks.shift();
      return id > (marks[0]?.lastId ?? 0) || timeMs > sinceMs + offsetMs;
    },
  };
}
