/** The figures of a set of outcomes: the model's, and those expected of blind guessing. */

import { mean, sum } from "simple-statistics";
import {
  accuracy,
  accuracyAtCoverage,
  accuracyError,
  countAtCoverage,
  expectedCalibrationError,
  flips,
  macroF1,
  yesRates,
} from "./metrics.ts";
import type { Outcome } from "./outcome.ts";

/** Fractions from 0 to 1, except counts. */
export interface Figures {
  /** Answered questions. */
  readonly n: number;
  readonly accuracy: number;
  /** Null if the questions have different options. */
  readonly macroF1: number | null;
  /** Expected calibration error, 15 bins; null for chance. */
  readonly ece: number | null;
  /** The same error of `x_accuracy`; null where answers do not state it. */
  readonly accuracyError: number | null;
  /** Of the most confident 80%, by the probability of the given answer. */
  readonly accuracyAt80: number;
  readonly accuracyAt50: number;
  /** Share of yes/no questions answered yes; null if there are questions of other types. */
  readonly saidYes: number | null;
  /** Share of yes/no questions whose right answer is yes. */
  readonly trulyYes: number | null;
  /** Answers that differ in fp32; null if fp32 was not asked. */
  readonly flips: { readonly n: number; readonly changed: number; readonly share: number } | null;
}

export interface FiguresOptions {
  /** Whether equal option keys mean the same label in all questions. Default: if all questions have the same options. */
  readonly labelsShared?: boolean | undefined;
  /** The fp32 graph's outcomes for the first questions. */
  readonly fp32?: readonly Outcome[] | undefined;
}

/** @param outcomes one or more */
export function figuresOf(outcomes: readonly Outcome[], { labelsShared = sameOptions(outcomes), fp32 = [] }: FiguresOptions = {}): Figures {
  return {
    n: outcomes.length,
    accuracy: accuracy(outcomes),
    macroF1: labelsShared ? macroF1(outcomes) : null,
    ece: expectedCalibrationError(outcomes),
    accuracyError: accuracyError(outcomes),
    accuracyAt80: accuracyAtCoverage(outcomes, 0.8),
    accuracyAt50: accuracyAtCoverage(outcomes, 0.5),
    ...(allYesNo(outcomes) ? yesRates(outcomes) : { saidYes: null, trulyYes: null }),
    flips: fp32.length > 0 ? flips(outcomes.slice(0, fp32.length), fp32) : null,
  };
}

/**
 * The expected figures of guessing each of k options equally often, with 1/k as the probability of the given answer: questions with the fewest
 * options rank as the most confident. ECE is null, because it would be 0 by construction.
 */
export function chanceOf(
  outcomes: readonly Outcome[],
  { labelsShared = sameOptions(outcomes) }: Pick<FiguresOptions, "labelsShared"> = {},
): Figures {
  const odds = outcomes.map(({ options }) => 1 / options.length).sort((a, b) => b - a);
  const surest = (coverage: number): number => mean(odds.slice(0, countAtCoverage(odds.length, coverage)));
  return {
    n: outcomes.length,
    accuracy: mean(odds),
    macroF1: labelsShared ? chanceMacroF1(outcomes) : null,
    ece: null,
    accuracyError: null,
    accuracyAt80: surest(0.8),
    accuracyAt50: surest(0.5),
    ...(allYesNo(outcomes) ? { ...yesRates(outcomes), saidYes: 0.5 } : { saidYes: null, trulyYes: null }),
    flips: null,
  };
}

/** Macro-F1 from a guesser's expected counts. F1 of a label = 2 expected hits / (times true + expected times given). */
function chanceMacroF1(outcomes: readonly Outcome[]): number {
  const labels = [...new Set(outcomes.map(({ truth }) => truth))];
  const guesses = (within: readonly Outcome[]): number => sum(within.map(({ options }) => 1 / options.length));
  return mean(
    labels.map((label) => {
      const isTrue = outcomes.filter(({ truth }) => truth === label);
      const isOption = outcomes.filter(({ options }) => options.includes(label));
      return (2 * guesses(isTrue)) / (isTrue.length + guesses(isOption));
    }),
  );
}

type MeanName = "accuracy" | "macroF1" | "ece" | "accuracyError" | "accuracyAt80" | "accuracyAt50";

/**
 * Unweighted means over sets. A figure that any set lacks is null.
 * @param sets one or more
 */
export function meansOf(sets: readonly Figures[]): { readonly sets: number } & Readonly<Record<MeanName, number | null>> {
  const meanOf = (name: MeanName): number | null => {
    const values = sets.map((figures) => figures[name]).filter((value) => value !== null);
    return values.length === sets.length ? mean(values) : null;
  };
  return {
    sets: sets.length,
    accuracy: meanOf("accuracy"),
    macroF1: meanOf("macroF1"),
    ece: meanOf("ece"),
    accuracyError: meanOf("accuracyError"),
    accuracyAt80: meanOf("accuracyAt80"),
    accuracyAt50: meanOf("accuracyAt50"),
  };
}

const allYesNo = (outcomes: readonly Outcome[]): boolean => outcomes.every(({ type }) => type === "noul");

/** Whether all questions have one type and the same options, in any order. */
export function sameOptions(outcomes: readonly Outcome[]): boolean {
  const keysOf = ({ type, options }: Outcome): string => JSON.stringify([type, ...[...options].sort()]);
  return new Set(outcomes.map(keysOf)).size === 1;
}
