import type { ByteBudget } from "../body/byte-budget.ts";
import type { HandlerSettings } from "./handler-options.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import type { RateLimit } from "../queue/admission.ts";
import type { ReadingQueue } from "../queue/reading-queue.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** A handler's settings, and what it keeps between requests. */
export interface HandlerContext extends HandlerSettings {
  /** For the model. */
  readonly queue: FairQueue;
  /** For this thread, which reads the bodies. */
  readonly reading: ReadingQueue;
  readonly rateLimit: RateLimit;
  /** For the bodies that are being received. */
  readonly bodyBudget: ByteBudget;
  /** As JSON. */
  readonly openApi: string;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** Default: none, every question is answered here. */
  readonly upstream?: Upstream | undefined;
}
