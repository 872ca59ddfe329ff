// @ts-check
// What differs between the types of questions: one row each, so that the compiler names what a new type lacks.

/** @import { Answer, ChoiceAnswer, NoulAnswer, Question, ScoreAnswer } from "./index.browser.js" */

/**
 * @typedef {"page" | "selection"} About  What a question is about: the page, or the text selected on it
 * @typedef {{ readonly key: string, readonly description: string | null }} Option
 *
 * @typedef {{ readonly about: About, readonly type: "choice", readonly instructions: string, readonly options: readonly Option[] }} PageChoice
 * @typedef {{ readonly about: About, readonly type: "noul", readonly instructions: string }} PageNoul
 * @typedef {{ readonly about: About, readonly type: "score", readonly instructions: string, readonly levels: readonly string[] }} PageScore
 * @typedef {{ choice: PageChoice, noul: PageNoul, score: PageScore }[Question["type"]]} PageQuestion
 */

/** @typedef {{ readonly label: string, readonly probability: number, readonly chosen: boolean }} Row */

/**
 * @template {PageQuestion} [Q=any]
 * @template {Answer} [A=any]
 * @typedef {object} QuestionKind
 * @property {string} title in the list of questions
 * @property {{ readonly label: string, readonly hint: string }} [lines] the form's large field; a type without one has none
 * @property {(lines: readonly string[]) => string | undefined} wrongLines what is wrong with them
 * @property {(about: About, instructions: string, lines: readonly string[]) => Q} make
 * @property {(question: Q) => readonly string[]} linesOf as the user writes them
 * @property {(question: Q) => readonly string[]} answersOf as they are listed
 * @property {(question: Q) => Question} toLibrary
 * @property {(question: Q, answer: A) => readonly Row[]} rowsOf one for each possible answer
 */

/** Chosen for what a popup can show. The library allows more. */
const MAX_OPTIONS = 20;
const MAX_LEVELS = 10;
const MAX_LINE_CHARACTERS = 200;

/** @type {QuestionKind<PageChoice, ChoiceAnswer>} */
const CHOICE = {
  title: "one of",
  lines: {
    label: "Answers, one per line",
    hint: "The model reads these words. To explain an answer, add its meaning after a colon, for example: login form: a form to log in with a password",
  },
  wrongLines: (lines) => {
    if (lines.length < 2) return "Write at least two answers, one per line.";
    if (lines.length > MAX_OPTIONS) return `At most ${MAX_OPTIONS} answers.`;
    const keys = lines.map((line) => toOption(line).key);
    const twice = keys.find((key, i) => keys.indexOf(key) < i);
    if (twice !== undefined) return `“${twice}” appears twice.`;
    return tooLong(lines);
  },
  make: (about, instructions, lines) => ({ about, type: "choice", instructions, options: lines.map(toOption) }),
  linesOf: ({ options }) => options.map(({ key, description }) => (description === null ? key : `${key}: ${description}`)),
  answersOf: ({ options }) => options.map(({ key }) => key),
  toLibrary: ({ type, instructions, options }) => ({
    type,
    instructions,
    criteria: Object.fromEntries(options.map(({ key, description }) => [key, description])),
  }),
  // The most likely first.
  rowsOf: (_, { probabilities }) => toRows(probabilities, (key) => key).sort((a, b) => b.probability - a.probability),
};

/** @type {QuestionKind<PageNoul, NoulAnswer>} */
const NOUL = {
  title: "yes or no",
  wrongLines: () => undefined,
  make: (about, instructions) => ({ about, type: "noul", instructions }),
  linesOf: () => [],
  answersOf: () => [],
  toLibrary: ({ type, instructions }) => ({ type, instructions }),
  rowsOf: (_, { noul }) => [
    { label: "Yes", probability: noul, chosen: noul >= 0.5 },
    { label: "No", probability: 1 - noul, chosen: noul < 0.5 },
  ],
};

/** @type {QuestionKind<PageScore, ScoreAnswer>} */
const SCORE = {
  title: "a level of",
  lines: { label: "Levels, one per line, lowest first", hint: "Two to ten, for example: calm, annoyed, furious" },
  wrongLines: (lines) => {
    if (lines.length < 2) return "Write at least two levels, one per line, lowest first.";
    if (lines.length > MAX_LEVELS) return `At most ${MAX_LEVELS} levels.`;
    return tooLong(lines);
  },
  make: (about, instructions, lines) => ({ about, type: "score", instructions, levels: lines }),
  linesOf: ({ levels }) => levels,
  answersOf: ({ levels }) => levels,
  toLibrary: ({ type, instructions, levels }) => ({ type, instructions, criteria: [...levels] }),
  // From low to high.
  rowsOf: ({ levels }, { probabilities }) => toRows(probabilities, (key) => levels[Number(key)] ?? key),
};

/** @type {{ readonly [T in Question["type"]]: QuestionKind }} */
export const QUESTION_KINDS = { choice: CHOICE, noul: NOUL, score: SCORE };

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
 * A row for each key, of which the likeliest is chosen.
 * @param {{ readonly [key: string]: number }} probabilities
 * @param {(key: string) => string} labelOf
 * @returns {Row[]}
 */
function toRows(probabilities, labelOf) {
  const entries = Object.entries(probabilities);
  const likeliest = entries.reduce((best, entry) => (entry[1] > best[1] ? entry : best), ["", -1])[0];
  return entries.map(([key, probability]) => ({ label: labelOf(key), probability, chosen: key === likeliest }));
}
