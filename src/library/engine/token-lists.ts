/** Token ids of a text. */
type Tokens = readonly number[];

/** Each list of tokens once, in an order of their own: by length, then by ids. So the caller's order has no effect. */
export function distinctInOrder(lists: readonly Tokens[]): Tokens[] {
  return [...new Map(lists.map((tokens) => [String(tokens), tokens])).values()].sort(byLengthThenIds);
}

function byLengthThenIds(a: Tokens, b: Tokens): number {
  if (a.length !== b.length) return a.length - b.length;
  const at = a.findIndex((id, i) => id !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
