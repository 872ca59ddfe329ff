// @ts-check
// Formats numbers and answers for people.

/** @import { Answer } from "./index.browser.js" */
/** @import { Facts } from "./protocol.js" */
/** @import { PageReading } from "./read-page.js" */

/**
 * How sure the model is, in words, and how many such answers were right. The bounds are this extension's own choice.
 * @param {Answer} answer
 */
export function surenessInWords({ x_accuracy, x_warnings = [] }) {
  if (x_warnings.includes("empty_state")) return "a guess: there is nothing to read";
  if (x_warnings.length > 0) return "a guess: much of the text is in words that the model does not know";
  if (x_accuracy === undefined) return "";
  const right = `${Math.floor(100 * x_accuracy)} of 100 such answers were right`;
  if (x_accuracy >= 0.9) return `sure: ${right}`;
  if (x_accuracy >= 0.75) return `fairly sure: ${right}`;
  return `not sure: ${right}`;
}

/** Shows 0% and 100% only if exact. @param {number} probability */
export function percent(probability) {
  if (probability < 0.01 && probability > 0) return "<1%";
  if (probability > 0.99 && probability < 1) return ">99%";
  return `${Math.round(100 * probability)}%`;
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;
}

/** @param {number} count */
export function inThousands(count) {
  return count.toLocaleString("en");
}

/** Says what was cut, if anything was. @param {PageReading} reading */
export function cutInWords({ text, textCharacters, selection, selectionCharacters }) {
  /** @type {(what: string, read: number, whole: number) => string[]} */
  const sentence = (what, read, whole) =>
    read < whole ? [`Only the first ${inThousands(read)} of the ${what}'s ${inThousands(whole)} characters were read.`] : [];
  return [...sentence("text", text.length, textCharacters), ...sentence("selection", selection.length, selectionCharacters)].join(" ");
}

/** @param {readonly Facts[]} facts of each call */
export function factsInWords(facts) {
  const [first] = facts;
  if (first === undefined) return "";
  const tookMs = facts.reduce((sum, fact) => sum + fact.tookMs, 0);
  const took = tookMs < 1000 ? `${Math.max(1, Math.round(tookMs))} ms` : `${(tookMs / 1000).toFixed(1)} s`;
  return `Answered in ${took} on this device (${first.model}, ${first.device}, ${first.threads} ${first.threads === 1 ? "thread" : "threads"})`;
}
