// @ts-check
// Makes names for questions from their words: "Which team should handle this?" becomes "team_handle".
import { QUESTION_KINDS } from "./question-kinds.js";

/** Words that say nothing about the question. */
const SMALL_WORDS = new Set(
  (
    "a an and any are as at be been being by can could did do does for from had has have how if in into is it its may me might much must my " +
    "no not of on or our shall should so some such than that the their them there these they this those to was were what when where which " +
    "who whom whose why will with would you your"
  ).split(" "),
);
const MAX_WORDS = 2;

/**
 * @param {string} instructions
 * @param {import("./draft.js").QuestionType} type
 * @param {readonly string[]} taken
 */
export function nameFor(instructions, type, taken) {
  const words = instructions.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => word.length > 1 && !SMALL_WORDS.has(word)).slice(0, MAX_WORDS);
  const name = telling.join("_") || QUESTION_KINDS[type].defaultId;
  // JavaScript orders numeric keys before all others, which would change the order of the questions.
  return unique(/^\d/.test(name) ? `q_${name}` : name, taken);
}

/**
 * @param {string} name
 * @param {readonly string[]} taken
 */
export function unique(name, taken) {
  if (!taken.includes(name)) return name;
  const stem = name.replace(/_\d+$/, "");
  let number = 2;
  while (taken.includes(`${stem}_${number}`)) number++;
  return `${stem}_${number}`;
}
