// @ts-check
// The user's questions and the rules for them.

/** @import { Question } from "./index.browser.js" */

/**
 * @typedef {"page" | "selection"} About  What a question is about: the page, or the text selected on it
 * @typedef {{ readonly key: string, readonly description: string | null }} Option
 *
 * @typedef {{ readonly about: About, readonly type: "choice", readonly instructions: string, readonly options: readonly Option[] }} PageChoice
 * @typedef {{ readonly about: About, readonly type: "noul", readonly instructions: string }} PageNoul
 * @typedef {{ readonly about: About, readonly type: "score", readonly instructions: string, readonly levels: readonly string[] }} PageScore
 * @typedef {{ choice: PageChoice, noul: PageNoul, score: PageScore }[Question["type"]]} PageQuestion
 *
 * @typedef {{ about: string, type: string, instructions: string, lines: string }} Draft  A question as the form holds it
 * @typedef {{ readonly [field in "instructions" | "lines"]?: string }} Mistakes  Messages by field
 */

/** Chosen for what a popup can show. The library allows more. */
export const MAX_QUESTIONS = 12;
const MAX_OPTIONS = 20;
const MAX_LEVELS = 10;
const MAX_INSTRUCTIONS_CHARACTERS = 300;
const MAX_LINE_CHARACTERS = 200;

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
  const wrong = draft.type === "choice" ? wrongOptions(lines) : draft.type === "score" ? wrongLevels(lines) : undefined;
  if (wrong !== undefined) mistakes.lines = wrong;
  if (Object.keys(mistakes).length > 0) return { mistakes };
  switch (draft.type) {
    case "choice":
      return { question: { about, type: "choice", instructions, options: lines.map(toOption) } };
    case "score":
      return { question: { about, type: "score", instructions, levels: lines } };
    default:
      return { question: { about, type: "noul", instructions } };
  }
}

/** @type {(lines: readonly string[]) => string | undefined} */
function wrongOptions(lines) {
  if (lines.length < 2) return "Write at least two answers, one per line.";
  if (lines.length > MAX_OPTIONS) return `At most ${MAX_OPTIONS} answers.`;
  const keys = lines.map((line) => toOption(line).key);
  const twice = keys.find((key, i) => keys.indexOf(key) < i);
  if (twice !== undefined) return `“${twice}” appears twice.`;
  return tooLong(lines);
}

/** @type {(lines: readonly string[]) => string | undefined} */
function wrongLevels(lines) {
  if (lines.length < 2) return "Write at least two levels, one per line, lowest first.";
  if (lines.length > MAX_LEVELS) return `At most ${MAX_LEVELS} levels.`;
  return tooLong(lines);
}

/** @type {(lines: readonly string[]) => string | undefined} */
function tooLong(lines) {
  return lines.some((line) => line.length > MAX_LINE_CHARACTERS) ? `At most ${MAX_LINE_CHARACTERS} characters per line.` : undefined;
}

/**
 * `login form: a form to log in with a password` is an answer and its meaning. Without a meaning, the model reads the answer itself.
 * @param {string} line
 * @returns {Option}
 */
function toOption(line) {
  const [, key, description] = /^(.+?):\s+(.+)$/.exec(line) ?? [];
  return key === undefined || description === undefined ? { key: line, description: null } : { key, description };
}

/**
 * @param {PageQuestion} question
 * @returns {Draft}
 */
export function toDraft(question) {
  const { about, type, instructions } = question;
  return { about, type, instructions, lines: linesOf(question).join("\n") };
}

/** @type {(question: PageQuestion) => readonly string[]} */
function linesOf(question) {
  if (question.type === "choice")
    return question.options.map(({ key, description }) => (description === null ? key : `${key}: ${description}`));
  return question.type === "score" ? question.levels : [];
}

/**
 * Converts a question to the library's form.
 * @param {PageQuestion} question
 * @returns {Question}
 */
export function toLibrary(question) {
  const { type, instructions } = question;
  switch (type) {
    case "choice":
      return { type, instructions, criteria: Object.fromEntries(question.options.map(({ key, description }) => [key, description])) };
    case "score":
      return { type, instructions, criteria: /** @type {[string, string, ...string[]]} */ ([...question.levels]) };
    case "noul":
      return { type, instructions };
  }
}
