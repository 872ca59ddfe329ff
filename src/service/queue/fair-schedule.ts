/** A turn that waits. */
export interface ScheduledTurn {
  readonly key: string;
  readonly expectedMs: number;
}

/**
 * The order in which turns begin: start-time fair queueing (Goyal, Vin, Cheng 1996) by the time that turns really use. In virtual time, each key's turns
 * follow one another. A key that has used much time waits behind those that have used less, however many requests each of them sends. While nothing runs,
 * virtual time passes as real time does, so that what a key has used fades, but is not forgotten at once.
 */
export class FairSchedule<T extends ScheduledTurn> {
  readonly #now: () => number;
  /** In the order of arrival. */
  readonly #waiting = new Set<T>();
  /** By key: the virtual time at which its next turn may start. The key that was served longest ago is the first. */
  readonly #nextStart = new Map<string, number>();
  #virtualMs = 0;
  /** Since when nothing runs; undefined while something does. */
  #restingSinceMs: number | undefined;

  /** @param now milliseconds on a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
    this.#restingSinceMs = now();
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(turn: T): void {
    this.#waiting.add(turn);
  }

  /** A turn that is removed costs its key nothing. */
  remove(turn: T): void {
    this.#waiting.delete(turn);
  }

  /** Virtual start of a turn of the key, ahead of those that it has waiting. */
  startOf(key: string): number {
    return Math.max(this.#virtualNow(), this.#nextStart.get(key) ?? 0);
  }

  /** Virtual start of one more turn of the key, after those that it has waiting. */
  startOfAnother(key: string): number {
    let start = this.startOf(key);
    for (const turn of this.#waiting) if (turn.key === key) start += turn.expectedMs;
    return start;
  }

  /** The waiting turns with their virtual starts, in the order of arrival. */
  *starts(): Generator<readonly [turn: T, start: number]> {
    const next = new Map<string, number>();
    for (const turn of this.#waiting) {
      const { key, expectedMs } = turn;
      const start = next.get(key) ?? this.startOf(key);
      next.set(key, start + expectedMs);
      yield [turn, start];
    }
  }

  /** The turn that is due next, of those that are `wanted`. */
  next(wanted: (turn: T) => boolean = () => true): T | undefined {
    let [first, least]: [T | undefined, number] = [undefined, Infinity];
    for (const [turn, start] of this.starts()) if (start < least && wanted(turn)) [first, least] = [turn, start];
    return first;
  }

  /** The turn that is due last; of several, the one that came last. */
  last(): T | undefined {
    let [last, greatest]: [T | undefined, number] = [undefined, -Infinity];
    for (const [turn, start] of this.starts()) if (start >= greatest) [last, greatest] = [turn, start];
    return last;
  }

  /**
   * Removes a turn because it begins. Until it is corrected, its key is charged what the turn is expected to take. Virtual time does not pass the turn that
   * is due next: where this one goes ahead of it, its key must not lose the time that it has not used yet.
   * @param besideStart the earliest virtual start of those that run beside it. Virtual time does not pass it: a key that has several turns at one time
   * must not get others behind it for that.
   * @returns its virtual start.
   */
  begin(turn: T, besideStart = Infinity): number {
    const start = this.startOf(turn.key);
    const due = this.next() ?? turn;
    this.#virtualMs = Math.max(this.#virtualNow(), Math.min(this.startOf(due.key), besideStart));
    this.#restingSinceMs = undefined;
    this.remove(turn);
    remember(this.#nextStart, turn.key, start + turn.expectedMs);
    return start;
  }

  /** Charges the key the difference between what a turn took and what it was expected to take. */
  correct(key: string, differenceMs: number): void {
    remember(this.#nextStart, key, (this.#nextStart.get(key) ?? this.#virtualNow()) + differenceMs);
  }

  /** Charges the key for time that it used outside of its turns. */
  charge(key: string, ms: number): void {
    remember(this.#nextStart, key, this.startOf(key) + ms);
  }

  /** Nothing runs from now on, until a turn begins. */
  rest(): void {
    this.#restingSinceMs ??= this.#now();
  }

  #virtualNow(): number {
    return this.#virtualMs + (this.#restingSinceMs === undefined ? 0 : this.#now() - this.#restingSinceMs);
  }
}

/** Keys of which something is remembered. Of more, those are forgotten that were set longest ago. */
const REMEMBERED_KEYS = 10_000;

/** Sets what is remembered of a key, which is then the newest of the map. */
export function remember<V>(byKey: Map<string, V>, key: string, value: V): void {
  byKey.delete(key);
  byKey.set(key, value);
  const [oldest] = byKey.keys();
  if (byKey.size > REMEMBERED_KEYS && oldest !== undefined) byKey.delete(oldest);
}
