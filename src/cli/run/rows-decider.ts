import { createDeciderOn } from "../../decider/create-decider.ts";
import type { Decider, DeciderOptions } from "../../decider/decider.ts";
import type { Platform } from "../../platform/platform.ts";

/**
 * Answers rows. It keeps no states: rows beside each other that are about the same state have it read once anyway, and keeping the states of all others
 * only takes time.
 */
export function createRowsDecider(platform: Platform, options: Omit<DeciderOptions, "cacheBytes">): Decider {
  return createDeciderOn(platform, { ...options, cacheBytes: 0 });
}
