import type { Decider } from "../decider/decider.ts";
import { Field } from "../validation/field.ts";
import { throwIfOptionsInvalid } from "../validation/invalid.ts";
import { matching } from "../validation/rules.ts";
import type { Keys } from "./auth/keys.ts";
import type { Credits } from "./billing/credits.ts";
import { parsePrices } from "./billing/prices.ts";
import { readLimits } from "./limits.ts";
import type { ServiceLimits } from "./limits.ts";
import type { OnServed } from "./observe.ts";

export interface HandlerOptions {
  /** Answers the requests. The handler never closes it. */
  readonly decider: Decider;
  /** Keys of the clients. Default: anyone may ask, and an `Authorization` header is ignored. */
  readonly keys?: Keys | undefined;
  /** What requests cost; needs `keys`. Default: requests are free. */
  readonly credits?: Credits | undefined;
  readonly limits?: { readonly [Name in keyof ServiceLimits]?: ServiceLimits[Name] | undefined } | undefined;
  /** Path under which everything is served, for example `/ai`. Default: `""`, the root. */
  readonly basePath?: string | undefined;
  /** Origins whose pages may call the service, or `"*"`. Default: none, CORS is off. */
  readonly corsOrigins?: readonly string[] | "*" | undefined;
  /** Called after every request. Errors that it throws are not caught. */
  readonly onServed?: OnServed | undefined;
}

export interface Handler {
  /**
   * Answers a web-standard request and never rejects. Called like `fetch`, with a URL, it rejects like `fetch` when the caller aborts. Other arguments that
   * servers pass with a request are ignored.
   */
  (input: Request | URL | string, init?: unknown): Promise<Response>;
  /** Number of requests that wait in the queue, and of requests that are being answered. */
  readonly load: { readonly waiting: number; readonly running: number };
}

/** A handler's options with all defaults filled in. */
export interface HandlerSettings {
  readonly decider: Decider;
  readonly keys: Keys | undefined;
  readonly credits: Credits | undefined;
  readonly limits: ServiceLimits;
  readonly basePath: string;
  readonly corsOrigins: readonly string[] | "*" | undefined;
  readonly onServed: OnServed | undefined;
}

const BASE_PATH = matching(/^(\/[\w.~-]+)*$/u, 'empty or like "/ai", without a slash at its end');

/** @throws {DecideError} `invalid_request` naming every invalid option, or every invalid price. */
export function readHandlerOptions(given: HandlerOptions): HandlerSettings {
  const { decider, keys, credits, basePath = "", corsOrigins, onServed } = given;
  if (credits !== undefined) parsePrices(credits.prices);
  const options = new Field(given, ["options"]);
  if (credits !== undefined && keys === undefined) {
    options.at("credits", credits).refuse("needs keys: without keys, there is nobody to charge", "missing");
  }
  options.at("basePath", basePath).keeps(BASE_PATH);
  const limits = readLimits(options.at("limits", given.limits));
  throwIfOptionsInvalid(options.issues);
  return { decider, keys, credits, limits, basePath, corsOrigins, onServed };
}
