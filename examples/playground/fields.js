// @ts-check
// Reads the draft from the page's fields and replaces it there.
import { byId } from "./dom.js";
import { dataOf } from "./draft.js";
import { toDraft } from "./open-request.js";
import { readQuestions, showQuestions } from "./questions.js";
import { readText, showText } from "./text-input.js";
import { offerUndo } from "./undo.js";

/** @typedef {import("./draft.js").Draft} Draft */

/** @returns {Draft} */
export const readDraft = () => ({ ...readText(), questions: readQuestions() });

/** @param {Draft} draft */
export function showDraft(draft) {
  showText(draft);
  showQuestions(draft.questions);
}

/**
 * @param {Draft} draft
 * @param {string} what happened
 */
export function replaceDraft(draft, what) {
  const before = readDraft();
  showDraft(draft);
  offerUndo(what, () => showDraft(before));
}

/** @param {{ name: string, text: string }} file a text, or a request that was saved */
export function openFile({ name, text }) {
  const draft = toDraft(dataOf(text));
  replaceDraft(draft ?? { ...readDraft(), text, isData: dataOf(text) !== undefined }, `${name} opened.`);
  byId("text").focus();
}
