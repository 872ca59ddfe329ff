import type { Criterion } from "../decide/request.ts";
import { answersNeeded, thresholdFor } from "../decide/decide.ts";
import type { RiskPoint } from "../statistics/curves.ts";
import { metricsOf } from "./fit-lesson.ts";
import type { FittedLesson, OutOfFold } from "./fit-lesson.ts";
import type { Yielder } from "../async/signals.ts";
import type { LessonReport } from "./lesson.ts";

const MAX_ERROR_RATES = [0.01, 0.02, 0.05, 0.1, 0.2];

/** How a lesson answers its examples. */
export async function reportOf(
  criteria: readonly Criterion[],
  { before, after, risk, learned }: Pick<FittedLesson, "before" | "after" | "risk" | "learned">,
  notes: readonly string[],
  yielder: Yielder,
): Promise<LessonReport> {
  const options = criteria.length;
  const confusion = criteria.map(() => criteria.map(() => 0));
  for (const { right, given } of after) {
    const row = confusion[right];
    if (row) row[given] = (row[given] ?? 0) + 1;
  }
  return {
    before: await metricsOf(before, options, yielder),
    after: await metricsOf(after, options, yielder),
    learned,
    confusion,
    suspicious: labelIssuesOf(after, options).map(({ index, given, probability }) => ({
      index,
      answer: criteria[given]?.key ?? "",
      probability,
    })),
    automated: MAX_ERROR_RATES.map((maxErrorRate) => automated(maxErrorRate, risk, after)),
    notes,
  };
}

function automated(maxErrorRate: number, risk: readonly RiskPoint[], answers: readonly OutOfFold[]): LessonReport["automated"][number] {
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

const MAX_SUSPICIOUS = 100;
/** A stated answer that is at least so probable is not suspicious. */
const UNLIKELY = 0.1;

/**
 * Examples whose stated answer looks wrong, most suspicious first (confident learning, Northcutt et al. 2021): the stated answer is improbable, and another
 * one is at least as probable as it is, on average, in examples that state it.
 */
export function labelIssuesOf(answers: readonly OutOfFold[], options: number): OutOfFold[] {
  const sums = new Float64Array(options);
  const counts = new Float64Array(options);
  for (const { right, probabilities } of answers) {
    sums[right] = (sums[right] ?? 0) + (probabilities[right] ?? 0);
    counts[right] = (counts[right] ?? 0) + 1;
  }
  const isSuspicious = ({ right, given, isRight, probability, probabilities }: OutOfFold): boolean =>
    !isRight &&
    (probabilities[right] ?? 0) < UNLIKELY &&
    probability * (counts[given] ?? 0) >= (sums[given] ?? 0) &&
    (counts[given] ?? 0) > 0;
  const margin = ({ right, probability, probabilities }: OutOfFold): number => (probabilities[right] ?? 0) - probability;
  return answers
    .filter(isSuspicious)
    .toSorted((a, b) => margin(a) - margin(b))
    .slice(0, MAX_SUSPICIOUS);
}
