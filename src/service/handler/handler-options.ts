import type { Decider } from "../../library/decider/decider.ts";
import {
  A_DECIDER,
  A_FUNCTION,
  canDo,
  Field,
  isPlainObject,
  matching,
  refuseUnknown,
  throwIfOptionsInvalid,
} from "../../library/validation/field.ts";
import type { Rule } from "../../library/validation/field.ts";
import type { Keys } from "../auth/keys.ts";
import type { Credits } from "../billing/credits.ts";
import { parsePrices } from "../billing/prices.ts";
import { checkOrigins } from "./cors.ts";
import { FIXED_LIMITS, readLimits, type AllLimits, type ServiceLimits } from "./limits.ts";
import type { OnServed } from "./observation.ts";

export interface HandlerOptions {
  /** Answers the requests. The handler never closes it. */
  readonly decider: Decider;
  /** Keys of the clients. Default: anyone may ask, and an `Authorization` header is ignored. */
  readonly keys?: Keys | undefined;
  /** The cost of requests; needs `keys`. Default: requests are free. */
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
   * Answers a web-standard request and never rejects. Called like `fetch`, with a URL, it rejects like `fetch` when the caller aborts. An `Arrival` as second
   * argument says who sent the request; other things that servers pass with a request are ignored.
   */
  (input: Request | URL | string, init?: unknown): Promise<Response>;
  /** Number of requests that wait in the queue, and of requests that are being answered. */
  readonly load: { readonly waiting: number; readonly running: number };
}

/** A handler's options with all defaults filled in. */
export interface HandlerSettings extends Omit<HandlerOptions, "limits" | "basePath"> {
  readonly limits: AllLimits;
  readonly basePath: string;
}

/** Every option, so that the compiler asks for each. */
const KNOWN: { readonly [Name in keyof HandlerOptions]-?: true } = {
  decider: true,
  keys: true,
  credits: true,
  limits: true,
  basePath: true,
  corsOrigins: true,
  onServed: true,
};

export const HANDLER_OPTIONS: readonly string[] = Object.keys(KNOWN);

const BASE_PATH = matching(/^(\/[\w.~-]+)*$/u, 'empty or like "/ai", without a slash at its end');

/** By what they can do: keys and ledgers may be the caller's own. An array has a `find`, too. */
const KEYS: Rule = {
  isKept: (value) => canDo(value, ["find"]) && !Array.isArray(value),
  words: "what createKeys() or watchKeyFile() returns, such as createKeys([await keyFromSecret(...)])",
};
const LEDGER: Rule = {
  isKept: (value) => canDo(value, ["mayCharge", "hold", "charge", "release"]),
  words: "a ledger, such as await openLedger(...)",
};

/** @param fixed limits that are no options; tests give others @throws {DecideError} `invalid_request` naming every invalid option, or every invalid price. */
export function readHandlerOptions(given: HandlerOptions, fixed: Partial<typeof FIXED_LIMITS> = {}): HandlerSettings {
  const options = new Field(given, ["options"]);
  if (!options.isObject("an object with a decider")) throwIfOptionsInvalid(options.issues);
  const { decider, keys, credits, basePath = "", corsOrigins, onServed } = given;
  if (isPlainObject(credits)) parsePrices(credits.prices);
  refuseUnknown(options, HANDLER_OPTIONS);
  const limits = { ...checkParts(options), ...FIXED_LIMITS, ...fixed };
  if (credits !== undefined && keys === undefined) {
    options.at("credits", credits).refuse("needs keys: without keys, there is nobody to charge", "missing");
  }
  throwIfOptionsInvalid(options.issues);
  return { decider, keys, credits, limits, basePath, corsOrigins, onServed };
}

/** An issue for each part of the handler that cannot be used as one, and for each invalid limit. @returns the limits, valid only if there are no issues */
export function checkParts(options: Field): ServiceLimits {
  options.get("decider").keeps(A_DECIDER);
  options.get("keys").mayKeep(KEYS);
  const credits = options.get("credits");
  if (!credits.isMissing && credits.isObject("an object with ledger and prices")) credits.get("ledger").keeps(LEDGER);
  checkOrigins(options.get("corsOrigins"));
  options.get("onServed").mayKeep(A_FUNCTION);
  options.get("basePath").mayKeep(BASE_PATH);
  return readLimits(options.get("limits"));
}
