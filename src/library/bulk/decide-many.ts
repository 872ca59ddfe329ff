import { abortable, whenAborted } from "../async/signals.ts";
import { rowAnswerer, type RowDecider } from "./answer-row.ts";
import { checkRow, readManyOptions, type CheckedRow } from "./rows.ts";
import { Source } from "./source.ts";
import type { ManyOptions, ManyResult } from "./types.ts";

/**
 * Answers rows, a few at a time, as `decide` answers each alone. However many rows there are, only those in hand are in memory, and results that wait to be
 * taken.
 * @param workers how many of the decider's workers answer at the same time
 * @throws {DecideError} `invalid_request` for the options, or if reading the rows threw; what `decide` throws, except for what is wrong with a row.
 * @throws `signal.reason` once the signal is aborted.
 */
export async function* decideMany(
  decider: RowDecider,
  rows: unknown,
  options: ManyOptions & { readonly questions?: unknown },
  workers: number,
): AsyncGenerator<ManyResult, void, undefined> {
  const settings = readManyOptions(options, workers);
  settings.signal?.throwIfAborted();
  const source = new Source(rows, "row", "an array, any other iterable or async iterable, or a stream");
  const buffer = new ReorderBuffer<ManyResult>(settings);
  const ending = new AbortController();
  const stopListening = whenAborted(settings.signal ?? ending.signal, () => {
    ending.abort(settings.signal?.reason);
  });
  const untilEnded = <T>(wait: () => Promise<T>): Promise<T> => {
    // Nothing is begun that nobody would wait for.
    ending.signal.throwIfAborted();
    return abortable(wait(), ending.signal);
  };
  const answerer = rowAnswerer(decider, settings, ending.signal);
  const feeding = feed();
  try {
    for (;;) {
      const result = await untilEnded(() => buffer.take());
      if (result === undefined) return;
      yield result;
    }
  } finally {
    stopListening();
    ending.abort();
    await feeding;
    await buffer.settled();
    await source.close();
  }

  /** Starts a row whenever there is room for one. The row after it is read meanwhile. */
  async function feed(): Promise<void> {
    try {
      let coming = pull();
      for (let index = 0; await untilEnded(() => buffer.room()); index++) {
        const row = await coming;
        if (row === undefined) break;
        coming = pull();
        buffer.add(answerer.answer(row, index, await buffer.orIdle(coming)));
      }
      buffer.end();
    } catch (error) {
      buffer.end({ error });
    } finally {
      answerer.end();
    }
  }

  /** Undefined after the last row. */
  function pull(): Promise<CheckedRow | undefined> {
    const row = untilEnded(async () => {
      const next = await source.next();
      return next.done === true ? undefined : checkRow(next.value, settings);
    });
    // The error is thrown where the row is awaited.
    row.catch(() => undefined);
    return row;
  }
}

/** Results that wait to be taken, at most: so many for each row in hand. One long row does not keep the workers idle that others could use. */
const WAITING_FOR_EACH = 8;

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** Results under way or finished, until they are taken: in the order in which they were added, or in which they were finished. */
class ReorderBuffer<T> {
  readonly #concurrency: number;
  readonly #ordered: boolean;
  readonly #finished = new Map<number, Outcome<T>>();
  #added = 0;
  #taken = 0;
  #running = 0;
  #end: { readonly error?: unknown } | undefined;
  #hasFailed = false;
  #changed = newBell();

  constructor({ concurrency, ordered }: { readonly concurrency: number; readonly ordered: boolean }) {
    this.#concurrency = concurrency;
    this.#ordered = ordered;
  }

  /** Resolves once one more may be added: with false if none is wanted any more, since one has failed. */
  async room(): Promise<boolean> {
    const most = (1 + WAITING_FOR_EACH) * this.#concurrency;
    while (!this.#hasFailed && (this.#running >= this.#concurrency || this.#added - this.#taken >= most)) await this.#changed.rung;
    return !this.#hasFailed;
  }

  add(result: Promise<T>): void {
    const place = this.#added++;
    this.#running++;
    const finish = (outcome: Outcome<T>): void => {
      this.#running--;
      this.#hasFailed ||= "error" in outcome;
      this.#finished.set(place, outcome);
      this.#ring();
    };
    const outcome = result.then<Outcome<T>, Outcome<T>>(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    void outcome.then(finish);
  }

  /** Nothing more is added. @param end why, if that is an error: it is thrown after all results */
  end(end: { readonly error?: unknown } = {}): void {
    this.#end = end;
    this.#ring();
  }

  /** The next result, once it is there; undefined after the last one. @throws what the result was rejected with, or what was the end. */
  async take(): Promise<T | undefined> {
    for (;;) {
      const place = this.#ordered ? this.#taken : this.#finished.keys().next().value;
      const outcome = place === undefined ? undefined : this.#finished.get(place);
      if (place !== undefined && outcome !== undefined) {
        this.#finished.delete(place);
        this.#taken++;
        this.#ring();
        if ("error" in outcome) throw outcome.error;
        return outcome.value;
      }
      if (this.#end !== undefined && this.#taken === this.#added) {
        if ("error" in this.#end) throw this.#end.error;
        return undefined;
      }
      await this.#changed.rung;
    }
  }

  async settled(): Promise<void> {
    while (this.#running > 0) await this.#changed.rung;
  }

  /** The awaited value, if it is there while something else is under way: until then, waiting for it costs no time. */
  async orIdle<V>(awaited: Promise<V>): Promise<V | undefined> {
    let outcome: { readonly value: V | undefined } | undefined;
    const settle = (value?: V): void => {
      outcome = { value };
      this.#ring();
    };
    awaited.then(settle, () => {
      settle();
    });
    while (outcome === undefined && this.#running > 0) await this.#changed.rung;
    // A value that is there already comes within a turn of the event loop.
    if (outcome === undefined) await new Promise((resolve) => setTimeout(resolve));
    return outcome?.value;
  }

  #ring(): void {
    this.#changed.ring();
    this.#changed = newBell();
  }
}

function newBell(): { readonly rung: Promise<void>; readonly ring: () => void } {
  let ring: () => void = () => undefined;
  const rung = new Promise<void>((resolve) => (ring = resolve));
  return { rung, ring };
}
