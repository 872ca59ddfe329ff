import type { Decider, DeciderInfo, DeciderOptions, DeciderStats, LazyDecider, ModelSummary } from "./decider.ts";
import { PlatformDecider } from "./platform-decider.ts";
import type { Platform } from "../platform/platform.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions, State } from "../decide/types.ts";

/** A decider on a platform. Awaiting it loads the model: then a model that cannot be loaded fails there, not at the first call. */
export function createDeciderOn(platform: Platform, options: DeciderOptions = {}): LazyDecider {
  return new Lazy(new PlatformDecider(platform, options));
}

class Lazy implements LazyDecider {
  readonly #decider: PlatformDecider;

  constructor(decider: PlatformDecider) {
    this.#decider = decider;
  }

  decide<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    options?: DecideOptions,
  ): Promise<DecideResponse<Q>> {
    return this.#decider.decide(request, options);
  }

  info(): Promise<DeciderInfo> {
    return this.#decider.info();
  }

  models(): Promise<readonly ModelSummary[]> {
    return this.#decider.models();
  }

  stats(): DeciderStats {
    return this.#decider.stats();
  }

  pause(): Promise<() => void> {
    return this.#decider.pause();
  }

  close(): Promise<void> {
    return this.#decider.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  then<A = Decider, B = never>(
    loaded?: ((decider: Decider) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const decider: Decider = this.#decider;
    return decider
      .info()
      .then(() => decider)
      .then(loaded, failed);
  }
}
