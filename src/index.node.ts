import { createDeciderOn } from "./library/decider/create-decider.ts";
import type { DeciderOptions, LazyDecider } from "./library/decider/decider.ts";
import { fallbackWarning, nodePlatform, packageFolder } from "./library/platform/node/platform.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions, State } from "./library/decide/types.ts";
import type { Platform } from "./library/platform/platform.ts";

export * from "./public.ts";

// The command line has its own note.
const platform: Platform = { ...nodePlatform(() => packageFolder(import.meta.url)), onLoaded: fallbackWarning() };

let shared: LazyDecider | undefined;

/**
 * Answers every question of the request from its state alone, on this machine, with the best model that is installed: `umpire-3-base` where
 * the package umpire-base is, else `umpire-2`.
 * The first call loads the model into a worker thread that all calls share. That thread does not keep the program alive.
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

/** Does nothing on Node, which has no cache. It exists for code that also runs in a browser. */
export function clearCache(): Promise<void> {
  return Promise.resolve();
}

/**
 * A decider of your own, with its own model, device, precision or number of threads. It lives until you close it. It loads its model at its first use, or at
 * once when awaited: `const decider = await createDecider()`, and later `await decider.close()`.
 * @throws {DecideError} `invalid_request` for invalid options
 */
export function createDecider(options?: DeciderOptions): LazyDecider {
  return createDeciderOn(platform, options);
}
