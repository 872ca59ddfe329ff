import type { Batch, BatchScores, Calibration, EngineInfo, StateWarning } from "../engine/engine.ts";
import { counted, elementAt } from "../validation/expect.ts";
import { argmax, bucketFor, type ParsedQuestion } from "./questions/question-kind.ts";
import { ANSWERING } from "./questions/question-kinds.ts";
import { inRequest, parseRequest, type ParsedRequest } from "./request.ts";
import type { ActReason, DecideOptions, DecideRequest, DecideResponse, ExtensionFields, Usage } from "./types.ts";

/** Answers a request, as a decider does. */
export type Decide = (request: DecideRequest, options?: DecideOptions) => Promise<DecideResponse>;

/** Scores what is read with one model's engine, wherever that runs. */
export interface Scorer {
  score(batch: Batch, signal?: AbortSignal): Promise<{ readonly info: EngineInfo; readonly scores: BatchScores }>;
  /** The lesson that this model has learned for a question. Default: none. */
  appliedLesson?(question: ParsedQuestion): AppliedLesson | undefined;
}

/** Finds the scorer of a model; undefined: the decider's own model. @throws {DecideError} `model_not_found` */
export type FindScorer = (model: string | undefined, signal: AbortSignal | undefined) => Promise<Scorer>;

/**
 * A request's way through the house, one line a stage. What differs between the types of questions is in `questions/`.
 * @throws {DecideError} `invalid_request`, before anything is awaited; what `findScorer` and the engine throw.
 */
export async function decide(
  value: unknown,
  findScorer: FindScorer,
  { signal, maxInputTokens, maxErrorRate, countCached }: DecideOptions,
): Promise<DecideResponse> {
  const { model, ...request } = parseRequest(value);
  const scorer = await findScorer(model, signal);
  const lessons = request.questions.map((question) => scorer.appliedLesson?.(question));
  const wanted = lessons.map((lesson) => lesson?.usesFeatures === true);
  const { info, scores, byPack } = await read(request, wanted, scorer, maxInputTokens, signal);
  const probabilities = request.questions.map((question, i) => {
    const p = elementAt(byPack, i, "list of probabilities");
    return lessons[i]?.toProbabilities(question, p, scores.questions[i]?.features) ?? p;
  });
  const answers = request.questions.map((question, i) => {
    const p = elementAt(probabilities, i, "list of probabilities");
    const grounds = { calibration: info.calibration, appliedLesson: lessons[i], warnings: scores.warnings, maxErrorRate };
    const answer = ANSWERING[question.type].answer(question.criteria, counted(p, question.criteria.length, "probabilities"));
    return [question.id, { ...answer, ...toExtensionFields(question.type, p, grounds) }] as const;
  });
  return { model: info.model, answers: Object.fromEntries(answers), usage: toUsage(scores, probabilities, countCached) };
}

/** A question as the model reads it, without any lesson: what teaching starts from. */
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
  const { info, scores, byPack } = await read(request, [true], await findScorer(model, signal), undefined, signal);
  return { info, probabilities: elementAt(byPack, 0, "list of probabilities"), features: scores.questions[0]?.features };
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
): Promise<{ info: EngineInfo; scores: BatchScores; byPack: readonly Float64Array[] }> {
  const batch = toBatch(request);
  const questions = batch.questions.map((question, i) => (wanted[i] ? { ...question, withFeatures: true } : question));
  const { info, scores } = await scorer.score({ ...batch, questions, maxInputTokens }, signal).catch((error: unknown) => {
    // The reason of the caller's own signal stays as it is.
    throw signal?.aborted && error === signal.reason ? error : inRequest(error, request);
  });
  const scored = counted(scores.questions, request.questions.length, "scored questions");
  const byPack = request.questions.map(({ type }, i) =>
    ANSWERING[type].calibrate(elementAt(scored, i, "scored question").scores, info.calibration),
  );
  return { info, scores, byPack };
}

/** A request as the model reads it: the state once, and for each question its instructions and one text per criterion. */
export function toBatch({ state, questions }: Pick<ParsedRequest, "state" | "questions">): Batch {
  return {
    state,
    questions: questions.map(({ type, instructions, criteria }) => ({
      type,
      instructions,
      options: criteria.map((criterion) => ANSWERING[type].read(criterion)),
    })),
  };
}

/** Tokens of what the caller sent, and of the likeliest criterion of each question. */
function toUsage(
  { questions, inputTokens, cachedTokens = 0 }: BatchScores,
  probabilities: readonly Float64Array[],
  countCached: boolean | undefined,
): Usage {
  const committed = questions.map(({ answerTokens }, i) =>
    elementAt(answerTokens, argmax(elementAt(probabilities, i, "list of probabilities")), "answer's token count"),
  );
  const output = committed.reduce((a, b) => a + b, 0);
  return { input_tokens: inputTokens, output_tokens: output, ...(countCached && { x_cached_tokens: cachedTokens }) };
}

/** A lesson that was learned for one question. It answers in place of the pack's calibration. */
export interface AppliedLesson {
  /** The lesson's id. */
  readonly id: string;
  /** Whether it reads features; where it does not, the model need not make them. */
  readonly usesFeatures: boolean;
  /**
   * @param question the question as it was asked, its criteria in the caller's order
   * @param packProbabilities float64 [criteria]: its probabilities by the pack's calibration
   * @param features float32 [features]; undefined if it does not use them
   * @returns float64 [criteria], in the same order. They sum to 1, give or take rounding, and are the same bit for bit in any order of the criteria.
   */
  toProbabilities(question: ParsedQuestion, packProbabilities: Float64Array, features: Float32Array | undefined): Float64Array;
  /** How often answers with this probability were right on examples held out, 0 to 1. */
  accuracyOf(probability: number): number;
  /** The lowest probability from which at most this share of the answers to examples held out was wrong, at 90% confidence; undefined: none promises it. */
  thresholdFor(maxErrorRate: number): number | undefined;
}

/** Beyond it, answers are too few to tell how often they are right. */
const MAX_PROBABILITY = 0.99;

interface Grounds {
  readonly calibration: Calibration;
  readonly appliedLesson?: AppliedLesson | undefined;
  /** Those of the state. */
  readonly warnings: readonly StateWarning[];
  /** Above 0, below 1. Default: no `x_act`. */
  readonly maxErrorRate?: number | undefined;
}

/**
 * The fields of an answer that the hosted API does not have.
 * @param probabilities those of the question, one or more
 */
export function toExtensionFields(type: ParsedQuestion["type"], probabilities: Float64Array, grounds: Grounds): ExtensionFields {
  const { calibration, appliedLesson, warnings, maxErrorRate } = grounds;
  const p = Math.min(MAX_PROBABILITY, Math.max(...probabilities));
  const known = appliedLesson ? appliedLesson.accuracyOf(p) : accuracyByPack(type, probabilities.length, p, calibration);
  // Held-out answers were about texts that can be read: they say nothing of others.
  const accuracy = warnings.length === 0 ? known : undefined;
  const why = maxErrorRate === undefined ? undefined : whyNotAct(type, probabilities, { ...grounds, maxErrorRate });
  return {
    ...(accuracy !== undefined && { x_accuracy: accuracy }),
    ...(appliedLesson && { x_lesson: appliedLesson.id }),
    ...(maxErrorRate !== undefined && { x_act: why === undefined, ...(why && { x_act_reason: why }) }),
    ...(warnings.length > 0 && { x_warnings: warnings }),
  };
}

function accuracyByPack(type: ParsedQuestion["type"], options: number, p: number, { accuracy }: Calibration): number | undefined {
  const curve = bucketFor(accuracy?.[type] ?? [], options);
  return curve && 1 / (1 + Math.exp(-curve.bias) * (1 / p - 1) ** curve.slope);
}

/** @returns undefined: act on it */
function whyNotAct(
  type: ParsedQuestion["type"],
  probabilities: Float64Array,
  { calibration, appliedLesson, warnings, maxErrorRate }: Grounds & { readonly maxErrorRate: number },
): ActReason | undefined {
  if (warnings.length > 0) return "warning";
  const threshold = appliedLesson
    ? appliedLesson.thresholdFor(maxErrorRate)
    : thresholdByPack(type, probabilities, maxErrorRate, calibration);
  if (threshold === undefined) return "no_threshold";
  return Math.max(...probabilities) >= threshold ? undefined : "not_sure";
}

/** A rate that is not listed is promised by the next lower one. */
function thresholdByPack(
  type: ParsedQuestion["type"],
  probabilities: Float64Array,
  maxErrorRate: number,
  { thresholds }: Calibration,
): number | undefined {
  const byRate =
    type === "noul"
      ? thresholds?.noul?.[argmax(probabilities) === 0 ? "yes" : "no"]
      : // Those of questions with fewer options promise nothing.
        thresholds?.[type]?.find(({ maxOptions }) => probabilities.length <= maxOptions)?.byRate;
  return byRate?.findLast((threshold) => threshold.maxErrorRate <= maxErrorRate)?.probability;
}
