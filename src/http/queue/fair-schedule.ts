/** A waiting turn and its place in virtual time. */
export interface ScheduledTurn {
  readonly key: string;
  readonly sizeBytes: number;
  /** Virtual times at which the turn starts and ends. */
  readonly start: number;
  readonly finish: number;
}

/**
 * The order in which turns begin: start-time fair queueing (Goyal, Vin, Cheng 1996). In virtual time, each key's turns follow one another, and their
 * lengths are the work they cause. A key that sends many requests waits behind its own, not in front of those of other keys.
 */
export class FairSchedule<T extends ScheduledTurn> {
  readonly #waiting = new Set<T>();
  /** Virtual end of the last turn that each key had. */
  readonly #lastFinish = new Map<string, number>();
  #virtualTime = 0;
  #waitingBytes = 0;

  /** Number of waiting turns. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Total size of the waiting turns. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Virtual start of the key's next turn. Turns that were aborted or rejected cost the key nothing. */
  startOf(key: string): number {
    let start = Math.max(this.#virtualTime, this.#lastFinish.get(key) ?? 0);
    for (const other of this.#waiting) if (other.key === key) start = Math.max(start, other.finish);
    return start;
  }

  add(turn: T): void {
    this.#waiting.add(turn);
    this.#waitingBytes += turn.sizeBytes;
  }

  remove(turn: T): void {
    if (this.#waiting.delete(turn)) this.#waitingBytes -= turn.sizeBytes;
  }

  /** The turn that is due next. Virtual time moves on to its start. */
  next(): T | undefined {
    const next = minBy(this.#waiting, ({ start }) => start);
    if (next !== undefined) this.#virtualTime = next.start;
    return next;
  }

  /** The turn that is due last. */
  last(): T | undefined {
    return minBy(this.#waiting, ({ start }) => -start);
  }

  /** The turns that begin before one with this start. */
  turnsBefore(start: number): T[] {
    return [...this.#waiting].filter((turn) => turn.start <= start);
  }

  /** Removes a turn because it begins: its key's next turn starts after it. */
  begin(turn: T): void {
    this.#lastFinish.set(turn.key, turn.finish);
    this.remove(turn);
  }

  /** Forgets past turns. When nothing waits, no key is owed anything. */
  reset(): void {
    this.#lastFinish.clear();
    this.#virtualTime = 0;
  }
}

function minBy<T>(items: Iterable<T>, valueOf: (item: T) => number): T | undefined {
  let least: T | undefined;
  for (const item of items) if (least === undefined || valueOf(item) < valueOf(least)) least = item;
  return least;
}
