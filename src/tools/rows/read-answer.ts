import type { Question } from "../../library/decide/types.ts";

export type StatedAnswer = string | number | boolean;

const YES_AND_NO: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "1"].map((word) => [word, true] as const),
  ...["false", "no", "0"].map((word) => [word, false] as const),
]);
const WHOLE_NUMBER = /^\d+$/u;

/**
 * What reads stated answers to a question: of a choice an option's key, of a noul (yes/no question) true or false, of a score the index of a level. A
 * file of CSV has only strings: then yes and no, 1 and 0 are answers of a noul, and a level's text is one of a score.
 * @returns undefined for what is no answer to that question
 */
export function answerReader(question: Question): (value: unknown) => StatedAnswer | undefined {
  switch (question.type) {
    case "choice":
      return (value) => (isScalar(value) && Object.hasOwn(question.criteria, String(value)) ? String(value) : undefined);
    case "noul":
      return (value) => (isScalar(value) ? YES_AND_NO.get(String(value).trim().toLowerCase()) : undefined);
    case "score":
      return levelReader(question.criteria);
  }
}

/** What a stated answer must be, for messages. */
export function answerWords(question: Question): string {
  switch (question.type) {
    case "choice":
      return `one of the question's ${Object.keys(question.criteria).length} options, exactly as it is written there`;
    case "noul":
      return "true or false, yes or no, or 1 or 0";
    case "score":
      return `a level: its text, or its number from 0 to ${question.criteria.length - 1}`;
  }
}

/** Where the levels' texts are numbers themselves, as of stars, a string is always taken as a text. */
function levelReader(levels: readonly unknown[]): (value: unknown) => number | undefined {
  const indexes = new Map(levels.map((level, i) => [level, i]));
  const areNumbers = levels.some((level) => typeof level === "string" && WHOLE_NUMBER.test(level.trim()));
  return (value) => {
    const isNumber = typeof value === "number" || (typeof value === "string" && !areNumbers && WHOLE_NUMBER.test(value.trim()));
    if (isNumber && Number(value) in levels) return Number(value);
    return typeof value === "string" ? indexes.get(value) : undefined;
  };
}

function isScalar(value: unknown): value is StatedAnswer {
  return ["string", "number", "boolean"].includes(typeof value);
}
