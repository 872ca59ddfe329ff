import type { Answer } from "../types.ts";

/** An answer's confidence in words. */
export interface Sureness {
  readonly words: "sure" | "fairly sure" | "not sure";
  /** What to do about it; "" for nothing. */
  readonly hint: string;
}

const SURE = 0.7;
/** Below this an answer is worth less than the look of a person. */
const DOUBTFUL = 0.4;

export function surenessOf(answer: Answer): Sureness {
  const confidence = confidenceOf(answer);
  if (confidence < DOUBTFUL) return { words: "not sure", hint: "better ask a person" };
  return { words: confidence < SURE ? "fairly sure" : "sure", hint: "" };
}

/** A yes/no answer carries no confidence; the distance from even odds, 0 to 1, is that of a choice between yes and no. */
function confidenceOf(answer: Answer): number {
  return answer.type === "noul" ? Math.abs(2 * answer.noul - 1) : answer.confidence;
}
