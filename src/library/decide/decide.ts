import type { Batch, BatchScores, EngineInfo } from "../engine/engine.ts";
import { counted, elementAt } from "../validation/expect.ts";
import { toExtensionFields } from "./extension-fields.ts";
import type { AppliedLesson } from "./extension-fields.ts";
import { inRequest } from "./issue-path.ts";
import { argmax } from "./probabilities.ts";
import { QUESTION_KINDS } from "./questions/question-kinds.ts";
import { parseRequest } from "./request.ts";
import type { ParsedQuestion, ParsedRequest } from "./request.ts";
import type { Answer, DecideOptions, DecideRequest, DecideResponse, Usage } from "./types.ts";

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
  { signal, maxInputTokens, maxErrorRate }: DecideOptions,
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
    return [question.id, { ...toAnswer(question, p), ...toExtensionFields(question.type, p, grounds) }] as const;
  });
  return { model: info.model, answers: Object.fromEntries(answers), usage: toUsage(scores, probabilities) };
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
    QUESTION_KINDS[type].calibrate(elementAt(scored, i, "scored question").scores, info.calibration),
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
      options: criteria.map((criterion) => QUESTION_KINDS[type].read(criterion)),
    })),
  };
}

/** @throws {DecideError} `internal` if there are more or fewer probabilities than criteria. */
function toAnswer({ type, criteria }: ParsedQuestion, probabilities: Float64Array): Answer {
  return QUESTION_KINDS[type].answer(criteria, counted(probabilities, criteria.length, "probabilities"));
}

/** Tokens of what the caller sent, and of the likeliest criterion of each question. */
function toUsage({ questions, inputTokens }: BatchScores, probabilities: readonly Float64Array[]): Usage {
  const committed = questions.map(({ answerTokens }, i) =>
    elementAt(answerTokens, argmax(elementAt(probabilities, i, "list of probabilities")), "answer's token count"),
  );
  return { input_tokens: inputTokens, output_tokens: committed.reduce((a, b) => a + b, 0) };
}
