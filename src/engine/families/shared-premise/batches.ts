import { distinctInOrder } from "../../token-lists.ts";

/** Query rows times tokens in the caches of one run, at most: it bounds the attention scores (12 heads of float32) to about 25 MB. */
const MAX_SCORES = 2 ** 19;

/**
 * Groups the options into batches. Each text occurs once. The order is by length, then token ids, so the caller's order has no effect. The caches that
 * the rows attend to limit the size of a batch.
 * @param options token ids of each option
 * @param cachedTokens tokens of the state and the question
 */
export function toBatches(options: readonly (readonly number[])[], cachedTokens: number): (readonly number[])[][] {
  const batches: (readonly number[])[][] = [];
  let batch: (readonly number[])[] = [];
  for (const tokens of distinctInOrder(options)) {
    const queryRows = (batch.length + 1) * (tokens.length + 2);
    const firstLength = batch[0]?.length ?? tokens.length;
    // Much longer than the shortest one of the batch: its padding would cost more than another run.
    const isRagged = tokens.length > 2 * firstLength + 8;
    if (batch.length > 0 && (isRagged || queryRows * (cachedTokens + tokens.length + 2) > MAX_SCORES)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(tokens);
  }
  return [...batches, batch];
}
