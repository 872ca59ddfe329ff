/** The field's usual metrics for answers with probabilities. */

import { mean, sum } from "simple-statistics";
import type { Outcome } from "./outcome.ts";

export const BINS = 15;

export interface ReliabilityBin {
  /** What its answers state: from `from`, included, to `to`. */
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** The mean of what they state, which is the probability of the given answer unless said otherwise. */
  readonly probability: number;
  readonly accuracy: number;
}

export const isRight = ({ truth, said }: Outcome): boolean => truth === said;

/** The share of right answers. */
export function accuracy(outcomes: readonly Outcome[]): number {
  return mean(outcomes.map((outcome) => Number(isRight(outcome))));
}

/**
 * The unweighted mean of the labels' F1 (the "averaged F1" of Opitz and Burst 2019, "Macro F1 and Macro F1"), over the labels that are the truth
 * of at least one outcome. F1 = 2 true positives / (times true + times given).
 */
export function macroF1(outcomes: readonly Outcome[]): number {
  const labels = [...new Set(outcomes.map(({ truth }) => truth))];
  return mean(
    labels.map((label) => {
      const hits = outcomes.filter(({ truth, said }) => truth === label && said === label).length;
      const uses = outcomes.filter(({ truth }) => truth === label).length + outcomes.filter(({ said }) => said === label).length;
      return (2 * hits) / uses;
    }),
  );
}

/** A number from 0 to 1 that an answer states about itself. */
type Stated = (outcome: Outcome) => number;

const ofProbability: Stated = ({ probability }) => probability;

/** Groups outcomes into bins of equal width by what they state. Empty bins are left out. */
export function reliabilityBins(outcomes: readonly Outcome[], bins = BINS, stated: Stated = ofProbability): ReliabilityBin[] {
  const binOf = (outcome: Outcome): number => Math.min(bins - 1, Math.floor(stated(outcome) * bins));
  return Array.from({ length: bins }, (_, bin) => ({ bin, within: outcomes.filter((outcome) => binOf(outcome) === bin) }))
    .filter(({ within }) => within.length > 0)
    .map(({ bin, within }) => ({
      from: bin / bins,
      to: (bin + 1) / bins,
      n: within.length,
      probability: mean(within.map(stated)),
      accuracy: accuracy(within),
    }));
}

/**
 * Expected calibration error: the absolute difference between accuracy and the mean of what is stated, averaged over bins weighted by their share of
 * the outcomes (Guo et al. 2017, "On Calibration of Modern Neural Networks", eq. 3).
 */
export function expectedCalibrationError(outcomes: readonly Outcome[], bins = BINS, stated: Stated = ofProbability): number {
  const gaps = reliabilityBins(outcomes, bins, stated).map((bin) => bin.n * Math.abs(bin.accuracy - bin.probability));
  return sum(gaps) / outcomes.length;
}

/** Expected calibration error of `x_accuracy`, over the answers that state it; null if none does. One with a warning does not. */
export function accuracyError(outcomes: readonly Outcome[]): number | null {
  const stating = outcomes.filter((outcome) => outcome.statedAccuracy !== undefined);
  return stating.length === 0 ? null : expectedCalibrationError(stating, BINS, ({ statedAccuracy = 0 }) => statedAccuracy);
}

/** Sorts by the probability of the given answer, highest first; ties keep their order. */
const surestFirst = (outcomes: readonly Outcome[]): Outcome[] => [...outcomes].sort((a, b) => b.probability - a.probability);

/** How many of `n` outcomes a coverage of 0 to 1 takes in; at least one. */
export function countAtCoverage(n: number, coverage: number): number {
  // Rounding may leave the product just below a whole number.
  return Math.max(1, Math.floor(coverage * n + 1e-9));
}

/**
 * Accuracy of the most confident `coverage` (0 to 1) of the outcomes: selective classification (Geifman and El-Yaniv 2017), with the
 * probability of the given answer as confidence.
 */
export function accuracyAtCoverage(outcomes: readonly Outcome[], coverage: number): number {
  return accuracy(surestFirst(outcomes).slice(0, countAtCoverage(outcomes.length, coverage)));
}

/**
 * Share of wrong answers among the most confident, at each hundredth of the outcomes (at each outcome, if there are fewer than 100).
 * @returns points that end at coverage 1
 */
export function riskCoverage(outcomes: readonly Outcome[], points = 100): { coverage: number; risk: number }[] {
  const steps = Math.min(points, outcomes.length);
  const ranked = surestFirst(outcomes);
  let wrong = 0;
  const wrongAmong = ranked.map((outcome) => (wrong += Number(!isRight(outcome))));
  return Array.from({ length: steps }, (_, i) => {
    const count = Math.floor(((i + 1) * ranked.length) / steps);
    return { coverage: count / ranked.length, risk: (wrongAmong[count - 1] ?? 0) / count };
  });
}

/** Share of outcomes that are said to be, and that truly are, yes. */
export function yesRates(outcomes: readonly Outcome[]): { saidYes: number; trulyYes: number } {
  return {
    saidYes: mean(outcomes.map(({ said }) => Number(said === "yes"))),
    trulyYes: mean(outcomes.map(({ truth }) => Number(truth === "yes"))),
  };
}

/** Outcomes whose answer is another one among `others`, question by question. */
export function flips(outcomes: readonly Outcome[], others: readonly Outcome[]): { n: number; changed: number; share: number } {
  if (outcomes.length !== others.length) throw new RangeError("flips needs two lists of answers to the same questions");
  const changed = outcomes.filter(({ said }, i) => said !== others[i]?.said).length;
  return { n: outcomes.length, changed, share: changed / outcomes.length };
}

/** Pairs of a right and a wrongly given answer with their number, the most frequent first. */
export function confusions(outcomes: readonly Outcome[]): { truth: string; said: string; n: number }[] {
  const counts = new Map<string, { truth: string; said: string; n: number }>();
  for (const { truth, said } of outcomes.filter((outcome) => !isRight(outcome))) {
    const pair = JSON.stringify([truth, said]);
    counts.set(pair, { truth, said, n: (counts.get(pair)?.n ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.n - a.n);
}
