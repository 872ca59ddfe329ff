import type { CreateDecider } from "../create-decider.ts";
import type { Decider, DeciderOptions } from "../../../library/decider/decider.ts";

/**
 * Answers rows. It keeps no states: rows beside each other that are about the same state have it read once anyway, and keeping the states of all others
 * only takes time.
 */
export function createRowsDecider(createDecider: CreateDecider, options: Omit<DeciderOptions, "cacheBytes">): Decider {
  return createDecider({ ...options, cacheBytes: 0 });
}
