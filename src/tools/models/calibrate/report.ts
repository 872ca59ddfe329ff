import { mean } from "simple-statistics";
import type { TypeResult } from "./calibrate.ts";
import { BUCKETS, UNCALIBRATED, bucketOf } from "./scored.ts";
import type { QuestionType } from "./scored.ts";
import { argmax } from "../../../library/decide/probabilities.ts";
import { QUESTION_KINDS } from "../../../library/decide/questions/question-kinds.ts";
import type { Calibration } from "../../../library/engine/engine.ts";
import { logOf } from "../../../library/lessons/fit/softmax.ts";
import { elementAt } from "../../../library/validation/expect.ts";
import { accuracy, expectedCalibrationError } from "../../eval/metrics.ts";
import type { Outcome } from "../../eval/outcome.ts";

/** How good probabilities are. */
export interface CalibrationFigures {
  /** Share of right answers, 0 to 1. */
  readonly accuracy: number;
  /** Mean negative log-likelihood of the right answers, 0 or more; less is better. */
  readonly logLoss: number;
  /** Expected calibration error, 15 bins, 0 to 1; less is better. */
  readonly calibrationError: number;
}

/** What a calibration does for the questions of a type, or for choices with about as many options. */
export interface PartReport {
  readonly type: QuestionType;
  /** Of choices: those of one bucket, with up to so many options and more than the bucket before. Absent: all questions of the type. */
  readonly maxOptions?: number;
  readonly questions: number;
  /** Absent where nothing was fitted, and for all choices together. */
  readonly temperature?: number;
  /** Of yes/no questions. */
  readonly bias?: number;
  /** Whether a bucket has too few questions for a temperature of its own, and so that of all choices. */
  readonly isShared?: boolean;
  /** With temperature 1. */
  readonly before: CalibrationFigures;
  /** Each question answered by what was fitted on other texts. Absent where nothing was fitted. */
  readonly after?: CalibrationFigures;
  /** Why nothing was fitted, in words that follow a colon. */
  readonly reason?: string;
}

/** What is printed of a calibration. */
export interface CalibrationReport {
  readonly file: string;
  readonly folder: string;
  readonly model: string;
  readonly device: string;
  readonly precision: string;
  readonly rows: number;
  /** Those that were fitted on. */
  readonly questions: number;
  /** Questions that were left out. */
  readonly tooLong: number;
  readonly parts: readonly PartReport[];
}

/** Types and buckets without questions are left out. */
export function partsOf(results: readonly TypeResult[]): PartReport[] {
  return results.flatMap((result) => (result.scored.length === 0 ? [] : [wholeType(result), ...bucketsOf(result)]));
}

function wholeType(result: TypeResult): PartReport {
  const { type, scored, fit, reason } = result;
  const every = scored.map((_, i) => i);
  return {
    type,
    questions: scored.length,
    ...(fit && type !== "choice" && { ...(fit.temperatures as Calibration["noul" | "score"]) }),
    ...figuresOf(result, every),
    ...(reason !== undefined && { reason }),
  };
}

function bucketsOf(result: TypeResult): PartReport[] {
  const { type, scored, fit, own } = result;
  if (type !== "choice") return [];
  return BUCKETS.choice.flatMap((maxOptions, bucket) => {
    const within = [...scored.keys()].filter((i) => bucketOf(type, elementAt(scored, i, "question").scores.length) === bucket);
    if (within.length === 0) return [];
    const temperature = (fit?.temperatures as Calibration["choice"] | undefined)?.[bucket]?.temperature;
    const fitted = temperature === undefined ? {} : { temperature, isShared: !own.has(bucket) };
    return [{ type, maxOptions, questions: within.length, ...fitted, ...figuresOf(result, within) }];
  });
}

/** @param indexes which of the result's questions */
function figuresOf({ type, scored, heldOut }: TypeResult, indexes: readonly number[]): Pick<PartReport, "before" | "after"> {
  const of = (probabilities: (index: number) => Float64Array): CalibrationFigures => {
    const answers = indexes.map((i) => ({ right: elementAt(scored, i, "question").answer, p: probabilities(i) }));
    const outcomes = answers.map(({ right, p }) => outcomeOf(type, right, p));
    return {
      accuracy: accuracy(outcomes),
      logLoss: -mean(answers.map(({ right, p }) => logOf(p[right] ?? 0))),
      calibrationError: expectedCalibrationError(outcomes),
    };
  };
  return {
    before: of((i) => QUESTION_KINDS[type].calibrate(elementAt(scored, i, "question").scores, UNCALIBRATED)),
    ...(heldOut && { after: of((i) => elementAt(heldOut, i, "list of probabilities")) }),
  };
}

function outcomeOf(type: QuestionType, right: number, p: Float64Array): Outcome {
  const said = argmax(p);
  return { type, options: Array.from(p, (_, i) => String(i)), truth: String(right), said: String(said), probability: p[said] ?? 0 };
}
