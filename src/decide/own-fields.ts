import type { Calibration, StateWarning } from "../engine/engine.ts";
import { bucketFor } from "./bucket.ts";
import type { ParsedQuestion } from "./request.ts";
import type { OwnFields } from "./types.ts";

/** Beyond it, answers are too few to tell how often they are right. */
const MAX_PROBABILITY = 0.99;

/**
 * What an answer says besides what the hosted API says.
 * @param probabilities those of the question, one or more
 * @param warnings those of the state
 */
export function toOwnFields(
  type: ParsedQuestion["type"],
  probabilities: Float64Array,
  { accuracy }: Calibration,
  warnings: readonly StateWarning[],
): OwnFields {
  const curve = accuracy && bucketFor(accuracy[type], probabilities.length);
  const p = Math.min(MAX_PROBABILITY, Math.max(...probabilities));
  return {
    ...(curve && { x_accuracy: 1 / (1 + Math.exp(-curve.bias) * (1 / p - 1) ** curve.slope) }),
    ...(warnings.length > 0 && { x_warnings: warnings }),
  };
}
