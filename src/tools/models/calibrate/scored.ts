import { argmax } from "../../../library/decide/questions/question-kind.ts";
import { QUESTION_KINDS } from "../../../library/decide/questions/question-kinds.ts";
import type { Calibration } from "../../../library/engine/engine.ts";

export type QuestionType = "choice" | "noul" | "score";

export const QUESTION_TYPES: readonly QuestionType[] = ["choice", "noul", "score"];

/** A question's right answer. */
export interface Labelled {
  readonly type: QuestionType;
  /** Index of the right criterion; of a noul 0 is yes. */
  readonly answer: number;
  /** A number that questions about one text share. */
  readonly text: number;
}

/** A question with its scores and its right answer, for fitting a calibration. */
export interface Scored extends Labelled {
  /** float32 [criteria]: log-odds of entailment, as the engine gives them. */
  readonly scores: Float32Array;
}

/** Scores as they are: every temperature is 1. */
export const UNCALIBRATED: Calibration = {
  choice: [{ maxOptions: 255, temperature: 1 }],
  noul: { temperature: 1, bias: 0 },
  score: { temperature: 1 },
};

/** The largest number of options of each bucket. Questions of a bucket share a temperature and curves. */
export const BUCKETS: { readonly [T in QuestionType]: readonly number[] } = { choice: [2, 5, 10, 30, 255], noul: [2], score: [10] };

/** Index of the bucket of a question. */
export function bucketOf(type: QuestionType, options: number): number {
  return BUCKETS[type].findIndex((maxOptions) => options <= maxOptions);
}

/** The answer that a model gives. */
export interface Given {
  readonly options: number;
  /** Of the likeliest option. */
  readonly probability: number;
  readonly isRight: boolean;
}

export function givenOf({ type, scores, answer }: Scored, calibration: Calibration): Given {
  const p = QUESTION_KINDS[type].calibrate(scores, calibration);
  const said = argmax(p);
  return { options: p.length, probability: p[said] ?? 0, isRight: said === answer };
}

/** A manifest states no more digits after the point than mean something. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
