import type { Batch, BatchScores, EngineInfo } from "../engine/engine.ts";
import { counted, elementAt } from "../validation/expect.ts";
import { toAnswer } from "./answer.ts";
import { toHypotheses } from "./hypotheses.ts";
import { toOwnFields } from "./own-fields.ts";
import { toProbabilities } from "./probabilities.ts";
import { parseRequest } from "./request.ts";
import type { ParsedQuestion, ParsedRequest } from "./request.ts";
import type { Taught } from "./taught.ts";
import { inRequest } from "./too-long.ts";
import type { DecideOptions, DecideResponse } from "./types.ts";
import { toUsage } from "./usage.ts";

/** Scores what is read with one model's engine, wherever that runs. */
export interface Scorer {
  score(batch: Batch, signal?: AbortSignal): Promise<{ readonly info: EngineInfo; readonly scores: BatchScores }>;
  /** What this model was taught of a question. Default: nothing. */
  taught?(question: ParsedQuestion): Taught | undefined;
}

/** Finds the scorer of a model; undefined: the decider's own model. @throws {DecideError} `model_not_found` */
export type FindScorer = (model: string | undefined, signal: AbortSignal | undefined) => Promise<Scorer>;

/**
 * A request's way through the house, one line a stage.
 * @throws {DecideError} `invalid_request`, before anything is awaited; what `findScorer` and the engine throw.
 */
export async function decide(
  value: unknown,
  findScorer: FindScorer,
  { signal, maxInputTokens, maxErrorRate }: DecideOptions,
): Promise<DecideResponse> {
  const { model, ...request } = parseRequest(value);
  const scorer = await findScorer(model, signal);
  const lessons = request.questions.map((question) => scorer.taught?.(question));
  const wanted = lessons.map((lesson) => lesson?.usesFeatures === true);
  const { info, scores, untaught } = await read(request, wanted, scorer, maxInputTokens, signal);
  const probabilities = request.questions.map((question, i) => {
    const p = elementAt(untaught, i, "list of probabilities");
    return lessons[i]?.toProbabilities(question, p, scores.questions[i]?.features) ?? p;
  });
  const answers = request.questions.map((question, i) => {
    const p = elementAt(probabilities, i, "list of probabilities");
    const grounds = { calibration: info.calibration, taught: lessons[i], warnings: scores.warnings, maxErrorRate };
    return [question.id, { ...toAnswer(question, p), ...toOwnFields(question.type, p, grounds) }] as const;
  });
  return { model: info.model, answers: Object.fromEntries(answers), usage: toUsage(scores, probabilities) };
}

/** A question as the model reads it, untaught: what teaching starts from. */
export interface QuestionReading {
  readonly info: EngineInfo;
  /** float64 [criteria], by the pack's calibration. */
  readonly probabilities: Float64Array;
  /** float32 [features]; undefined if the model's family has none. */
  readonly features: Float32Array | undefined;
}

/**
 * Reads the only question of a request with its features.
 * @throws what `findScorer` and the engine throw.
 */
export async function readQuestion(
  { model, ...request }: ParsedRequest,
  findScorer: FindScorer,
  signal?: AbortSignal,
): Promise<QuestionReading> {
  const { info, scores, untaught } = await read(request, [true], await findScorer(model, signal), undefined, signal);
  return { info, probabilities: elementAt(untaught, 0, "list of probabilities"), features: scores.questions[0]?.features };
}

/**
 * @param wanted for each question whether its features are wanted
 * @returns what the engine says, and the probabilities of each question by the pack's calibration
 */
async function read(
  request: Omit<ParsedRequest, "model">,
  wanted: readonly boolean[],
  scorer: Scorer,
  maxInputTokens: number | undefined,
  signal: AbortSignal | undefined,
): Promise<{ info: EngineInfo; scores: BatchScores; untaught: readonly Float64Array[] }> {
  const batch = toHypotheses(request);
  const questions = batch.questions.map((question, i) => (wanted[i] ? { ...question, withFeatures: true } : question));
  const { info, scores } = await scorer.score({ ...batch, questions, maxInputTokens }, signal).catch((error: unknown) => {
    // What ended the call is the caller's own.
    throw signal?.aborted && error === signal.reason ? error : inRequest(error, request);
  });
  const scored = counted(scores.questions, request.questions.length, "scored questions");
  const untaught = request.questions.map(({ type }, i) =>
    toProbabilities(type, elementAt(scored, i, "scored question").scores, info.calibration),
  );
  return { info, scores, untaught };
}
