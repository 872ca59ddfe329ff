import type { Answer } from "../../decide/types.ts";

/** How certain an answer is, in words. */
export interface Sureness {
  readonly words: "sure" | "fairly sure" | "tentative" | "not sure";
  /** Advice; "" for none. */
  readonly hint: string;
}

/** The least confidence for each. Below the last one, a person should decide. */
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

/** A yes/no answer has no confidence of its own. Its distance from even odds, 0 to 1, equals the confidence of a choice between yes and no. */
function confidenceOf(answer: Answer): number {
  return answer.type === "noul" ? Math.abs(2 * answer.noul - 1) : answer.confidence;
}
