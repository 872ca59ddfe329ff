/**
 * A seeded generator of random numbers from 0 to 1 (mulberry32: a mixed 32-bit counter).
 * @param seed a whole number
 */
export function randomFrom(seed: number): () => number {
  let counter = seed | 0;
  return () => {
    counter = (counter + 0x6d2b79f5) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 15), 1 | counter);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A copy in random order (Fisher and Yates, from the end). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last >= 0; last--) {
    const chosen = Math.floor(random() * (last + 1));
    [mixed[last], mixed[chosen]] = [mixed[chosen] as T, mixed[last] as T];
  }
  return mixed;
}

/** At most `count` of the items, in random order. The same items, count and seed give the same result. */
export function sampled<T>(items: readonly T[], count: number, seed: number): T[] {
  return shuffled(items, randomFrom(seed)).slice(0, count);
}
