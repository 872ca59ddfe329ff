import type { RiskPoint } from "../engine/engine.ts";
import type { ParsedQuestion } from "./request.ts";

/** What was learned of one question. It answers in place of the pack's calibration. */
export interface Taught {
  /** The lesson's id. */
  readonly id: string;
  /** Whether it reads features; where it does not, the model need not make them. */
  readonly usesFeatures: boolean;
  /**
   * @param question the question as it was asked, its criteria in the caller's order
   * @param untaught float64 [criteria]: its probabilities by the pack's calibration
   * @param features float32 [features]; undefined if it does not use them
   * @returns float64 [criteria], in the same order. They sum to 1, give or take rounding, and are the same bit for bit in any order of the criteria.
   */
  toProbabilities(question: ParsedQuestion, untaught: Float64Array, features: Float32Array | undefined): Float64Array;
  /** How often answers with this probability were right on examples held out, 0 to 1. */
  accuracyOf(probability: number): number;
  /** Answers to examples held out, counted from the surest on. */
  readonly risk: readonly RiskPoint[];
}
