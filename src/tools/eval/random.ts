import { shuffle } from "simple-statistics";
import { randomFrom } from "../../library/lessons/random.ts";

/** At most `count` of the items, in random order. The same items, count and seed give the same result. */
export function sampled<T>(items: readonly T[], count: number, seed: number): T[] {
  return shuffle([...items], randomFrom(seed)).slice(0, count);
}
