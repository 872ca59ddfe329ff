import { QUESTION_KINDS, QUESTION_TYPES } from "../../../library/decide/questions/question-kinds.ts";
import type { AccuracyCurve, Calibration, QuestionType } from "../../../library/engine/engine.ts";
import { randomFrom, shuffled } from "../../../library/statistics/random.ts";
import { accuracyCurves, FIT_TEMPERATURES, MIN_QUESTIONS, ownBuckets, UNCALIBRATED } from "./fit.ts";
import type { Labelled, Scored } from "./fit.ts";

/** Every question is answered by what was fitted on the texts of the other folds. */
const FOLDS = 5;
/** Texts that a type takes: fewer do not make folds. */
const MIN_TEXTS = 10;

interface TypeFit<T extends QuestionType = QuestionType> {
  readonly temperatures: Calibration[T];
  readonly accuracy: readonly AccuracyCurve[];
}

export interface TypeResult {
  readonly type: QuestionType;
  readonly scored: readonly Scored[];
  /** Why nothing was fitted, in words that follow a colon. */
  readonly reason?: string;
  readonly fit?: TypeFit;
  /** float64 [criteria] of each question, by temperatures that were fitted without its text. Present if something was fitted. */
  readonly outOfFold?: readonly Float64Array[];
  /** Choices: indexes of the buckets with a temperature of their own. */
  readonly own: ReadonlySet<number>;
}

/** Fits temperatures and curves of each question type that has enough questions. The same questions in the same order give the same result. */
export function calibrate(scored: readonly Scored[]): TypeResult[] {
  return QUESTION_TYPES.map((type) =>
    fitType(
      type,
      scored.filter((one) => one.type === type),
    ),
  );
}

/**
 * A calibration with what was fitted in place of what it had. Types without a fit stay as they are. Thresholds belong to the temperatures that they were fitted
 * with, and end with them.
 * @returns without the mark of a pack that was never calibrated
 */
export function withFits({ uncalibrated: _, ...before }: Calibration, results: readonly TypeResult[]): Calibration {
  const fits = results.flatMap(({ type, fit }) => (fit ? [{ type, fit }] : []));
  const fitted = <K extends keyof TypeFit>(key: K): { [T in QuestionType]?: TypeFit[K] } =>
    Object.fromEntries(fits.map(({ type, fit }) => [type, fit[key]]));
  const thresholds = Object.entries(before.thresholds ?? {}).filter(([type]) => !fits.some((fit) => fit.type === type));
  return {
    ...before,
    ...(fitted("temperatures") as Partial<Calibration>),
    accuracy: { ...before.accuracy, ...fitted("accuracy") },
    ...(before.thresholds && { thresholds: Object.fromEntries(thresholds) }),
  };
}

/** Why questions of one type are not enough to fit it, in words that follow a colon; undefined if they are. */
export function whyNotFitted(type: QuestionType, questions: readonly Labelled[]): string | undefined {
  if (questions.length < MIN_QUESTIONS) return `it takes ${MIN_QUESTIONS} questions, and there are ${questions.length}`;
  const texts = new Set(questions.map(({ text }) => text)).size;
  if (texts < MIN_TEXTS) return `it takes ${MIN_TEXTS} different texts, and there are ${texts}`;
  // A bias that is fitted on one answer alone says it always.
  if (type === "noul" && new Set(questions.map(({ answer }) => answer)).size < 2) return "all right answers are the same";
  return undefined;
}

function fitType(type: QuestionType, scored: readonly Scored[]): TypeResult {
  const own = type === "choice" ? ownBuckets(scored) : new Set<number>();
  const reason = whyNotFitted(type, scored);
  if (reason !== undefined) return { type, scored, own, reason };
  const temperatures = FIT_TEMPERATURES[type](scored, own);
  const calibration = { ...UNCALIBRATED, [type]: temperatures };
  const fit = { temperatures, accuracy: accuracyCurves(type, scored, calibration) };
  return { type, scored, own, fit, outOfFold: crossFitted(type, scored, own) };
}

function crossFitted(type: QuestionType, scored: readonly Scored[], own: ReadonlySet<number>): Float64Array[] {
  // Shuffled, since files often repeat themselves: every fifth row may be of one kind.
  const texts = shuffled([...new Set(scored.map(({ text }) => text))], randomFrom(0));
  const folds = new Map(texts.map((text, i) => [text, i % FOLDS]));
  const byFold = Array.from({ length: FOLDS }, (_, fold) => {
    const others = scored.filter(({ text }) => folds.get(text) !== fold);
    return { ...UNCALIBRATED, [type]: FIT_TEMPERATURES[type](others, own) };
  });
  return scored.map(({ scores, text }) => QUESTION_KINDS[type].calibrate(scores, byFold[folds.get(text) ?? 0] ?? UNCALIBRATED));
}
