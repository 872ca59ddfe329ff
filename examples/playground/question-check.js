// @ts-check
// "Check" at a question: warns of what makes its answers bad, with what to write instead.
import { find, make } from "./dom.js";
import { toQuestion } from "./draft.js";
import { readCard } from "./question-card.js";
import { cards } from "./questions.js";
import { keyOf } from "./taught.js";

/** @typedef {import("./index.browser.js").QuestionCheck} QuestionCheck */

/** @type {WeakMap<HTMLElement, { key: string, call: AbortController }>} the check that each card shows, or waits for */
const checks = new WeakMap();

/**
 * @param {HTMLElement} card of a whole question
 * @param {(question: unknown, signal: AbortSignal) => Promise<QuestionCheck>} check
 */
export async function checkCard(card, check) {
  checks.get(card)?.call.abort();
  const question = toQuestion(readCard(card));
  const call = new AbortController();
  checks.set(card, { key: keyOf(question), call });
  show(card, make("p", { class: "note", text: "Checking …" }));
  try {
    const { warnings } = await check(question, call.signal);
    if (!call.signal.aborted) show(card, viewOf(warnings));
  } catch (error) {
    if (!call.signal.aborted) show(card, make("p", { class: "field-problem", text: /** @type {Error} */ (error).message }));
  }
}

/** Takes away what was found about questions that have changed since. */
export function withdrawChecks() {
  for (const card of cards()) {
    const checked = checks.get(card);
    if (checked === undefined || checked.key === keyOf(toQuestion(readCard(card)))) continue;
    checked.call.abort();
    checks.delete(card);
    show(card);
  }
}

/** @param {QuestionCheck["warnings"]} warnings */
function viewOf(warnings) {
  if (warnings.length === 0)
    return make("p", { class: "note", text: "Nothing found that makes answers bad. Only examples show how good they are." });
  return make("ul", { class: "warnings" }, ...warnings.map(({ message }) => make("li", { text: message })));
}

/**
 * @param {HTMLElement} card
 * @param {...HTMLElement} views
 */
function show(card, ...views) {
  find(card, ".checked-question").replaceChildren(...views);
}
