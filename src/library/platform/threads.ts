/** With more threads than this, a run spends more time waiting than it saves: the model's matrices are small. */
const MAX_USEFUL_THREADS = 4;

/**
 * Threads for one run: half of the processors, because the program or page needs some, too. On two processors both are used, which is a quarter
 * faster when they are idle. The threads of a run spin while they wait for each other, so on busy processors more of them are slower
 * (bench/speed.mjs of the repository).
 */
export function usefulThreads(processors: number): number {
  return Math.min(processors, Math.max(2, Math.floor(processors / 2)), MAX_USEFUL_THREADS);
}
