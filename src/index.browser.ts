import { createDeciderOn } from "./library/decider/create-decider.ts";
import type { DeciderOptions, LazyDecider } from "./library/decider/decider.ts";
import { browserPlatform } from "./library/platform/browser/platform.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions, State } from "./library/decide/types.ts";

export { clearCache } from "./library/platform/browser/file-cache.ts";
export * from "./public.ts";

let shared: LazyDecider | undefined;

/**
 * Answers every question of the request from its state alone, in this browser, with the package's newest model.
 * The first call fetches the model from the page's own origin into a worker that all calls share. The browser's cache keeps it.
 * @throws {DecideError} `invalid_request`, `input_too_long`, `model_not_found`, `model_invalid`, `backend_unavailable`, `backend_failed`, `worker_lost`, `overloaded`
 * @throws `signal.reason` when the signal is aborted
 */
export function decide<const Q extends Questions, S extends State = State>(
  request: DecideRequest<Q, S>,
  options?: DecideOptions,
): Promise<DecideResponse<Q>> {
  shared ??= createDecider();
  return shared.decide(request, options);
}

/**
 * A decider of your own, with its own model, device or number of threads. It lives until you close it. It loads its model at its first use, or at
 * once when awaited: `const decider = await createDecider()`, and later `await decider.close()`.
 * @throws {DecideError} `invalid_request` for invalid options
 */
export function createDecider(options?: DeciderOptions): LazyDecider {
  return createDeciderOn(browserPlatform, options);
}
