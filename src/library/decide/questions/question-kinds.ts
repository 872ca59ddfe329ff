import type { QuestionType } from "../../engine/engine.ts";
import type { Answer } from "../types.ts";
import { CHOICE } from "./choice.ts";
import { NOUL } from "./noul.ts";
import type { QuestionKind } from "./question-kind.ts";
import { SCORE } from "./score.ts";

/** Every type of question. Each stage of a decision looks up here what differs between them. */
export const QUESTION_KINDS: { readonly [Type in QuestionType]: QuestionKind } = { choice: CHOICE, noul: NOUL, score: SCORE };

export const QUESTION_TYPES = Object.keys(QUESTION_KINDS) as readonly QuestionType[];

/** The probabilities that an answer states, by the criteria's keys: of a noul "true" and "false". */
export function sharesOf(answer: Answer): { readonly [key: string]: number } {
  return QUESTION_KINDS[answer.type].sharesOf(answer);
}
