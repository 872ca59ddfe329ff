import { createDeciderOn } from "./decider/create-decider.ts";
import type { DeciderOptions, LazyDecider } from "./decider/decider.ts";
import { clearFileCache } from "./platform/browser/file-cache.ts";
import { browserPlatform } from "./platform/browser/platform.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions } from "./decide/types.ts";

export * from "./public.ts";

let shared: LazyDecider | undefined;

/**
 * Answers every question of the request from its state alone, with the newest model of the package, in this browser.
 * The model is fetched from the page's own origin at the first call, into a worker that all calls share, and kept in the browser's cache.
 * @throws {DecideError} `invalid_request`, `input_too_long`, `model_not_found`, `model_invalid`, `backend_unavailable`, `backend_failed`, `worker_lost`, `overloaded`.
 * @throws `signal.reason` once the signal is aborted.
 */
export function decide<const Q extends Questions>(request: DecideRequest<Q>, options?: DecideOptions): Promise<DecideResponse<Q>> {
  shared ??= createDecider();
  return shared.decide(request, options);
}

/**
 * A decider of your own: another model, device or number of threads; closed when you close it. It loads its model when it is first used, or at
 * once when awaited: `await using decider = await createDecider()`.
 * @throws {DecideError} `invalid_request` for options that are none.
 */
export function createDecider(options?: DeciderOptions): LazyDecider {
  return createDeciderOn(browserPlatform, options);
}

/** Forgets the model and runtime files that umpire keeps in the browser's cache for this origin. What is loaded stays loaded. */
export function clearCache(): Promise<void> {
  return clearFileCache();
}
