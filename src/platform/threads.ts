/** More threads than this wait for each other longer than they work: the model's products are small. */
const MAX_USEFUL_THREADS = 4;

/**
 * Half of the processors, since the program or page that we live in needs some; but two where there are two: on idle ones that is a quarter faster.
 * Threads of a run spin while they wait for each other, so that on processors busy with something else more of them are slower (bench/speed.mjs).
 */
export function usefulThreads(processors: number): number {
  return Math.min(processors, Math.max(2, Math.floor(processors / 2)), MAX_USEFUL_THREADS);
}
