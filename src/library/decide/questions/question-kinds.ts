import type { QuestionType } from "../../engine/engine.ts";
import type { Answer } from "../types.ts";
import { CHOICE, CHOICE_ANSWERS } from "./choice.ts";
import { NOUL, NOUL_ANSWERS } from "./noul.ts";
import type { Answering, QuestionKind } from "./question-kind.ts";
import { SCORE, SCORE_ANSWERS } from "./score.ts";

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
  return ANSWERING[answer.type].sharesOf(answer);
}
