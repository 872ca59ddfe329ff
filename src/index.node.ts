import { createDeciderOn } from "./decider/create-decider.ts";
import type { DeciderOptions, LazyDecider } from "./decider/decider.ts";
import { nodePlatform } from "./platform/node/platform.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions } from "./decide/types.ts";

export * from "./public.ts";

const platform = nodePlatform(new URL("./", import.meta.url));

let shared: LazyDecider | undefined;

/**
 * Answers every question of the request from its state alone, with the newest model of the package, on this machine.
 * The model is loaded at the first call into a worker thread that all calls share; it does not keep the program alive.
 * @throws {DecideError} `invalid_request`, `input_too_long`, `model_not_found`, `model_invalid`, `backend_unavailable`, `backend_failed`, `worker_lost`, `overloaded`.
 * @throws `signal.reason` once the signal is aborted.
 */
export function decide<const Q extends Questions>(request: DecideRequest<Q>, options?: DecideOptions): Promise<DecideResponse<Q>> {
  shared ??= createDecider();
  return shared.decide(request, options);
}

/** Forgets the model files that a browser's cache keeps. On Node, which keeps none, it does nothing; the name is there for code that runs on both. */
export function clearCache(): Promise<void> {
  return Promise.resolve();
}

/**
 * A decider of your own: another model, precision or number of threads; closed when you close it. It loads its model when it is first used, or at
 * once when awaited: `await using decider = await createDecider()`.
 * @throws {DecideError} `invalid_request` for options that are none.
 */
export function createDecider(options?: DeciderOptions): LazyDecider {
  return createDeciderOn(platform, options);
}
