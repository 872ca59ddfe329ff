import { toAnswer } from "./answer.ts";
import type { Engine } from "../engine/engine.ts";
import { toHypotheses } from "./hypotheses.ts";
import { toProbabilities } from "./probabilities.ts";
import type { ParsedRequest } from "./request.ts";
import type { DecideOptions, DecideResponse } from "./types.ts";
import { toUsage } from "./usage.ts";

/** A request's way through the house, from the parsed request to the answer. */
export async function answerRequest(
  request: ParsedRequest,
  engine: Engine,
  { signal, maxInputTokens }: DecideOptions,
): Promise<DecideResponse> {
  const { model, calibration } = engine.info;
  const scores = await engine.score({ ...toHypotheses(request), maxInputTokens }, signal);
  const probabilities = request.questions.map(({ type }, i) =>
    toProbabilities(type, scores.questions[i]?.scores ?? new Float32Array(), calibration),
  );
  const answers = request.questions.map(
    (question, i) => [question.id, toAnswer(question, probabilities[i] ?? new Float64Array())] as const,
  );
  return { model, answers: Object.fromEntries(answers), usage: toUsage(scores, probabilities) };
}
