import type { ParsedQuestion } from "../decide/request.ts";
import type { CheckWarning } from "./warning.ts";

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
  // What is before the last sentence tells what to know.
  const question =
    instructions
      .trim()
      .split(/(?<=[.!]) +/u)
      .at(-1) ?? "";
  const warnings = [negationIn(question, criteria)];
  if (DOUBLES.some((pattern) => isInMainClause(question, pattern))) {
    warnings.push({
      code: "double_question",
      message:
        "These are two questions in one, which may have different answers. Ask each as a question of its own: all are answered in one reading of the state.",
    });
  }
  return warnings.filter((warning) => warning !== undefined);
}

function negationIn(question: string, criteria: ParsedQuestion["criteria"]): CheckWarning | undefined {
  if (!NEGATIONS.some((pattern) => isInMainClause(question, pattern))) return undefined;
  const described = criteria.filter(({ description }) => description !== null && description.search(NEGATION) !== -1).map(({ key }) => key);
  const isTwice = (question.match(NEGATION)?.length ?? 0) > 1;
  if (!isTwice && described.length === 0) {
    return {
      code: "negated",
      message:
        'The question is negated, and it is unclear what yes means. Ask for what is the case, such as "Is it urgent?" for "Is it not urgent?", and turn the answer around: 1 - noul.',
    };
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
