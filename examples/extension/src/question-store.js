// @ts-check
// The questions are all that the extension keeps, and they stay on this device: `local`, not `sync`.
import { DEFAULT_QUESTIONS } from "./default-questions.js";
import { checkDraft, MAX_QUESTIONS, toDraft } from "./questions.js";

/** @import { PageQuestion } from "./questions.js" */

const KEY = "questions";

/** The user's questions; the default ones until there are any, or where what is kept cannot be read. */
export async function loadQuestions() {
  const { [KEY]: kept } = await chrome.storage.local.get(KEY);
  return Array.isArray(kept) ? kept.slice(0, MAX_QUESTIONS).flatMap(asQuestion) : DEFAULT_QUESTIONS;
}

/** @param {readonly PageQuestion[]} questions */
export async function saveQuestions(questions) {
  await chrome.storage.local.set({ [KEY]: questions });
}

export async function restoreDefaultQuestions() {
  await chrome.storage.local.remove(KEY);
}

/**
 * What is kept may be of another version of the extension. It is held to the rules of the form; what breaks them is left out.
 * @param {unknown} kept
 * @returns {PageQuestion[]}
 */
function asQuestion(kept) {
  try {
    const checked = checkDraft(toDraft(/** @type {PageQuestion} */ (kept)));
    return "question" in checked ? [checked.question] : [];
  } catch {
    return [];
  }
}
