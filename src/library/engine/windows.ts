/** A window of a text's tokens: from `start`, `length` of them. */
export interface Window {
  readonly start: number;
  readonly length: number;
}

/**
 * Cuts `tokens` tokens into windows of at most `capacity` that overlap by at least `overlap`. All windows have one length, so that a batch
 * of them needs no padding; a text that fits is one window of its own length, an empty one too.
 */
export function toWindows(tokens: number, capacity: number, overlap: number): Window[] {
  if (tokens <= capacity) return [{ start: 0, length: tokens }];
  const count = Math.ceil((tokens - overlap) / (capacity - overlap));
  return Array.from({ length: count }, (_, i) => ({
    start: Math.floor((i * (tokens - capacity)) / (count - 1)),
    length: capacity,
  }));
}
