import { abortable } from "../async/abortable.ts";
import { whenAborted } from "../async/when-aborted.ts";
import { AnswerRow } from "./answer-row.ts";
import type { RowDecider } from "./answer-row.ts";
import { Deliveries } from "./deliveries.ts";
import { readManyOptions } from "./options.ts";
import { checkRow } from "./row.ts";
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
  const source = new Source(rows);
  const deliveries = new Deliveries<ManyResult>(settings);
  const ending = new AbortController();
  const stopListening = whenAborted(settings.signal ?? ending.signal, () => {
    ending.abort(settings.signal?.reason);
  });
  const answerRow = new AnswerRow(decider, settings, ending.signal);
  const feeding = feed();
  try {
    for (;;) {
      const result = await abortable(deliveries.take(), ending.signal);
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

  /** Starts a row whenever there is room for one. */
  async function feed(): Promise<void> {
    try {
      for (let index = 0; await abortable(deliveries.room(), ending.signal); index++) {
        const next = await abortable(source.next(), ending.signal);
        if (next.done === true) break;
        deliveries.add(answerRow.answer(checkRow(next.value, settings), index));
      }
      deliveries.end();
    } catch (error) {
      deliveries.end({ error });
    }
  }
}
