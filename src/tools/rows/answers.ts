import type { Answer, Question } from "../../library/decide/types.ts";
import { sharesOf } from "../../library/decide/questions/question-kinds.ts";
import { oneLine } from "../cli/output/terminal-text.ts";

/** An answer as a file states it: of a choice an option's key, of a noul (yes/no question) true or false, of a score the index of a level. */
export type StatedAnswer = string | number | boolean;

interface AnswerKind<Q extends Question, A extends Answer> {
  readonly title: string;
  readonly words: (question: Q) => string;
  /** A reader of stated answers; it returns undefined for what is none. CSV has only strings, so those that mean an answer are one, too. */
  readonly reader: (question: Q) => (value: unknown) => StatedAnswer | undefined;
  /** Each option by its key among an answer's shares, with its name for people. */
  readonly options: (question: Q) => readonly (readonly [key: string, name: string])[];
  /** The names of keys in files, where they are not the keys themselves. */
  readonly names?: { readonly [key: string]: string };
  readonly cellType: "STRING" | "BOOLEAN" | "DOUBLE";
  readonly cell: (answer: A) => StatedAnswer;
  /** The name of the likeliest level, where the cell is a number on a scale. */
  readonly level?: (answer: A) => string;
}

type QuestionType = Question["type"];
type Of<T, Type extends QuestionType> = Extract<T, { type: Type }>;

const YES_AND_NO = { true: "yes", false: "no" } as const;

const KINDS: { readonly [T in QuestionType]: AnswerKind<Of<Question, T>, Of<Answer, T>> } = {
  choice: {
    title: "choice",
    words: ({ criteria }) => `one of the question's ${Object.keys(criteria).length} options, exactly as it is written there`,
    reader:
      ({ criteria }) =>
      (value) =>
        isScalar(value) && Object.hasOwn(criteria, String(value)) ? String(value) : undefined,
    options: ({ criteria }) => Object.keys(criteria).map((key) => [key, oneLine(key)]),
    cellType: "STRING",
    cell: ({ choice }) => choice,
  },
  noul: {
    title: "yes/no",
    words: () => "true or false, yes or no, or 1 or 0",
    reader: () => (value) => (isScalar(value) ? TRUE_AND_FALSE.get(String(value).trim().toLowerCase()) : undefined),
    options: () => Object.entries(YES_AND_NO),
    names: YES_AND_NO,
    cellType: "BOOLEAN",
    cell: ({ noul }) => noul >= 0.5,
  },
  score: {
    title: "score",
    words: ({ criteria }) => `a level: its text, or its number from 0 to ${criteria.length - 1}`,
    reader: ({ criteria }) => levelReader(criteria),
    options: ({ criteria }) => criteria.map((level, i) => [String(i), typeof level === "string" ? `${i} ${oneLine(level)}` : String(i)]),
    cellType: "DOUBLE",
    cell: ({ score }) => score,
    level: ({ legend, probabilities }) => {
      const [[, name] = ["", ""]] = Object.entries(legend).sort(([a], [b]) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0));
      return typeof name === "string" ? name : JSON.stringify(name);
    },
  },
};

export const ANSWER_KINDS = KINDS as { readonly [T in QuestionType]: AnswerKind<Question, Answer> };

export function nameInFiles(type: QuestionType, key: string): string {
  return ANSWER_KINDS[type].names?.[key] ?? key;
}

/** The probabilities of an answer, by the options' names in files. */
export function sharesByName(answer: Answer): { readonly [name: string]: number } {
  return Object.fromEntries(Object.entries(sharesOf(answer)).map(([key, share]) => [nameInFiles(answer.type, key), share]));
}

const TRUE_AND_FALSE: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "1"].map((word) => [word, true] as const),
  ...["false", "no", "0"].map((word) => [word, false] as const),
]);
const WHOLE_NUMBER = /^\d+$/u;

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
