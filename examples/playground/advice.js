// @ts-check
// Says how far to trust an answer.
import { confidenceText, measuredAccuracy, surenessOf } from "./sureness.js";

/** @typedef {import("./index.browser.js").Answer} Answer */

/**
 * In words: how often answers like this one were right, or, where the model does not say so, how sure it is.
 * @param {Answer} answer
 * @returns {import("./sureness.js").Sureness}
 */
export function adviceOf(answer) {
  const sureness = surenessOf(answer);
  const accuracy = measuredAccuracy(answer);
  // Rounded down, so that the number never looks better than it is.
  if (accuracy !== undefined) return { ...sureness, words: `right in about ${Math.floor(accuracy * 100 + 1e-9)} of 100 answers like this` };
  if (!("confidence" in answer) || answer.x_warnings !== undefined) return sureness;
  return { ...sureness, words: `${sureness.words} · confidence ${confidenceText(answer.confidence)}` };
}
