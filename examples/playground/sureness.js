// @ts-check
// Tells how sure an answer is, in words and numbers.

/** @typedef {import("./index.browser.js").Answer} Answer */
/** @typedef {import("./index.browser.js").Calibration} Calibration */
/** @typedef {{ words: string, strength: 1 | 2 | 3 | 4, hint: string }} Sureness */

/** @type {readonly { least: number, sureness: Sureness }[]} the words of the command line */
const LEVELS = [
  { least: 0.7, sureness: { words: "sure", strength: 4, hint: "" } },
  { least: 0.4, sureness: { words: "fairly sure", strength: 3, hint: "" } },
  { least: 0.25, sureness: { words: "tentative", strength: 2, hint: "" } },
  { least: 0, sureness: { words: "not sure", strength: 1, hint: "better ask a person" } },
];
const UNSURE = /** @type {{ sureness: Sureness }} */ (LEVELS.at(-1)).sureness;

/**
 * @param {Answer} answer
 * @returns {Sureness}
 */
export function surenessOf(answer) {
  // A yes/no answer states no confidence; its distance from even odds is that of a choice between yes and no.
  const confidence = answer.type === "noul" ? Math.abs(2 * answer.noul - 1) : answer.confidence;
  return LEVELS.find(({ least }) => confidence >= least)?.sureness ?? UNSURE;
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
 * How often answers with this confidence were right on questions that the model had not seen, if its pack records it.
 * @param {Answer} answer
 * @param {Calibration} calibration
 * @returns {number | undefined} 0 to 1
 */
export function measuredAccuracy(answer, calibration) {
  const points = calibration.accuracyByConfidence?.[answer.type];
  if (points === undefined || points.length === 0) return undefined;
  const confidence = answer.type === "noul" ? Math.max(answer.noul, 1 - answer.noul) : answer.confidence;
  const next = points.findIndex((point) => point.confidence >= confidence);
  const [before, after] = [points[next - 1], points[next]];
  if (after === undefined) return points.at(-1)?.accuracy;
  if (before === undefined) return after.accuracy;
  const along = (confidence - before.confidence) / (after.confidence - before.confidence);
  return before.accuracy + along * (after.accuracy - before.accuracy);
}
