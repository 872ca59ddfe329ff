import type { Batch, BatchScores, EngineInfo } from "../engine/engine.ts";
import { counted, elementAt } from "../validation/expect.ts";
import { toAnswer } from "./answer.ts";
import { toHypotheses } from "./hypotheses.ts";
import { toOwnFields } from "./own-fields.ts";
import { toProbabilities } from "./probabilities.ts";
import { parseRequest } from "./request.ts";
import { inRequest } from "./too-long.ts";
import type { DecideOptions, DecideResponse } from "./types.ts";
import { toUsage } from "./usage.ts";

/** Scores what is read with one model's engine, wherever that runs. */
export interface Scorer {
  score(batch: Batch, signal?: AbortSignal): Promise<{ readonly info: EngineInfo; readonly scores: BatchScores }>;
}

/** Finds the scorer of a model; undefined: the decider's own model. @throws {DecideError} `model_not_found` */
export type FindScorer = (model: string | undefined) => Promise<Scorer>;

/**
 * A request's way through the house, one line a stage.
 * @throws {DecideError} `invalid_request`, before anything is awaited; what `findScorer` and the engine throw.
 */
export async function decide(value: unknown, findScorer: FindScorer, { signal, maxInputTokens }: DecideOptions): Promise<DecideResponse> {
  const { model, ...request } = parseRequest(value);
  const batch = toHypotheses(request);
  const scorer = await findScorer(model);
  const { info, scores } = await scorer.score({ ...batch, maxInputTokens }, signal).catch((error: unknown) => {
    // What ended the call is the caller's own.
    throw signal?.aborted && error === signal.reason ? error : inRequest(error, request);
  });
  const scored = counted(scores.questions, request.questions.length, "scored questions");
  const probabilities = request.questions.map(({ type }, i) =>
    toProbabilities(type, elementAt(scored, i, "scored question").scores, info.calibration),
  );
  const answers = request.questions.map((question, i) => {
    const p = elementAt(probabilities, i, "list of probabilities");
    return [question.id, { ...toAnswer(question, p), ...toOwnFields(question.type, p, info.calibration, scores.warnings) }] as const;
  });
  return { model: info.model, answers: Object.fromEntries(answers), usage: toUsage(scores, probabilities) };
}
