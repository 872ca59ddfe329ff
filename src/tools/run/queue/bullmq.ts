import type * as BullMq from "bullmq";
import { loadPeer } from "../peer.ts";

/** Of all runs: workers serve whatever is on it. */
export const QUEUE_NAME = "umpire";

/** How often a chunk is tried on any machines. A worker that fails rests before it takes another one, so one bad machine does not use them all. */
export const ATTEMPTS = 5;

/** What BullMQ is told about every job. */
export const JOB_OPTIONS: BullMq.DefaultJobOptions = {
  attempts: ATTEMPTS,
  backoff: { type: "exponential", delay: 500 },
  // A failed one says why, until its run begins again or is forgotten.
  removeOnComplete: true,
  removeOnFail: { age: 7 * 24 * 3600 },
  stackTraceLimit: 0,
};

export function loadBullMq(): Promise<typeof BullMq> {
  return loadPeer("A queue", "bullmq", () => import("bullmq"));
}
