import { saysNothing } from "../decide/questions/choice.ts";
import type { ParsedQuestion } from "../decide/request.ts";
import { isPlain } from "../validation/field.ts";
import type { CheckWarning } from "./readings.ts";

const MAX_NAMED = 4;

/**
 * The options at fault, for a message: by their keys if these are short and plain, else only how many there are.
 * @param what they are called otherwise, in the plural: "options"
 */
export function named(keys: readonly string[], what: string): string {
  if (!keys.every(isPlain) || keys.length > MAX_NAMED) return `${keys.length} ${what}`;
  const quoted = keys.map((key) => `"${key}"`);
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(", ")} and ${quoted.slice(-1).join()}`;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A text without what no reader cares about: case, and signs around words. "Very low." -> "very low". */
export function plainWords(text: string): string {
  return wordsOf(text.toLowerCase()).join(" ");
}

/** Instructions that people wrote for the model's training have 33 words at most. */
const MAX_WORDS = 80;

const IS_STATEMENT =
  /^(?:you|this|these|the|an?|i|we|it|they|there|here)\b.*\b(?:is|are|was|were|am|has|have|had|will|wrote|contains?|comes?|came)\b/isu;
const IS_ORDER =
  /\b(?:answer|assign|assess|choose|classify|compare|decide|describe|determine|find|give|grade|identify|judge|label|mark|must|name|need|pick|place|put|rank|rate|route|say|score|select|shall|should|sort|state|tag|tell|task|to)\b/iu;

/** Instructions that are missing, ask nothing, or are too long. */
export function checkInstructions({ type, instructions, criteria }: ParsedQuestion): CheckWarning[] {
  const text = instructions.trim();
  if (text === "") {
    if (type === "noul" && criteria.some(({ description }) => description !== null && description.trim() !== "")) return [];
    const message =
      'The instructions are empty, so the model does not know what the criteria are about. Write the question, such as "Which team should answer?".';
    return [{ code: "empty_instructions", message }];
  }
  const warnings: CheckWarning[] = [];
  if (asksNothing(text, type)) {
    const message =
      'The instructions only state something and ask for nothing. Write a question or an order, such as "Which team should answer?" or "Choose the team.".';
    warnings.push({ code: "no_question", message });
  }
  const words = wordsOf(text).length;
  if (words > MAX_WORDS) {
    const message = `The instructions have ${words} words, and the question is lost in them. Ask in one or two sentences, and write what belongs to an option or level into its description.`;
    warnings.push({ code: "long_instructions", message });
  }
  return warnings;
}

/** Whether it is sentences without a question or an order. A yes/no question may be a statement that is true or not, but not one about the model. */
function asksNothing(text: string, type: ParsedQuestion["type"]): boolean {
  if (/[?:]/u.test(text) || !/[.!]$/u.test(text) || IS_ORDER.test(text)) return false;
  return type === "noul" ? /^you are\b/iu.test(text) : IS_STATEMENT.test(text);
}

const AUXILIARY = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must";
/** Behind these words stands a clause that only says what is meant: "an image that could not be loaded". */
const CLAUSE = /[,;:]|\b(?:that|which|who|whom|whose|what|where|when|while|if|whether|because|unless|although|than|as|so|for)\b/iu;

const NEGATIONS = [
  new RegExp(String.raw`\b(?:${AUXILIARY})n['’]t\b|\bcannot\b|\bwon['’]t\b|\bcan['’]t\b`, "iu"),
  new RegExp(String.raw`\b(?:${AUXILIARY})(?: \S+){0,4}? (?:not|never)\b`, "iu"),
  /^(?:is|are|was|were)(?: \S+){0,3}? without\b/iu,
  /\b(?:contains?|ha[sd]|have|mentions?|names?|shows?|gives?|is there|are there|there is|there are) no (?!longer|more|less|fewer|\d)/iu,
];
/** Any "not", wherever it stands. */
const NEGATION = /\b(?:not|never|cannot|without|nothing|nobody|none|no)\b|n['’]t\b/giu;

const VERBS =
  "accept|agree|apologi[sz]e|ask|blame|cancel|claim|complain|contain|demand|describe|express|give|include|mention|need|offer|praise|promise|recommend|refuse|report|request|say|show|state|suggest|thank|threaten|use|want|warn";
const DOUBLES = [
  /\band\/or\b/iu,
  /\?.*\?/su,
  new RegExp(String.raw`\b(?:and|or|but)(?: also)? (?:${AUXILIARY}) (?:it|he|she|they|this|that|there|the|his|her|their|its|an?)\b`, "iu"),
  /^(?:is|are|was|were)(?:n['’]t)?\b.*[^,;:] and (?:from|about|by|sent by|written by)\b/iu,
  new RegExp(String.raw`\b(?:and|or|but)(?: also)? (?:${VERBS})s?\b`, "iu"),
];

/** Negations, and two questions in one. Only yes/no questions have one right answer that these can turn around. */
export function checkWording({ type, instructions, criteria }: ParsedQuestion): CheckWarning[] {
  if (type !== "noul") return [];
  // Sentences before the last one tell what to know.
  const [question = ""] = instructions
    .trim()
    .split(/(?<=[.!]) +/u)
    .slice(-1);
  const warnings = [negationIn(question, criteria)];
  if (DOUBLES.some((pattern) => isInMainClause(question, pattern))) {
    const message =
      "These are two questions in one, which may have different answers. Ask each as a question of its own: all are answered in one reading of the state.";
    warnings.push({ code: "double_question", message });
  }
  return warnings.filter((warning) => warning !== undefined);
}

function negationIn(question: string, criteria: ParsedQuestion["criteria"]): CheckWarning | undefined {
  if (!NEGATIONS.some((pattern) => isInMainClause(question, pattern))) return undefined;
  const described = criteria.filter(({ description }) => description !== null && description.search(NEGATION) !== -1).map(({ key }) => key);
  const isTwice = (question.match(NEGATION)?.length ?? 0) > 1;
  if (!isTwice && described.length === 0) {
    const message =
      'The question is negated, and it is unclear what yes means. Ask for what is the case, such as "Is it urgent?" for "Is it not urgent?", and turn the answer around: 1 - noul.';
    return { code: "negated", message };
  }
  const message =
    "One negation meets another, and readers and models lose count. Ask without a not, and describe yes (true) and no (false) by what is the case.";
  return { code: "double_negation", message, ...(described.length > 0 && { criteria: described }) };
}

/** Whether a pattern is found, and no clause has begun before it. */
function isInMainClause(question: string, pattern: RegExp): boolean {
  const place = question.search(pattern);
  if (place === -1) return false;
  const before = question.slice(0, place).replace(/,\s*$/u, "");
  return !CLAUSE.test(before);
}

/** Shorter descriptions are read well beside any other. Those of the model's training have 22 words at most. */
const MIN_WORDS = 25;
const TIMES_LONGER = 4;

/** A description that is much longer than the others. */
export function checkDescriptions({ type, criteria }: ParsedQuestion): CheckWarning[] {
  const lengths = criteria
    .filter(({ description }) => description !== null)
    .map(({ key, description }) => ({ key, words: wordsOf(description ?? "").length }))
    .toSorted((a, b) => a.words - b.words);
  const longest = lengths.pop();
  const middle = lengths[lengths.length >> 1];
  if (longest === undefined || middle === undefined) return [];
  if (longest.words < MIN_WORDS || longest.words < TIMES_LONGER * middle.words) return [];
  const which =
    type === "choice" ? `of ${named([longest.key], "option")}` : type === "noul" ? `of "${longest.key}"` : `of level ${longest.key}`;
  const message = `The description ${which} has ${longest.words} words, many more than the others. Say what it means in a phrase of about ${Math.max(middle.words, 5)} words.`;
  return [{ code: "long_description", message, criteria: [longest.key] }];
}

/** A letter, a number, or a word for "option" with one: such keys count, and mean nothing. */
const IS_COUNTED = /^(?:answer|c|cat|category|choice|class|group|item|key|l|label|opt|option|type)?[\s_.-]*(?:[a-z]|\d{1,3})$/iu;
/** The question asks for a number, or for one of several things that the state itself numbers. */
const ASKS_FOR_NUMBER = /\b(?:how|which|what|when|whose|who|where|number|count|amount|age|year)\b/iu;

/** Keys that stand alone and mean nothing by themselves. */
export function checkKeys({ type, instructions, criteria }: ParsedQuestion): CheckWarning[] {
  if (type !== "choice") return [];
  const alone = criteria.filter(({ description }) => description === null || description.trim() === "").map(({ key }) => key);
  const counted = alone.filter((key) => IS_COUNTED.test(key) && saysNothing(key));
  // One letter alone may be a name, such as that of a language.
  if (counted.length === 0 || (counted.length === 1 && counted[0]?.length === 1)) return [];
  const areNumbers = counted.every((key) => /^\d+$/u.test(key));
  if (areNumbers && ASKS_FOR_NUMBER.test(instructions)) return [];
  const verb = counted.length === 1 ? "says" : "say";
  const message = `${named(counted, "keys")} ${verb} nothing without a description, unless the state itself uses such names. Describe each option, or use keys that mean something, such as "billing".`;
  return [{ code: "keys_say_nothing", message, criteria: counted }];
}
