import type { Sequence } from "../../encoders/encoder.ts";
import type { HubTokenizer, SpecialToken } from "../../../tokenizer/hub-tokenizer.ts";
import { distinctInOrder, toWindows } from "../../batch.ts";

type Tokens = readonly number[];

/** A window of the state with a hypothesis: what the model reads in a row. */
export interface Row {
  readonly window: Tokens;
  readonly hypothesis: Tokens;
}

/**
 * Every window with every hypothesis, equal ones once, in ascending order of length. The order depends on the texts alone, so the caller's order has no effect.
 * @param capacity tokens of a window, as many as the longest hypothesis leaves
 */
export function toRows(state: Tokens, hypotheses: readonly Tokens[], capacity: number, overlap: number): Row[] {
  // Long hypotheses leave short windows, which must not be overlap alone.
  const places = toWindows(state.length, capacity, Math.min(overlap, Math.floor(capacity / 2)));
  const windows = distinctInOrder(places.map(({ start, length }) => state.slice(start, start + length)));
  // All windows have one length.
  return distinctInOrder(hypotheses).flatMap((hypothesis) => windows.map((window) => ({ window, hypothesis })));
}

/** The row as the model's tokenizer pairs it. */
export function toSequence({ window, hypothesis }: Row, pair: HubTokenizer["pair"]): Sequence {
  const { before, between, after, premiseType, hypothesisType } = pair;
  const as =
    (type: number): ((id: number) => SpecialToken) =>
    (id) => ({ id, type });
  const tokens = [...before, ...window.map(as(premiseType)), ...between, ...hypothesis.map(as(hypothesisType)), ...after];
  return { ids: tokens.map(({ id }) => id), types: tokens.map(({ type }) => type) };
}

/** How many special tokens each row has. */
export function specialTokens({ before, between, after }: HubTokenizer["pair"]): number {
  return before.length + between.length + after.length;
}

/** What one more run costs beside its tokens: as much as so many of them. Padding beyond it costs more than a run. */
const RUN_TOKENS = 24;

/**
 * Groups rows, in their order, into batches for one run each. No batch has more tokens, padding included, than the longest row may have, so that a run's
 * memory is that of such a row, whatever the request: attention, whose memory grows with the square of the length, has less.
 * @param rows in ascending order of length
 * @param lengthOf a row's tokens, special ones included, up to `maxTokens`
 * @param isPadded whether rows of unequal length may share a run
 */
export function toBatches<Row>(rows: readonly Row[], lengthOf: (row: Row) => number, maxTokens: number, isPadded: boolean): Row[][] {
  const maxPadding = isPadded ? RUN_TOKENS : 0;
  const batches: Row[][] = [];
  let batch: Row[] = [];
  let padding = 0;
  for (const row of rows) {
    const before = batch.at(-1);
    const length = lengthOf(row);
    // Each row before is padded to the length of this one.
    const added = before === undefined ? 0 : batch.length * (length - lengthOf(before));
    if (before !== undefined && (padding + added > maxPadding || (batch.length + 1) * length > maxTokens)) {
      batches.push(batch);
      [batch, padding] = [[], 0];
    } else padding += added;
    batch.push(row);
  }
  return [...batches, batch];
}
