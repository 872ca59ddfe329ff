import type { Answer } from "../decide/types.ts";

/** How much an answer is worth, in words. */
export interface Sureness {
  readonly words: "sure" | "fairly sure" | "tentative" | "not sure";
  /** What to do about it; "" for nothing. */
  readonly hint: string;
}

/** By the least confidence that they stand for. Below the last an answer is worth less than the look of a person. */
const LEVELS = [
  [0.7, "sure"],
  [0.4, "fairly sure"],
  [0.25, "tentative"],
] as const;

export function surenessOf(answer: Answer): Sureness {
  const confidence = confidenceOf(answer);
  const level = LEVELS.find(([least]) => confidence >= least);
  return level === undefined ? { words: "not sure", hint: "better ask a person" } : { words: level[1], hint: "" };
}

/** A yes/no answer carries no confidence; the distance from even odds, 0 to 1, is that of a choice between yes and no. */
function confidenceOf(answer: Answer): number {
  return answer.type === "noul" ? Math.abs(2 * answer.noul - 1) : answer.confidence;
}
