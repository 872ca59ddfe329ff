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
