import type { Decider } from "../decider/decider.ts";
import { DecideError } from "../errors.ts";
import type { Issue } from "../errors.ts";
import { shapeOf } from "../validation/shape.ts";
import type { Credits } from "./billing/credits.ts";
import type { Keys } from "./auth/keys.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { ServiceLimits } from "./limits.ts";
import { parsePrices } from "./billing/prices.ts";
import type { OnServed } from "./observe.ts";

export interface HandlerOptions {
  /** What answers. The handler never closes it. */
  readonly decider: Decider;
  /** Who may ask. Default: everybody, and an `Authorization` header is ignored. */
  readonly keys?: Keys | undefined;
  /** What a call costs; needs `keys`. Default: nothing. */
  readonly credits?: Credits | undefined;
  readonly limits?: { readonly [Name in keyof ServiceLimits]?: ServiceLimits[Name] | undefined } | undefined;
  /** Path under which everything is served, e.g. `/ai`. Default: `""`, the root. */
  readonly basePath?: string | undefined;
  /** Origins whose pages may call, or `"*"`. Default: none, CORS is off. */
  readonly corsOrigins?: readonly string[] | "*" | undefined;
  /** Told of every request once it is answered. What it throws is not caught. */
  readonly onServed?: OnServed | undefined;
}

export interface Handler {
  /**
   * Answers a web-standard request; it never rejects. Called as `fetch` is, with a URL, it rejects as `fetch` does once the caller aborts. What servers pass
   * besides a request is ignored.
   */
  (input: Request | URL | string, init?: unknown): Promise<Response>;
  /** How many requests wait for their turn, and how many are being answered. */
  readonly load: { readonly waiting: number; readonly running: number };
}

/** A handler's options with nothing left open. */
export interface HandlerSettings {
  readonly decider: Decider;
  readonly keys: Keys | undefined;
  readonly credits: Credits | undefined;
  readonly limits: ServiceLimits;
  readonly basePath: string;
  readonly corsOrigins: readonly string[] | "*" | undefined;
  readonly onServed: OnServed | undefined;
}

/** @throws {DecideError} `invalid_request` naming every option that is none, and every price. */
export function readHandlerOptions({
  decider,
  keys,
  credits,
  limits,
  basePath = "",
  corsOrigins,
  onServed,
}: HandlerOptions): HandlerSettings {
  const issues: Issue[] = [];
  if (credits !== undefined) parsePrices(credits.prices);
  if (credits !== undefined && keys === undefined) {
    issues.push({ loc: ["options", "credits"], msg: "needs keys: without them nobody knows who pays", type: "missing" });
  }
  if (!/^(\/[\w.~-]+)*$/u.test(basePath)) {
    issues.push({ loc: ["options", "basePath"], msg: 'must be empty or like "/ai", without a slash at its end', type: "unknown_value" });
  }
  const settings = { decider, keys, credits, limits: withDefaults(limits ?? {}, issues), basePath, corsOrigins, onServed };
  const [first] = issues;
  if (first === undefined) return settings;
  throw new DecideError("invalid_request", `The options are not valid: ${first.loc.slice(1).join(".")} ${first.msg}.`, { issues });
}

function withDefaults(given: NonNullable<HandlerOptions["limits"]>, issues: Issue[]): ServiceLimits {
  const known = Object.keys(DEFAULT_LIMITS);
  for (const [name, value] of Object.entries(given)) {
    const loc = ["options", "limits", name];
    if (!known.includes(name)) issues.push({ loc, msg: `is no limit. There are: ${known.join(", ")}`, type: "unknown_field" });
    else if (value !== undefined && !(typeof value === "number" && value >= leastOf(name))) {
      const shown = typeof value === "number" ? value : shapeOf(value);
      issues.push({ loc, msg: `must be a number, ${leastOf(name)} or more, but is ${shown}`, type: "wrong_type" });
    }
  }
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(named) };
}

/** Nobody may wait, or ask: these can be meant. A request of no size at all cannot. */
function leastOf(limit: string): number {
  return ["waitingRequests", "waitingBytes", "requestsPerMinute"].includes(limit) ? 0 : 1;
}
