import type { Plan } from "../plan.ts";

/**
 * Those of the rows that a run is about: a sample, up to a limit. Whether a row is in the sample depends on its number and the seed alone, so the sample is
 * the same each time, and of a longer input the larger.
 */
export async function* selected<T>(rows: AsyncIterable<T>, { limit, sample, seed }: Plan["rows"]): AsyncGenerator<T, void, void> {
  let number = 0;
  let taken = 0;
  for await (const row of rows) {
    number++;
    if (sample !== null && shareOf(number, seed) >= sample) continue;
    yield row;
    taken++;
    if (taken === limit) return;
  }
}

/** A share from 0 to 1 that looks random: the numbers' bits, mixed (the finaliser of MurmurHash3). */
function shareOf(number: number, seed: number): number {
  let bits = (Math.imul(number, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b)) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
