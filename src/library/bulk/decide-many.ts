import { abortable } from "../async/abortable.ts";
import { whenAborted } from "../async/when-aborted.ts";
import { AnswerRow } from "./answer-row.ts";
import type { RowDecider } from "./answer-row.ts";
import { Deliveries } from "./deliveries.ts";
import { readManyOptions } from "./options.ts";
import { checkRow } from "./row.ts";
import { Source } from "./source.ts";
import type { CheckedRow } from "./row.ts";
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
  const deliveries = new Deliveries<ManyResult>(settings);
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
      const result = await untilEnded(() => deliveries.take());
      if (result === undefined) return;
      yield result;
    }
  } finally {
    stopListening();
    ending.abort();
    await feeding;
    await deliveries.settled();
    await source.close();
  }

  /** Starts a row whenever there is room for one. The row after it is read meanwhile. */
  async function feed(): Promise<void> {
    try {
      let coming = pull();
      for (let index = 0; await untilEnded(() => deliveries.room()); index++) {
        const row = await coming;
        if (row === undefined) break;
        coming = pull();
        deliveries.add(answerRow.answer(row, index, await deliveries.orIdle(coming)));
      }
      deliveries.end();
    } catch (error) {
      deliveries.end({ error });
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
    // Whoever waits for the row is told.
    row.catch(() => undefined);
    return row;
  }
}
