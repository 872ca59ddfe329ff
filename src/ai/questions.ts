import { Experimental_DecisionUnsupportedQuestionTypeError as UnsupportedQuestionTypeError } from "@ai-sdk/provider";
import type { Experimental_DecisionModelV4, Experimental_DecisionModelV4Question as SdkQuestion } from "@ai-sdk/provider";
import type { Question, Questions } from "../decide/types.ts";

/**
 * The AI SDK's questions as ours. What its types allow and our rules do not, such as a choice without instructions, is left for `decide()` to refuse.
 * @throws {Experimental_DecisionUnsupportedQuestionTypeError}
 */
export function toQuestions(
  questions: Readonly<Record<string, SdkQuestion>>,
  { provider, modelId }: Pick<Experimental_DecisionModelV4, "provider" | "modelId">,
): Questions {
  // fromEntries, unlike an assignment, makes `__proto__` a key like any other.
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

/** The AI SDK has empty criteria mean the same as none; in a request of ours they are a mistake. */
function criteriaOf({ criteria }: Extract<SdkQuestion, { type: "boolean" }>): typeof criteria {
  return Object.keys(criteria ?? {}).length === 0 ? null : criteria;
}
