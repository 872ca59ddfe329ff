import { Experimental_DecisionUnsupportedQuestionTypeError as UnsupportedQuestionTypeError } from "@ai-sdk/provider";
import type { Experimental_DecisionModelV4, Experimental_DecisionModelV4Question as SdkQuestion } from "@ai-sdk/provider";
import type { Question, Questions } from "../library/decide/types.ts";

/**
 * Converts the AI SDK's questions to ours. Its types allow some questions that our rules do not, for example a choice without instructions; `decide()`
 * refuses those.
 * @throws {Experimental_DecisionUnsupportedQuestionTypeError} for a question that is not a choice, score or boolean.
 */
export function toQuestions(
  questions: Readonly<Record<string, SdkQuestion>>,
  { provider, modelId }: Pick<Experimental_DecisionModelV4, "provider" | "modelId">,
): Questions {
  // Unlike an assignment, fromEntries makes `__proto__` an ordinary key.
  return Object.fromEntries(
    Object.entries(questions).map(([questionId, question]) => {
      const ours = toQuestion(question);
      if (ours === undefined) throw new UnsupportedQuestionTypeError({ questionId, questionType: question.type, provider, modelId });
      return [questionId, ours];
    }),
  );
}

function toQuestion(question: SdkQuestion): Question | undefined {
  switch (question.type) {
    case "choice":
    case "score":
      return question as Question;
    case "boolean":
      return { ...question, type: "noul", criteria: criteriaOf(question) } as Question;
    case "box":
    default:
      return undefined;
  }
}

/** In the AI SDK, empty criteria mean the same as no criteria. In our requests they are an error. */
function criteriaOf({ criteria }: Extract<SdkQuestion, { type: "boolean" }>): typeof criteria {
  return Object.keys(criteria ?? {}).length === 0 ? null : criteria;
}
