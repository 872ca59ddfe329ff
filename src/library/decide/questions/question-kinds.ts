import type { QuestionType } from "../../engine/engine.ts";
import type { Answer, Question } from "../types.ts";
import { CHOICE, CHOICE_ANSWERS } from "./choice.ts";
import { NOUL, NOUL_ANSWERS } from "./noul.ts";
import { byKey, type Answering, type Content, type ParsedQuestion, type QuestionKind } from "./question-kind.ts";
import { givenLevel, SCORE, SCORE_ANSWERS } from "./score.ts";

/** Every type of question. Each stage of a decision looks up here what differs between them. */
export const QUESTION_KINDS: { readonly [Type in QuestionType]: QuestionKind } = { choice: CHOICE, noul: NOUL, score: SCORE };

export const ANSWERING: { readonly [Type in QuestionType]: Answering } = {
  choice: CHOICE_ANSWERS,
  noul: NOUL_ANSWERS,
  score: SCORE_ANSWERS,
};

export const QUESTION_TYPES = Object.keys(QUESTION_KINDS) as readonly QuestionType[];

/** The probabilities that an answer states, by the criteria's keys: of a noul "true" and "false". */
export function sharesOf(answer: Answer): { readonly [key: string]: number } {
  return answer.type === "noul" ? { true: answer.noul, false: 1 - answer.noul } : answer.probabilities;
}

/** Questions as plain JSON, by type. Deciding has no use for it, so it is not part of a page's script. */
const PLAIN: { readonly [Type in QuestionType]: (content: Content, asGiven: boolean) => Question } = {
  choice: ({ instructions, criteria }) => ({ type: "choice", instructions, criteria: byKey(criteria, ({ description }) => description) }),
  noul: ({ instructions, criteria }) => {
    const { true: yes = null, false: no = null } = byKey(criteria, ({ description }) => description);
    if (yes === null && no === null) return { type: "noul", instructions };
    return { type: "noul", instructions, criteria: { true: yes, false: no } };
  },
  score: ({ instructions, criteria }, asGiven) => ({
    type: "score",
    instructions,
    criteria: criteria.map((level) => (asGiven ? structuredClone(givenLevel(level)) : (level.description ?? ""))),
  }),
};

/**
 * The question as plain JSON, its texts as they are read. It parses to the same again, whatever becomes of the caller's object.
 * @param asGiven whether criteria that the answer repeats are copied as they were given instead. Default: false.
 */
export function plainQuestion(question: ParsedQuestion, { asGiven = false }: { readonly asGiven?: boolean } = {}): Question {
  return PLAIN[question.type](question, asGiven);
}
