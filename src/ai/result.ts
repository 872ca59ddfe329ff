import type { Experimental_DecisionModelV4Answer as SdkAnswer, Experimental_DecisionModelV4Result as SdkResult } from "@ai-sdk/provider";
import type { Answer, DecideResponse } from "../library/decide/types.ts";
import { toMetadata } from "./metadata.ts";

/** Converts our response to the AI SDK's. Its answers have no fields for confidence, legend, accuracy, lesson, act and warnings, so these go into the metadata, by question id. */
export function toResult({ model, answers, usage }: DecideResponse, warnings: SdkResult["warnings"]): SdkResult {
  return {
    answers: Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, toSdkAnswer(answer)])),
    usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
    warnings,
    providerMetadata: { umpire: { ...toMetadata(answers) } },
    response: { modelId: model },
  };
}

function toSdkAnswer(answer: Answer): SdkAnswer {
  switch (answer.type) {
    case "choice":
      return { type: "choice", choice: answer.choice, probabilities: answer.probabilities };
    case "score":
      return { type: "score", score: answer.score, probabilities: answer.probabilities };
    case "noul":
      return { type: "boolean", probability: answer.noul };
  }
}
