// @ts-check
// What differs between the types of questions in the page: one row each, so that the compiler names what a new type lacks.

/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */
/** @typedef {import("./index.browser.js").Answer} Answer */
/** @typedef {{ label: string, share: number, isChosen: boolean }} Row of an answer */
/** @typedef {{ row: number, message: string }} RowProblem */
/** @typedef {string | boolean | number} Stated an answer as an example states it */

/**
 * @template {Answer} [A=any]
 * @typedef {object} QuestionKind
 * @property {string} name
 * @property {string} placeholder of a question's words
 * @property {string} defaultId
 * @property {Partial<QuestionDraft>} blank what an empty question begins with
 * @property {(draft: QuestionDraft) => { criteria?: object }} criteriaOf the criteria of a request
 * @property {(criteria: unknown) => Partial<QuestionDraft> | undefined} fromCriteria undefined if the page has no fields for parts of them
 * @property {(draft: QuestionDraft) => boolean} sayItAll whether the criteria ask enough, without any instructions
 * @property {(draft: QuestionDraft) => RowProblem[]} problemsOf what the criteria lack
 * @property {(key: string, draft: QuestionDraft) => number} rowAt the row of a criterion
 * @property {(row: number) => string} rowName
 * @property {(draft: QuestionDraft, answer: A) => Row[]} rowsOf in the order in which they were asked, which the answer's object does not keep for numeric keys
 * @property {(answer: A) => Stated} statedOf
 * @property {(criteria: any) => Stated[]} allStated
 * @property {(words: string, criteria: any) => { answer: Stated } | { problem: string }} readStated
 * @property {(stated: string, criteria: any) => string} wordsOf a stated answer
 * @property {(answer: string, criteria: any) => string} code that prints an answer, which is given as code
 */

const YES = new Set(["true", "yes", "1"]);
const NO = new Set(["false", "no", "0"]);
/** More are not needed to know which options there are. */
const MAX_NAMED = 12;

/** @type {QuestionKind<import("./index.browser.js").ChoiceAnswer>} */
const CHOICE = {
  name: "Choice",
  placeholder: "Which team should handle this?",
  defaultId: "choice",
  blank: {
    options: [
      { key: "", description: "" },
      { key: "", description: "" },
    ],
  },
  criteriaOf: ({ options }) => ({ criteria: Object.fromEntries(options.map(({ key, description }) => [key, description || null])) }),
  fromCriteria: (criteria) => {
    if (!isObject(criteria)) return undefined;
    const options = Object.entries(criteria).flatMap(([key, given]) => {
      const description = textOf(given);
      return description === undefined ? [] : [{ key, description }];
    });
    return options.length === Object.keys(criteria).length ? { options } : undefined;
  },
  sayItAll: () => false,
  problemsOf: ({ options }) =>
    options.flatMap(({ key }, row) => {
      // Duplicate keys would silently vanish from the request's object.
      const isRepeated = options.findIndex((other) => other.key === key) < row;
      if (key === "") return [{ row, message: "Name this option." }];
      return isRepeated ? [{ row, message: "This option appears twice." }] : [];
    }),
  rowAt: (key, { options }) => options.findIndex((option) => option.key === key),
  rowName: (row) => `option ${row + 1}`,
  rowsOf: ({ options }, { choice, probabilities }) =>
    options.map(({ key }) => ({ label: key, share: probabilities[key] ?? 0, isChosen: key === choice })),
  statedOf: ({ choice }) => choice,
  allStated: (criteria) => Object.keys(criteria),
  readStated: (words, criteria) => {
    const keys = Object.keys(criteria);
    return keys.includes(words) ? { answer: words } : { problem: `${named(words)} is none of the options: ${list(keys)}.` };
  },
  wordsOf: (stated) => stated,
  code: (answer) => `console.log(${answer}.choice, ${answer}.confidence);`,
};

/** @type {QuestionKind<import("./index.browser.js").NoulAnswer>} */
const NOUL = {
  name: "Yes or no",
  placeholder: "Does the customer want the money back?",
  defaultId: "yes_no",
  blank: {},
  criteriaOf: ({ yes, no }) => {
    const criteria = { ...(yes && { true: yes }), ...(no && { false: no }) };
    return Object.keys(criteria).length > 0 ? { criteria } : {};
  },
  fromCriteria: (criteria) => {
    const { true: whenYes, false: whenNo } = isObject(criteria) ? criteria : {};
    const [yes, no] = [textOf(whenYes), textOf(whenNo)];
    return yes === undefined || no === undefined ? undefined : { yes, no };
  },
  sayItAll: ({ yes, no }) => yes !== "" || no !== "",
  problemsOf: () => [],
  rowAt: (key) => (key === "true" ? 0 : 1),
  rowName: (row) => (row === 0 ? "yes" : "no"),
  rowsOf: (_, { noul }) => [
    { label: "Yes", share: noul, isChosen: noul >= 0.5 },
    { label: "No", share: 1 - noul, isChosen: noul < 0.5 },
  ],
  statedOf: ({ noul }) => noul >= 0.5,
  allStated: () => [true, false],
  readStated: (words) => {
    if (YES.has(words.toLowerCase())) return { answer: true };
    return NO.has(words.toLowerCase()) ? { answer: false } : { problem: `${named(words)} is no answer. Write yes or no.` };
  },
  wordsOf: (stated) => (stated === "true" ? "yes" : "no"),
  code: (answer) => `console.log(${answer}.noul); // the probability of yes`,
};

/** @type {QuestionKind<import("./index.browser.js").ScoreAnswer>} */
const SCORE = {
  name: "Scale",
  placeholder: "How upset is the customer?",
  defaultId: "scale",
  blank: { levels: ["", "", ""] },
  criteriaOf: ({ levels }) => ({ criteria: levels }),
  fromCriteria: (criteria) => {
    if (!Array.isArray(criteria)) return undefined;
    // The model reads a level without a description as its number.
    const levels = criteria.map((level, i) => (level === null ? String(i) : textOf(level)));
    return levels.every((level) => level !== undefined) ? { levels: /** @type {string[]} */ (levels) } : undefined;
  },
  sayItAll: () => false,
  // The model would read a blank level as its number.
  problemsOf: ({ levels }) => levels.flatMap((level, row) => (level === "" ? [{ row, message: "Describe this level." }] : [])),
  rowAt: (key) => Number(key),
  rowName: (row) => `level ${row}`,
  rowsOf: ({ levels }, { probabilities }) => {
    const shares = levels.map((_, i) => probabilities[String(i)] ?? 0);
    const likeliest = shares.indexOf(Math.max(...shares));
    return levels.map((label, i) => ({ label, share: shares[i] ?? 0, isChosen: i === likeliest }));
  },
  statedOf: ({ legend, probabilities }) => {
    const shares = Object.keys(legend).map((level) => probabilities[level] ?? 0);
    return shares.indexOf(Math.max(...shares));
  },
  allStated: (criteria) => criteria.map((/** @type {unknown} */ _, /** @type {number} */ i) => i),
  readStated: (words, levels) => {
    const level = /^\d+$/.test(words) ? Number(words) : levels.indexOf(words);
    return levels[level] === undefined
      ? { problem: `${named(words)} is no level. Write a number from 0 to ${levels.length - 1}, or the level's text.` }
      : { answer: level };
  },
  wordsOf: (stated, criteria) => String(criteria[Number(stated)] ?? stated),
  code: (answer, criteria) => `console.log(${answer}.score, ${answer}.confidence); // 0 to ${criteria.length - 1}`,
};

/** @type {{ readonly [T in QuestionDraft["type"]]: QuestionKind }} */
export const QUESTION_KINDS = { choice: CHOICE, noul: NOUL, score: SCORE };

/**
 * Returns "" for a missing value, and undefined for structured values, for which the page has no fields.
 * @param {unknown} value
 */
export function textOf(value) {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : undefined;
}

/**
 * @param {unknown} value
 * @returns {value is { [key: string]: any }}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {string} words */
const named = (words) => `“${words.length > 40 ? `${words.slice(0, 40)}…` : words}”`;

/** @param {readonly string[]} keys */
const list = (keys) => [...keys.slice(0, MAX_NAMED), ...(keys.length > MAX_NAMED ? ["…"] : [])].join(", ");
