/** The entry for a number of options: the first one that reaches so far, or else the last. Entries ascend by `maxOptions`; there is none only in an empty list. */
export function bucketFor<B extends { readonly maxOptions: number }>(buckets: readonly B[], options: number): B | undefined {
  return buckets.find(({ maxOptions }) => options <= maxOptions) ?? buckets.at(-1);
}
