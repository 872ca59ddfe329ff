// @ts-check
// Tells how sure an answer is, in words and numbers.

/** @typedef {import("./index.browser.js").Answer} Answer */
/** @typedef {{ words: string, strength: 1 | 2 | 3 | 4, hint: string }} Sureness */

/** @type {readonly { accuracy: number, confidence: number, sureness: Sureness }[]} the words and limits of the command line */
const LEVELS = [
  { accuracy: 0.9, confidence: 0.7, sureness: { words: "sure", strength: 4, hint: "" } },
  { accuracy: 0.75, confidence: 0.4, sureness: { words: "fairly sure", strength: 3, hint: "" } },
  { accuracy: 0.6, confidence: 0.25, sureness: { words: "tentative", strength: 2, hint: "" } },
  { accuracy: 0, confidence: 0, sureness: { words: "not sure", strength: 1, hint: "better ask a person" } },
];
const UNSURE = /** @type {{ sureness: Sureness }} */ (LEVELS.at(-1)).sureness;

/**
 * By how often answers like this one are right; of a model that does not say so, by confidence. A warning makes every answer unsure.
 * @param {Answer} answer
 * @returns {Sureness}
 */
export function surenessOf(answer) {
  const { x_accuracy: measured, x_warnings } = answer;
  if (x_warnings !== undefined) return UNSURE;
  // A yes/no answer states no confidence; its distance from even odds is that of a choice between yes and no.
  const stated = "confidence" in answer ? answer.confidence : Math.abs(2 * answer.noul - 1);
  const level = LEVELS.find(({ accuracy, confidence }) => (measured === undefined ? stated >= confidence : measured >= accuracy));
  return level?.sureness ?? UNSURE;
}

/**
 * Formats a fraction of 0 to 1 as a percentage. 0% and 100% are used only if they are right to a tenth of a percent.
 * @param {number} share
 */
export function percent(share) {
  const rounded = Math.round(share * 100);
  if (rounded === 0 && share >= 0.0005) return "<1%";
  if (rounded === 100 && share < 0.9995) return ">99%";
  return `${rounded}%`;
}

/**
 * Formats a confidence with two digits, rounded down, so that the number never looks better than the words next to it.
 * @param {number} confidence
 */
export function confidenceText(confidence) {
  return (Math.floor(confidence * 100 + 1e-9) / 100).toFixed(2);
}

/**
 * How often answers like this one were right on questions that the model had not seen: of its type, with about as many options and this probability.
 * @param {Answer} answer
 * @returns {number | undefined} 0 to 1; undefined if the model does not state it, or if the text is of another kind than those questions
 */
export function measuredAccuracy({ x_accuracy, x_warnings }) {
  return x_warnings === undefined ? x_accuracy : undefined;
}
