import { plainQuestion } from "../decide/question.ts";
import type { CheckedRequest, ParsedQuestion } from "../decide/request.ts";
import type { DecideRequest, Question, Questions } from "../decide/types.ts";

/** A request as it was when it was checked, whatever its owner does to the object meanwhile. */
export function ownCopy(request: CheckedRequest): DecideRequest {
  const { model, state } = request.parsed;
  return { model, state, questions: ownQuestions(request) };
}

export function ownQuestions({ parsed }: CheckedRequest): Questions {
  return Object.fromEntries(parsed.questions.map((question) => [question.id, ownQuestion(question)]));
}

function ownQuestion(question: ParsedQuestion): Question {
  const { type, instructions, criteria } = question;
  // Levels are given back in the answer's legend, so they stay as they were given: an object is not made a text.
  return type === "score"
    ? { type, instructions, criteria: criteria.map(({ given }) => structuredClone(given) ?? "") }
    : plainQuestion(question);
}
