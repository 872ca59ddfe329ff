// @ts-check
// The page's decider, created with the chosen settings when it is first needed.
import { createDecider, DecideError } from "./index.browser.js";

/** @typedef {import("./index.browser.js").DeciderOptions} DeciderOptions */
/** @typedef {import("./index.browser.js").DeciderInfo} DeciderInfo */
/** @typedef {import("./index.browser.js").DecideRequest} DecideRequest */
/** @typedef {import("./index.browser.js").Lesson} Lesson */
/** @typedef {{ response: import("./index.browser.js").DecideResponse, info: DeciderInfo, callMs: number, loadMs: number | undefined }} Outcome */

export class Session {
  /** @type {import("./index.browser.js").LazyDecider | undefined} */
  #decider;
  #isLoaded = false;
  /** @type {Lesson[]} still to be learned, before the next answer */
  #lessons;
  #onRefused;

  /**
   * @param {DeciderOptions} options
   * @param {readonly Lesson[]} [lessons] of earlier sessions
   * @param {(lesson: Lesson, error: DecideError) => void} [onRefused] called for each of them that cannot be learned
   */
  constructor(options, lessons = [], onRefused = () => undefined) {
    this.options = options;
    this.#lessons = [...lessons];
    this.#onRefused = onRefused;
  }

  /**
   * Asks and measures how long the call took. The first call also loads the model, which is measured separately.
   * @param {DecideRequest} request
   * @param {AbortSignal} signal
   * @param {() => void} onLoad called if the model must be loaded first
   * @returns {Promise<Outcome>}
   */
  async ask(request, signal, onLoad) {
    const wasLoaded = this.#isLoaded;
    const mustLearn = this.#lessons.length > 0;
    const startMs = performance.now();
    if (mustLearn) onLoad();
    await this.#learnEarlier(signal);
    const decider = this.#made();
    let loadedMs = startMs;
    let endMs = startMs;
    const answering = decider.decide(request, { signal }).finally(() => (endMs = performance.now()));
    // Rejects an invalid request here, before anything is fetched.
    await Promise.race([answering, new Promise((resolve) => setTimeout(resolve))]);
    if (!wasLoaded && !mustLearn) onLoad();
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

  /**
   * @param {unknown} question
   * @param {readonly import("./taught.js").Example[]} examples
   * @param {import("./index.browser.js").TeachOptions} options
   */
  teach(question, examples, options) {
    return this.#made().teach(/** @type {import("./index.browser.js").Question} */ (question), /** @type {any} */ (examples), options);
  }

  /** @param {Lesson} lesson */
  async learn(lesson) {
    // Lessons of earlier sessions come first: one of the same question would take the place of this one.
    await this.#learnEarlier(new AbortController().signal);
    return this.#made().learn(lesson);
  }

  /** @param {Lesson} lesson */
  forget(lesson) {
    this.#lessons = this.#lessons.filter(({ id }) => id !== lesson.id);
    this.#decider?.forget(lesson.id);
  }

  /**
   * @param {DecideRequest} request
   * @param {string} id of the question
   * @param {AbortSignal} signal
   */
  async explain(request, id, signal) {
    await this.#learnEarlier(signal);
    return this.#made().explain(request, id, { signal });
  }

  /**
   * @param {unknown} question
   * @param {AbortSignal} signal
   */
  check(question, signal) {
    return this.#made().check(/** @type {import("./index.browser.js").Question} */ (question), { signal });
  }

  /** Frees the model once pending calls are answered. */
  close() {
    void this.#decider?.close();
  }

  #made() {
    return (this.#decider ??= createDecider(this.options));
  }

  /**
   * Learns the lessons of earlier sessions, if that is still to be done.
   * @param {AbortSignal} signal
   */
  async #learnEarlier(signal) {
    const ended = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
    ended.catch(() => undefined);
    for (let [lesson] = this.#lessons; lesson !== undefined; [lesson] = this.#lessons) {
      const learned = lesson;
      try {
        await Promise.race([this.#made().learn(learned), ended]);
      } catch (error) {
        if (!DecideError.isInstance(error) || error.code !== "invalid_request") throw error;
        this.#onRefused(learned, error);
      }
      this.#lessons = this.#lessons.filter((other) => other !== learned);
    }
  }
}
