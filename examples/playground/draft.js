// @ts-check
// The draft that the user is writing in the page, and the request that it makes.
import { QUESTION_KINDS } from "./question-kinds.js";

/**
 * @typedef {import("./index.browser.js").Question["type"]} QuestionType
 * @typedef {{ key: string, description: string }} OptionDraft
 * @typedef {{ type: QuestionType, id: string, idIsAuto: boolean, instructions: string, options: OptionDraft[], yes: string, no: string, levels: string[] }} QuestionDraft
 * @typedef {{ text: string, isData: boolean, questions: QuestionDraft[] }} Draft
 * @typedef {{ question?: number, field: "text" | "questions" | "id" | "instructions" | "criteria", row?: number }} Place where in the page something belongs
 * @typedef {{ place: Place, message: string }} Problem
 * @typedef {{ type: QuestionType, [field: string]: unknown }} Question as in a request
 * @typedef {{ model: string, state?: unknown, questions: { [id: string]: Question } }} Request
 */

/** @type {Place} */
const TEXT = { field: "text" };
/** @type {Place} */
const QUESTIONS = { field: "questions" };

/**
 * Creates an empty question.
 * @param {QuestionType} type
 * @returns {QuestionDraft}
 */
export function emptyQuestion(type) {
  const blank = structuredClone(QUESTION_KINDS[type].blank);
  return { type, id: "", idIsAuto: true, instructions: "", options: [], yes: "", no: "", levels: [], ...blank };
}

/** @returns {OptionDraft} */
export const blankOption = () => ({ key: "", description: "" });

/**
 * Builds the request from the draft, without blank parts. Also returns what is still missing, and what the request would lose.
 * @param {Draft} draft
 * @returns {{ request: Request, problems: Problem[] }}
 */
export function toRequest(draft) {
  const state = draft.isData ? dataOf(draft.text) : draft.text;
  const questions = draft.questions.map((question) => [question.id, toQuestion(question)]);
  const isBlank = draft.text.trim() === "";
  return {
    request: { model: "latest", ...(isBlank ? {} : { state }), questions: Object.fromEntries(questions) },
    problems: [
      ...(isBlank ? [{ place: TEXT, message: "Type, paste or open a text first." }] : []),
      ...(draft.questions.length === 0 ? [{ place: QUESTIONS, message: "Add a question first." }] : []),
      ...draft.questions.flatMap((_, i) => problemsOf(draft.questions, i)),
    ],
  };
}

/**
 * Parses a text that is a JSON object or array; undefined for any other text.
 * @param {string} text
 * @returns {object | undefined}
 */
export function dataOf(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {QuestionDraft} draft
 * @returns {Question}
 */
export function toQuestion(draft) {
  const { type, instructions } = draft;
  return { type, ...(instructions !== "" && { instructions }), ...QUESTION_KINDS[type].criteriaOf(draft) };
}

/**
 * Finds what a question lacks.
 * @param {readonly QuestionDraft[]} all
 * @param {number} i the question's place
 * @returns {Problem[]}
 */
export function problemsOf(all, i) {
  const draft = /** @type {QuestionDraft} */ (all[i]);
  const kind = QUESTION_KINDS[draft.type];
  /** @type {Problem[]} */
  const problems = [];
  if (all.findIndex((other) => other.id === draft.id) < i) {
    problems.push({ place: { question: i, field: "id" }, message: "Another question has the same name." });
  }
  if (draft.instructions === "" && !kind.sayItAll(draft)) {
    problems.push({ place: { question: i, field: "instructions" }, message: "Write the question." });
  }
  for (const { row, message } of kind.problemsOf(draft)) problems.push({ place: { question: i, field: "criteria", row }, message });
  return problems;
}
