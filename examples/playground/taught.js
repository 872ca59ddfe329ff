// @ts-check
// What the page was taught: the examples and the lesson of each question. Kept across reloads, like the draft, only in this tab.
import { toQuestion } from "./draft.js";
import { toDraft } from "./open-request.js";

/** @typedef {import("./draft.js").Question} Question */
/** @typedef {import("./index.browser.js").Lesson} Lesson */
/** @typedef {{ state: unknown, answer: string | boolean | number | null }} Example an answer of null: none is known */
/** @typedef {{ examples: Example[], lesson?: Lesson | undefined }} Taught */

/** So many examples with an answer are needed to teach. */
export const MIN_EXAMPLES = 8;
const KEY = "umpire-playground-taught";

/** @type {Map<string, Taught>} by question */
const taught = new Map();
/** @type {(() => void)[]} */
const listeners = [];
let isKept = true;

/** @param {() => void} listener */
export function whenTaught(listener) {
  listeners.push(listener);
}

/** Whether all of it would be there after a reload. The browser's room for a tab is limited. */
export const isKeptForReload = () => isKept;

/**
 * What tells a question from all others: all of it. The order of a choice's options does not matter.
 * @param {Question} question
 */
export function keyOf({ type, instructions = "", criteria = {} }) {
  const texts = Array.isArray(criteria)
    ? criteria
    : Object.entries(/** @type {object} */ (criteria)).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([type, instructions, texts]);
}

/**
 * @param {string} key of a question
 * @returns {readonly Example[]} one for each state
 */
export const examplesOf = (key) => taught.get(key)?.examples ?? [];

/** @param {string} key of a question */
export const lessonOf = (key) => taught.get(key)?.lesson;

/** @returns {Lesson[]} */
export const allLessons = () => [...taught.values()].flatMap(({ lesson }) => lesson ?? []);

/**
 * @param {string} key of a question
 * @param {unknown} state
 */
export function exampleFor(key, state) {
  const wanted = JSON.stringify(state);
  return examplesOf(key).find((example) => JSON.stringify(example.state) === wanted);
}

/**
 * Adds examples. One with the same state as another takes its place.
 * @param {string} key of the question
 * @param {readonly Example[]} examples
 * @returns {number} how many took the place of another
 */
export function addExamples(key, examples) {
  const byState = new Map([...examplesOf(key), ...examples].map((example) => [JSON.stringify(example.state), example]));
  const replaced = examplesOf(key).length + examples.length - byState.size;
  change(key, { examples: [...byState.values()] });
  return replaced;
}

/**
 * @param {string} key of the question
 * @param {unknown} state of the example
 */
export function removeExample(key, state) {
  const gone = exampleFor(key, state);
  change(key, { examples: examplesOf(key).filter((example) => example !== gone) });
}

/**
 * @param {string} key of the question
 * @param {readonly Example[]} examples instead of all that were there
 */
export function replaceExamples(key, examples) {
  change(key, { examples: [...examples] });
}

/**
 * @param {string} key of the question
 * @param {Lesson | undefined} lesson undefined: none any more
 */
export function keepLesson(key, lesson) {
  change(key, { lesson });
}

/**
 * The question of a lesson, as the page has it.
 * @param {Lesson} lesson
 * @returns {import("./draft.js").QuestionDraft | undefined} undefined if the page has no fields for parts of it
 */
export function questionOf({ question }) {
  return toDraft({ state: "", questions: { taught: question } })?.questions[0];
}

/** @param {Lesson} lesson */
export function keyOfLesson(lesson) {
  const question = questionOf(lesson);
  return question && keyOf(toQuestion(question));
}

/** Brings back what this tab was taught before the page was reloaded. */
export function recallTaught() {
  try {
    for (const [key, { examples, lesson }] of JSON.parse(sessionStorage.getItem(KEY) ?? "[]")) taught.set(key, { examples, lesson });
  } catch {
    // Storage is blocked, or holds something else. The page starts with nothing.
    taught.clear();
  }
}

/**
 * @param {string} key
 * @param {Partial<Taught>} changes
 */
function change(key, changes) {
  const now = { examples: [], ...taught.get(key), ...changes };
  if (now.examples.length === 0 && now.lesson === undefined) taught.delete(key);
  else taught.set(key, now);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...taught]));
    isKept = true;
  } catch {
    // Storage is full or blocked. Nothing is better than half of it.
    isKept = false;
  }
  for (const listener of listeners) listener();
}
