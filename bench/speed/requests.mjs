// The requests that are timed: so many options, so many tokens of state, so many questions.
import { BANK_INTENTS, COMPLAINT, MINUTES, TEN_TOPICS, variantOf } from "../workloads.mjs";

/** @typedef {{ options: number, tokens: number, questions: number }} Size */
/** @typedef {{ name: string, size: Size, text: string, questions: { instructions: string, labels: string[] }[] }} Asked */

const LABELS = [...BANK_INTENTS, ...["urgent", "repeated", "unclear"].flatMap((kind) => BANK_INTENTS.map((label) => `${kind}: ${label}`))];

const SUBJECTS = ["this text", "the first part", "the last part", "the writer's wish", "the reader's next step"];
const INSTRUCTIONS = [
  ...SUBJECTS.map((subject) => `What is ${subject} about?`),
  ...SUBJECTS.map((subject) => `Which kind is ${subject}?`),
  ...SUBJECTS.map((subject) => `Who should handle ${subject}?`),
  ...SUBJECTS.map((subject) => `Which word fits ${subject}?`),
];

/** @param {Size} size */
export function nameOf({ options, tokens, questions }) {
  const choice = `${options} options, ${tokens.toLocaleString("en")} tokens`;
  return questions === 1 ? choice : `${questions} questions of ${choice}`;
}

/**
 * @param {Size} size
 * @param {{ cut: (text: string, tokens: number) => string }} tokenizer
 * @returns {Asked}
 */
export function askedOf(size, { cut }) {
  const { options, tokens, questions } = size;
  if (questions > INSTRUCTIONS.length || options > LABELS.length) throw new RangeError(`no request of ${nameOf(size)} is known`);
  const source = tokens <= 144 ? COMPLAINT : MINUTES.repeat(Math.ceil(tokens / 150));
  const all = options <= TEN_TOPICS.length ? TEN_TOPICS : LABELS;
  const labelsFrom = (start) => Array.from({ length: options }, (_, i) => all[(start + i) % all.length]);
  return {
    name: nameOf(size),
    size,
    text: cut(source, tokens),
    questions: INSTRUCTIONS.slice(0, questions).map((instructions, i) => ({ instructions, labels: labelsFrom(i) })),
  };
}

/** As decide() takes it. @param {Asked} asked @param {number} variant of the text */
export function requestOf(asked, variant) {
  const questions = asked.questions.map(({ instructions, labels }, i) => {
    const criteria = Object.fromEntries(labels.map((label) => [label, null]));
    return [`q${i + 1}`, { type: "choice", instructions, criteria }];
  });
  return { state: variantOf(asked.text, variant), questions: Object.fromEntries(questions) };
}
