import type { DecideOptions, DeciderOptions, LazyDecider } from "./decider.ts";
import { DecideError } from "./errors.ts";
import type { DecideRequest, DecideResponse, Questions } from "./types.ts";

export * from "./public.ts";

// The place of the browser's entry: bundlers find the same names and types as on Node, and a page that calls them learns why it cannot yet.
const unavailable = (): DecideError =>
  new DecideError(
    "backend_unavailable",
    "This version of umpire runs on Node only. In a page, send the request to a Node process that calls decide().",
  );

/** @throws {DecideError} `backend_unavailable` */
export function decide<const Q extends Questions>(_request: DecideRequest<Q>, _options?: DecideOptions): Promise<DecideResponse<Q>> {
  return Promise.reject(unavailable());
}

/** @throws {DecideError} `backend_unavailable` */
export function createDecider(_options?: DeciderOptions): LazyDecider {
  throw unavailable();
}
