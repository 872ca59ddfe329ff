import type { ByteBudget } from "./body/byte-budget.ts";
import type { FairQueue } from "./queue/fair-queue.ts";
import type { HandlerSettings } from "./handler-options.ts";
import type { RateLimit } from "./queue/rate-limit.ts";

/** What a handler is made of: its options with nothing left open, and what it keeps between requests. */
export interface HandlerContext extends HandlerSettings {
  readonly queue: FairQueue;
  readonly rateLimit: RateLimit;
  /** Of the bodies that arrive. */
  readonly arriving: ByteBudget;
  /** The service as it is set up. */
  readonly openApi: object;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}
