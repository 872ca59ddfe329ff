// @ts-check
// Turns a request from an example or a file into a draft.
import { QUESTION_KINDS, isObject, textOf } from "./question-kinds.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */

/**
 * @param {unknown} value
 * @returns {Draft | undefined} undefined if it is not a request, or if the page has no fields for parts of it
 */
export function toDraft(value) {
  if (!isObject(value) || !isObject(value.questions)) return undefined;
  const { state } = value;
  const isData = typeof state === "object" && state !== null;
  if (typeof state !== "string" && !isData) return undefined;
  const questions = Object.entries(value.questions).map(([id, question]) => toQuestionDraft(id, question));
  if (questions.some((question) => question === undefined)) return undefined;
  const text = isData ? JSON.stringify(state, null, 2) : state;
  return { text, isData, questions: /** @type {QuestionDraft[]} */ (questions) };
}

/**
 * @param {string} id
 * @param {unknown} question
 * @returns {QuestionDraft | undefined}
 */
function toQuestionDraft(id, question) {
  if (!isObject(question)) return undefined;
  const { type, instructions, criteria } = question;
  const asked = textOf(instructions);
  if (asked === undefined) return undefined;
  if (!Object.hasOwn(QUESTION_KINDS, type)) return undefined;
  const parts = QUESTION_KINDS[/** @type {QuestionDraft["type"]} */ (type)].fromCriteria(criteria);
  return parts && { type, id, idIsAuto: false, instructions: asked, options: [], yes: "", no: "", levels: [], ...parts };
}
