import { InvalidArgumentError } from "commander";
import type { ChoiceQuestion, NoulQuestion, Question, ScoreQuestion } from "../decide/types.ts";

/**
 * Questions as they are written at a command line: `Which team? billing, technical=bugs and outages, other`.
 * - A question, or a request that ends in a colon, may stand in front: its `?` or `:` is followed by a space, and no `=` comes before it.
 * - Options and levels are separated by commas; an option's description follows its first `=`.
 * - A backslash takes the next character as it is.
 */
const QUESTION_IN_FRONT = /^((?:\\.|[^\\=])*?[?:])\s+(.+)$/su;
const BETWEEN_COMMAS = /(?:\\.|[^\\,]|\\$)+/gsu;
const KEY_AND_DESCRIPTION = /^((?:\\.|[^\\=])*)=(.*)$/su;

// Best of six wordings each, over 3,003 choices and 489 ratings with many kinds of labels. A question of one's own was right more often by 7 and 9 in 100.
const DEFAULT_CHOOSE = "Which of these fits best?";
const DEFAULT_RATE = "Which level describes it best?";

export function choiceFrom(text: string): ChoiceQuestion {
  const { instructions = DEFAULT_CHOOSE, items } = readList(text);
  const criteria = new Map<string, string | null>();
  for (const item of items) {
    const [, key = item, description] = KEY_AND_DESCRIPTION.exec(item) ?? [];
    const name = asWritten(key);
    if (criteria.has(name)) throw new InvalidArgumentError(`The option ${JSON.stringify(name)} is there twice.`);
    criteria.set(name, description === undefined ? null : asWritten(description));
  }
  return { type: "choice", instructions, criteria: Object.fromEntries(criteria) };
}

export function noulFrom(text: string): NoulQuestion {
  return { type: "noul", instructions: text };
}

export function scoreFrom(text: string): ScoreQuestion {
  const { instructions = DEFAULT_RATE, items } = readList(text);
  // Too few levels are for the request's own check to report.
  return { type: "score", instructions, criteria: items.map(asWritten) as unknown as ScoreQuestion["criteria"] };
}

/** Ids for questions in the order asked: `choose`, `ask`, `choose_2`, so that one more question renames none before it. */
export function named(asked: readonly (readonly [flag: string, question: Question])[]): { [id: string]: Question } {
  const count = new Map<string, number>();
  return Object.fromEntries(
    asked.map(([flag, question]) => {
      const nth = (count.get(flag) ?? 0) + 1;
      count.set(flag, nth);
      return [nth === 1 ? flag : `${flag}_${nth}`, question];
    }),
  );
}

function readList(text: string): { instructions?: string; items: string[] } {
  const [, question, list = text] = QUESTION_IN_FRONT.exec(text) ?? [];
  const items = Array.from(list.matchAll(BETWEEN_COMMAS), ([item]) => item.trim()).filter((item) => item !== "");
  return question === undefined ? { items } : { instructions: asWritten(question.replace(/:$/u, "")), items };
}

function asWritten(text: string): string {
  return text.replace(/\\(.)/gsu, "$1").trim();
}
