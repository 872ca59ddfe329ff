import { elementAt } from "../validation/expect.ts";
import { likeliest } from "./likeliest.ts";
import type { BatchScores } from "../engine/engine.ts";
import type { Usage } from "./types.ts";

/**
 * Tokens of what the caller sent, and of the answers committed to.
 * @param probabilities those of each question, in order
 */
export function toUsage(scores: Pick<BatchScores, "questions" | "inputTokens">, probabilities: readonly Float64Array[]): Usage {
  const committed = scores.questions.map(({ answerTokens }, i) =>
    elementAt(answerTokens, likeliest(elementAt(probabilities, i, "list of probabilities")), "answer's token count"),
  );
  return { input_tokens: scores.inputTokens, output_tokens: committed.reduce((a, b) => a + b, 0) };
}
