import { sharesOf } from "../../../library/decide/questions/question-kinds.ts";
import type { ActReason, Answer } from "../../../library/decide/types.ts";
import type { StateWarning } from "../../../library/engine/engine.ts";

interface Sureness {
  readonly words: "sure" | "fairly sure" | "tentative" | "not sure";
  /** How often answers like this one are right, or else its confidence: "right in 82 of 100", "0.55". "" for a yes/no answer that says neither. */
  readonly measure: string;
  /** Advice to ask a person; "" for none. */
  readonly hint: string;
  readonly mayAct: boolean;
}

/** Where answers are right less often than this, a person should decide. */
export const LEAST_ACCURACY = 0.6;

/** The least accuracy for each, and the least confidence where the model states no accuracy. Below the last one, a person should decide. */
const LEVELS = [
  { words: "sure", accuracy: 0.9, confidence: 0.7 },
  { words: "fairly sure", accuracy: 0.75, confidence: 0.4 },
  { words: "tentative", accuracy: LEAST_ACCURACY, confidence: 0.25 },
] as const;

const PERSON_BECAUSE: { readonly [Reason in ActReason]: string } = {
  not_sure: "ask a person",
  no_threshold: "ask a person: nothing promises that rate here yet",
  warning: "ask a person",
};

const IN_WORDS: { readonly [Code in StateWarning]: string } = {
  unread_text: "Much of the text is of letters or words that the model does not know.",
  empty_state: "There is no text to read.",
};

export function surenessOf(answer: Answer): Sureness {
  const { x_accuracy: accuracy, x_act, x_act_reason: reason = "not_sure", x_warnings } = answer;
  const isReached = (level: (typeof LEVELS)[number]): boolean =>
    accuracy === undefined ? confidenceOf(answer) >= level.confidence : accuracy >= level.accuracy;
  const level = x_warnings === undefined ? LEVELS.find(isReached) : undefined;
  const words = level?.words ?? "not sure";
  const measure = measureOf(answer);
  // With a warning, the text is not of the kind on which error rates were measured, either.
  if (x_act === undefined || x_warnings !== undefined)
    return { words, measure, hint: level === undefined ? "better ask a person" : "", mayAct: false };
  return { words, measure, hint: x_act ? "" : PERSON_BECAUSE[reason], mayAct: x_act };
}

export function warningsOf({ x_warnings = [] }: Answer): string[] {
  return x_warnings.map((code) => IN_WORDS[code]);
}

function measureOf(answer: Answer): string {
  // With a warning, the text is not of the kind on which accuracy was measured, and no other measure takes its place.
  if (answer.x_warnings !== undefined) return "";
  if (answer.x_accuracy !== undefined) return `right in ${hundredths(answer.x_accuracy)} of 100`;
  return "confidence" in answer ? (hundredths(answer.confidence) / 100).toFixed(2) : "";
}

/** Rounded down, so that the number never looks better than the words next to it. */
function hundredths(share: number): number {
  return Math.floor(share * 100 + 1e-9);
}

/**
 * A yes/no answer has no confidence of its own. It gets that of a choice between yes and no: the distance of its largest probability from even odds, 0 to 1.
 */
export function confidenceOf(answer: Answer): number {
  if ("confidence" in answer) return answer.confidence;
  const shares = Object.values(sharesOf(answer));
  return (Math.max(...shares) - 1 / shares.length) / (1 - 1 / shares.length);
}

export function isForPerson(answer: Answer): boolean {
  return surenessOf(answer).hint !== "";
}
