import type { Decider } from "../decider.ts";
import type { Credits } from "./credits.ts";
import type { Keys } from "./keys.ts";
import type { Limits } from "./limits.ts";
import type { OnServed } from "./observe.ts";

export interface HandlerOptions {
  /** What answers. The handler never closes it. */
  readonly decider: Decider;
  /** Who may ask. Default: everybody, and an `Authorization` header is ignored. */
  readonly keys?: Keys | undefined;
  /** What a call costs; needs `keys`. Default: nothing. */
  readonly credits?: Credits | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Path under which everything is served, e.g. `/ai`. Default: `""`, the root. */
  readonly basePath?: string | undefined;
  /** Origins whose pages may call, or `"*"`. Default: none, CORS is off. */
  readonly corsOrigins?: readonly string[] | "*" | undefined;
  /** Told of every request once it is answered. What it throws is not caught. */
  readonly onServed?: OnServed | undefined;
}

/** Answers a web-standard request. It never rejects. */
export interface Handler {
  (request: Request): Promise<Response>;
  /** How many requests wait for their turn, and how many are being answered. */
  readonly load: { readonly waiting: number; readonly running: number };
}
