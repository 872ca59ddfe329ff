import type { Criterion } from "../decide/request.ts";
import { answersNeeded, thresholdFor, type RiskPoint } from "../statistics/curves.ts";
import { metricsOf, type FittedLesson, type OutOfFold } from "./fit-lesson.ts";
import type { Yielder } from "../async/signals.ts";
import type { LessonReport } from "./lesson.ts";

const MAX_ERROR_RATES = [0.01, 0.02, 0.05, 0.1, 0.2];

/** How a lesson answers its examples. */
export async function reportOf(
  criteria: readonly Criterion[],
  { before, after, doubting = after, risk, learned, forecast }: Omit<FittedLesson, "head" | "accuracy">,
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
    suspicious: labelIssuesOf(doubting).map(({ index, given, probability }) => ({
      index,
      answer: criteria[given]?.key ?? "",
      probability,
    })),
    automated: MAX_ERROR_RATES.map((maxErrorRate) => automated(maxErrorRate, risk, after)),
    ...(forecast && { forecast }),
    notes,
  };
}

function automated(maxErrorRate: number, risk: readonly RiskPoint[], answers: readonly OutOfFold[]): LessonReport["automated"][number] {
  const threshold = thresholdFor(risk, maxErrorRate);
  if (threshold !== undefined)
    return { maxErrorRate, share: weightOf(answers.filter(({ probability }) => probability >= threshold)) / weightOf(answers) };
  const needed = answersNeeded(maxErrorRate);
  const counted = answers.filter(({ weight }) => weight !== 0).length;
  const reason =
    counted < needed
      ? `Too few examples: this rate takes ${needed} or more, and there are ${counted}.`
      : "Too many of the surest answers were wrong.";
  return { maxErrorRate, share: 0, reason };
}

function weightOf(answers: readonly OutOfFold[]): number {
  return answers.reduce((sum, { weight = 1 }) => sum + weight, 0);
}

const MAX_SUSPICIOUS = 100;
/** A stated answer is suspicious where another one is so many times as probable. */
const TIMES = 4;

/**
 * Examples whose stated answer looks wrong, most suspicious first: by the probability of the stated answer, out of fold (the self-confidence of Northcutt et al.
 * 2021, "Confident Learning"). With their threshold of each answer, fewer of the labels that were changed by chance came first.
 */
export function labelIssuesOf(answers: readonly OutOfFold[]): OutOfFold[] {
  const stated = ({ right, probabilities }: OutOfFold): number => probabilities[right] ?? 0;
  return answers
    .filter((answer) => TIMES * stated(answer) < answer.probability)
    .toSorted((a, b) => stated(a) - stated(b))
    .slice(0, MAX_SUSPICIOUS);
}
