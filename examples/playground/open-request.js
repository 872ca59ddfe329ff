// @ts-check
// Turns a request from an example or a file into a draft.

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
  const draft = { id, idIsAuto: false, instructions: asked, options: [], yes: "", no: "", levels: [] };
  if (type === "choice" && isObject(criteria)) {
    const options = Object.entries(criteria).flatMap(([key, given]) => {
      const description = textOf(given);
      return description === undefined ? [] : [{ key, description }];
    });
    return options.length === Object.keys(criteria).length ? { ...draft, type, options } : undefined;
  }
  if (type === "score" && Array.isArray(criteria)) {
    // The model reads a level without a description as its number.
    const levels = criteria.map((level, i) => (level === null ? String(i) : textOf(level)));
    return levels.every((level) => level !== undefined) ? { ...draft, type, levels: /** @type {string[]} */ (levels) } : undefined;
  }
  if (type === "noul") {
    const { true: yes, false: no } = isObject(criteria) ? criteria : {};
    const [whenYes, whenNo] = [textOf(yes), textOf(no)];
    return whenYes === undefined || whenNo === undefined ? undefined : { ...draft, type, yes: whenYes, no: whenNo };
  }
  return undefined;
}

/**
 * Returns "" for a missing value, and undefined for structured values, for which the page has no fields.
 * @param {unknown} value
 */
function textOf(value) {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : undefined;
}

/**
 * @param {unknown} value
 * @returns {value is { [key: string]: any }}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
