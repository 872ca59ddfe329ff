// @ts-check
// The page's decider, created with the chosen settings when it is first needed.
import { createDecider } from "./index.browser.js";

/** @typedef {import("./index.browser.js").DeciderOptions} DeciderOptions */
/** @typedef {import("./index.browser.js").DeciderInfo} DeciderInfo */
/** @typedef {import("./index.browser.js").DecideRequest} DecideRequest */
/** @typedef {{ response: import("./index.browser.js").DecideResponse, info: DeciderInfo, callMs: number, loadMs: number | undefined }} Outcome */

export class Session {
  /** @type {import("./index.browser.js").LazyDecider | undefined} */
  #decider;
  #isLoaded = false;

  /** @param {DeciderOptions} options */
  constructor(options) {
    this.options = options;
  }

  /**
   * Asks and measures how long the call took. The first call also loads the model, which is measured separately.
   * @param {DecideRequest} request
   * @param {AbortSignal} signal
   * @param {() => void} onLoad called if the model must be loaded first
   * @returns {Promise<Outcome>}
   */
  async ask(request, signal, onLoad) {
    const decider = (this.#decider ??= createDecider(this.options));
    const wasLoaded = this.#isLoaded;
    const startMs = performance.now();
    let loadedMs = startMs;
    let endMs = startMs;
    const answering = decider.decide(request, { signal }).finally(() => (endMs = performance.now()));
    // Rejects an invalid request here, before anything is fetched.
    await Promise.race([answering, new Promise((resolve) => setTimeout(resolve))]);
    if (!wasLoaded) onLoad();
    const loading = decider.info().then(() => {
      if (!wasLoaded) loadedMs = performance.now();
      this.#isLoaded = true;
    });
    loading.catch(() => undefined);
    const response = await answering;
    // Read again, because another device answers if the GPU fails during the call.
    const info = await decider.info();
    return { response, info, callMs: endMs - loadedMs, loadMs: wasLoaded ? undefined : loadedMs - startMs };
  }

  /** Frees the model once pending calls are answered. */
  close() {
    void this.#decider?.close();
  }
}
