import type { Calibration, RiskPoint, StateWarning } from "../engine/engine.ts";
import { bucketFor } from "./bucket.ts";
import type { ParsedQuestion } from "./request.ts";
import { thresholdFor } from "./risk.ts";
import type { Taught } from "./taught.ts";
import type { OwnFields } from "./types.ts";

/** Beyond it, answers are too few to tell how often they are right. */
const MAX_PROBABILITY = 0.99;

/** What is known of held-out answers that were as sure. */
interface Sureness {
  readonly accuracyOf: (probability: number) => number | undefined;
  readonly risk: readonly RiskPoint[];
}

/** What an answer stands on besides its probabilities. */
export interface Grounds {
  readonly calibration: Calibration;
  /** What was learned of the question. */
  readonly taught?: Taught | undefined;
  /** Those of the state. */
  readonly warnings: readonly StateWarning[];
  /** Above 0, below 1. Default: no `x_act`. */
  readonly maxErrorRate?: number | undefined;
}

/**
 * What an answer says besides what the hosted API says.
 * @param probabilities those of the question, one or more
 */
export function toOwnFields(
  type: ParsedQuestion["type"],
  probabilities: Float64Array,
  { calibration, taught, warnings, maxErrorRate }: Grounds,
): OwnFields {
  const { accuracyOf, risk } = taught ?? untaught(type, probabilities.length, calibration);
  const largest = Math.max(...probabilities);
  // Held-out answers were about texts that can be read: they say nothing of others.
  const accuracy = warnings.length === 0 ? accuracyOf(Math.min(MAX_PROBABILITY, largest)) : undefined;
  return {
    ...(accuracy !== undefined && { x_accuracy: accuracy }),
    ...(taught && { x_lesson: taught.id }),
    ...(maxErrorRate !== undefined && { x_act: warnings.length === 0 && largest >= (thresholdFor(risk, maxErrorRate) ?? Infinity) }),
    ...(warnings.length > 0 && { x_warnings: warnings }),
  };
}

/** By the pack. */
function untaught(type: ParsedQuestion["type"], options: number, { accuracy, risk }: Calibration): Sureness {
  const curve = bucketFor(accuracy?.[type] ?? [], options);
  return {
    accuracyOf: (p) => curve && 1 / (1 + Math.exp(-curve.bias) * (1 / p - 1) ** curve.slope),
    // Counts of questions with fewer options promise nothing.
    risk: risk?.[type]?.find(({ maxOptions }) => options <= maxOptions)?.points ?? [],
  };
}
