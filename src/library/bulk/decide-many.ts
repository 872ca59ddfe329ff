import { abortable, whenAborted } from "../async/signals.ts";
import { AnswerRow } from "./answer-row.ts";
import type { RowDecider } from "./answer-row.ts";
import { ReorderBuffer } from "./reorder-buffer.ts";
import { checkRow, readManyOptions, Source } from "./rows.ts";
import type { CheckedRow } from "./rows.ts";
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
  const source = new Source(rows);
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
  const answerRow = new AnswerRow(decider, settings, ending.signal);
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
        buffer.add(answerRow.answer(row, index, await buffer.orIdle(coming)));
      }
      buffer.end();
    } catch (error) {
      buffer.end({ error });
    } finally {
      answerRow.end();
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
