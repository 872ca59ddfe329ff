import { likeliest } from "./likeliest.ts";
import type { BatchScores } from "../engine/engine.ts";
import type { Usage } from "./types.ts";

/** Tokens of what the caller sent and of the answers committed to. `probabilities`: those of each question, in order. */
export function toUsage(scores: BatchScores, probabilities: readonly Float64Array[]): Usage {
  const committed = scores.questions.map(({ answerTokens }, i) => answerTokens[likeliest(probabilities[i] ?? new Float64Array())] ?? 1);
  return { input_tokens: scores.inputTokens, output_tokens: committed.reduce((a, b) => a + b, 0) };
}
