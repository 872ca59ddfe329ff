// @ts-check
// Stores the questions, the only data that the extension keeps. They stay on this device: `local`, not `sync`.
import { DEFAULT_QUESTIONS } from "./default-questions.js";
import { checkDraft, MAX_QUESTIONS, toDraft } from "./questions.js";

/** @import { PageQuestion } from "./question-kinds.js" */

const KEY = "questions";

/** Returns the user's questions, or the default ones if there are none or they cannot be read. */
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
 * The stored questions may come from another version of the extension. Those that break the form's rules are left out.
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
