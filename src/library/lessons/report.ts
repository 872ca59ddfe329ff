import { answersNeeded, thresholdFor } from "../decide/risk.ts";
import type { Criterion } from "../decide/request.ts";
import type { RiskPoint } from "../engine/engine.ts";
import { figuresOf } from "./figures.ts";
import type { Pauses } from "./fit/pauses.ts";
import type { HeldOut } from "./held-out.ts";
import type { LessonReport } from "./lesson.ts";
import { suspiciousOf } from "./suspicious.ts";

const MAX_ERROR_RATES = [0.01, 0.02, 0.05, 0.1, 0.2];

/** What is reported of. */
export interface Reported {
  readonly criteria: readonly Criterion[];
  /** Answers to the examples by the model alone. */
  readonly before: readonly HeldOut[];
  /** With what was learned of other examples. */
  readonly after: readonly HeldOut[];
  readonly risk: readonly RiskPoint[];
  readonly learned: LessonReport["learned"];
  readonly notes: readonly string[];
}

export async function reportOf({ criteria, before, after, risk, learned, notes }: Reported, pauses: Pauses): Promise<LessonReport> {
  const options = criteria.length;
  const confusion = criteria.map(() => criteria.map(() => 0));
  for (const { right, given } of after) {
    const row = confusion[right];
    if (row) row[given] = (row[given] ?? 0) + 1;
  }
  return {
    before: await figuresOf(before, options, pauses),
    after: await figuresOf(after, options, pauses),
    learned,
    confusion,
    suspicious: suspiciousOf(after, options).map(({ index, given, probability }) => ({
      index,
      answer: criteria[given]?.key ?? "",
      probability,
    })),
    automated: MAX_ERROR_RATES.map((maxErrorRate) => automated(maxErrorRate, risk, after)),
    notes,
  };
}

function automated(maxErrorRate: number, risk: readonly RiskPoint[], answers: readonly HeldOut[]): LessonReport["automated"][number] {
  const threshold = thresholdFor(risk, maxErrorRate);
  if (threshold !== undefined)
    return { maxErrorRate, share: answers.filter(({ probability }) => probability >= threshold).length / answers.length };
  const needed = answersNeeded(maxErrorRate);
  const reason =
    answers.length < needed
      ? `Too few examples: this rate takes ${needed} or more, and there are ${answers.length}.`
      : "Too many of the surest answers were wrong.";
  return { maxErrorRate, share: 0, reason };
}
