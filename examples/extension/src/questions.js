// @ts-check
// The user's questions and the rules for them.
import { QUESTION_KINDS } from "./question-kinds.js";

/** @import { Question } from "./index.browser.js" */
/** @import { PageQuestion } from "./question-kinds.js" */

/**
 * @typedef {{ about: string, type: string, instructions: string, lines: string }} Draft  A question as the form holds it
 * @typedef {{ readonly [field in "instructions" | "lines"]?: string }} Mistakes  Messages by field
 */

/** Chosen for what a popup can show. The library allows more. */
export const MAX_QUESTIONS = 12;
const MAX_INSTRUCTIONS_CHARACTERS = 300;

/**
 * Turns a draft into a question, or returns its mistakes.
 * @param {Draft} draft
 * @returns {{ readonly question: PageQuestion } | { readonly mistakes: Mistakes }}
 */
export function checkDraft(draft) {
  const about = draft.about === "selection" ? "selection" : "page";
  const instructions = draft.instructions.trim();
  const lines = draft.lines.split("\n").flatMap((line) => line.trim() || []);
  /** @type {{ instructions?: string, lines?: string }} */
  const mistakes = {};
  if (instructions === "") mistakes.instructions = "Write the question.";
  else if (instructions.length > MAX_INSTRUCTIONS_CHARACTERS) mistakes.instructions = `At most ${MAX_INSTRUCTIONS_CHARACTERS} characters.`;
  const kind = Object.hasOwn(QUESTION_KINDS, draft.type)
    ? QUESTION_KINDS[/** @type {Question["type"]} */ (draft.type)]
    : QUESTION_KINDS.noul;
  const wrong = kind.wrongLines(lines);
  if (wrong !== undefined) mistakes.lines = wrong;
  return Object.keys(mistakes).length > 0 ? { mistakes } : { question: kind.make(about, instructions, lines) };
}

/**
 * @param {PageQuestion} question
 * @returns {Draft}
 */
export function toDraft(question) {
  const { about, type, instructions } = question;
  return { about, type, instructions, lines: QUESTION_KINDS[type].linesOf(question).join("\n") };
}

/**
 * Converts a question to the library's form.
 * @param {PageQuestion} question
 * @returns {Question}
 */
export function toLibrary(question) {
  return QUESTION_KINDS[question.type].toLibrary(question);
}
