import { accuracy, calibrationError, macroF1, mean } from "../../library/statistics/metrics.ts";
import { countAtCoverage, surestFirst } from "../../library/statistics/curves.ts";
import type { Outcome } from "./outcome.ts";

/** The metrics of a set of outcomes: fractions from 0 to 1, except counts. */
export interface Metrics {
  /** Answered questions. */
  readonly n: number;
  readonly accuracy: number;
  /** Null if the questions have different options. */
  readonly macroF1: number | null;
  /** Expected calibration error, 15 bins. */
  readonly ece: number;
  /** Of the most confident 80%, by the probability of the given answer. */
  readonly accuracyAt80: number;
  readonly accuracyAt50: number;
  /** Share of yes/no questions answered yes; null if there are questions of other types. */
  readonly saidYes: number | null;
  /** Share of yes/no questions whose right answer is yes. */
  readonly trulyYes: number | null;
}

/**
 * @param outcomes one or more
 * @param labelsShared whether equal option keys mean the same label in all questions
 */
export function metricsOf(outcomes: readonly Outcome[], labelsShared = sameOptions(outcomes)): Metrics {
  const areYesNo = outcomes.every(({ type }) => type === "noul");
  return {
    n: outcomes.length,
    accuracy: accuracy(outcomes),
    macroF1: labelsShared ? labelsMacroF1(outcomes) : null,
    ece: calibrationError(outcomes),
    accuracyAt80: accuracyAtCoverage(outcomes, 0.8),
    accuracyAt50: accuracyAtCoverage(outcomes, 0.5),
    saidYes: areYesNo ? mean(outcomes.map(({ said }) => Number(said === "yes"))) : null,
    trulyYes: areYesNo ? mean(outcomes.map(({ truth }) => Number(truth === "yes"))) : null,
  };
}

function labelsMacroF1(outcomes: readonly Outcome[]): number {
  const labels = [...new Set(outcomes.flatMap(({ truth, said }) => [truth, said]))];
  const indexOf = new Map(labels.map((label, i) => [label, i]));
  const answers = outcomes.map(({ truth, said }) => ({ right: indexOf.get(truth) ?? 0, given: indexOf.get(said) ?? 0 }));
  return macroF1(answers, labels.length);
}

/**
 * Accuracy of the most confident `coverage` (0 to 1) of the outcomes: selective classification (Geifman and El-Yaniv 2017), with the
 * probability of the given answer as confidence.
 */
function accuracyAtCoverage(outcomes: readonly Outcome[], coverage: number): number {
  return accuracy(surestFirst(outcomes).slice(0, countAtCoverage(outcomes.length, coverage)));
}

/** Whether all questions have one type and the same options, in any order. */
export function sameOptions(outcomes: readonly Outcome[]): boolean {
  const keysOf = ({ type, options }: Outcome): string => JSON.stringify([type, ...[...options].sort()]);
  return new Set(outcomes.map(keysOf)).size === 1;
}
