import type { Calibration, RiskPoint, StateWarning } from "../engine/engine.ts";
import { bucketFor } from "./probabilities.ts";
import type { ParsedQuestion } from "./questions/question-kind.ts";
import { thresholdFor } from "./risk.ts";
import type { ExtensionFields } from "./types.ts";

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
  /** Answers to examples held out, counted from the surest on. */
  readonly risk: readonly RiskPoint[];
}

/** Beyond it, answers are too few to tell how often they are right. */
const MAX_PROBABILITY = 0.99;

/** Held-out answers that were as sure. */
interface Sureness {
  readonly accuracyOf: (probability: number) => number | undefined;
  readonly risk: readonly RiskPoint[];
}

/** The grounds of an answer besides its probabilities. */
export interface Grounds {
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
export function toExtensionFields(
  type: ParsedQuestion["type"],
  probabilities: Float64Array,
  { calibration, appliedLesson, warnings, maxErrorRate }: Grounds,
): ExtensionFields {
  const { accuracyOf, risk } = appliedLesson ?? surenessByPack(type, probabilities.length, calibration);
  const largest = Math.max(...probabilities);
  // Held-out answers were about texts that can be read: they say nothing of others.
  const accuracy = warnings.length === 0 ? accuracyOf(Math.min(MAX_PROBABILITY, largest)) : undefined;
  return {
    ...(accuracy !== undefined && { x_accuracy: accuracy }),
    ...(appliedLesson && { x_lesson: appliedLesson.id }),
    ...(maxErrorRate !== undefined && { x_act: warnings.length === 0 && largest >= (thresholdFor(risk, maxErrorRate) ?? Infinity) }),
    ...(warnings.length > 0 && { x_warnings: warnings }),
  };
}

function surenessByPack(type: ParsedQuestion["type"], options: number, { accuracy, risk }: Calibration): Sureness {
  const curve = bucketFor(accuracy?.[type] ?? [], options);
  return {
    accuracyOf: (p) => curve && 1 / (1 + Math.exp(-curve.bias) * (1 / p - 1) ** curve.slope),
    // Counts of questions with fewer options promise nothing.
    risk: risk?.[type]?.find(({ maxOptions }) => options <= maxOptions)?.points ?? [],
  };
}
