// The figures of a set of outcomes: the model's, and those expected of blind guessing.
import { mean, sum } from "simple-statistics";
import { binOf, BINS, calibrationError, countAtCoverage, metricsOf, sameOptions, surestFirst } from "./library.mjs";

/**
 * @typedef {import("../../src/tools/eval/report.ts").Outcome} Outcome
 * @typedef {Omit<import("../../src/tools/eval/report.ts").Metrics, "ece"> & {
 *   ece: number | null,
 *   accuracyError: number | null,
 *   flips: { n: number, changed: number, share: number } | null,
 * }} Figures what `umpire eval` prints (null for chance), the calibration error of `x_accuracy`, and answers that differ in fp32 (null if it was not asked)
 */

/**
 * @param {readonly Outcome[]} outcomes one or more
 * @param {{ labelsShared?: boolean, fp32?: readonly Outcome[] }} [options] whether equal option keys mean the same label in all questions; the fp32 graph's
 *   outcomes for the first questions
 * @returns {Figures}
 */
export function figuresOf(outcomes, { labelsShared, fp32 = [] } = {}) {
  return {
    ...metricsOf(outcomes, labelsShared),
    accuracyError: accuracyError(outcomes),
    flips: fp32.length > 0 ? flips(outcomes.slice(0, fp32.length), fp32) : null,
  };
}

/** Expected calibration error of `x_accuracy`; null unless every answer states it. @param {readonly Outcome[]} outcomes */
export function accuracyError(outcomes) {
  const stated = outcomes.map(({ statedAccuracy, isRight }) => ({ probability: statedAccuracy, isRight }));
  return stated.some(({ probability }) => probability === undefined) ? null : calibrationError(stated);
}

/** Outcomes whose answer is another one among `others`, question by question. */
function flips(outcomes, others) {
  const changed = outcomes.filter(({ said }, i) => said !== others[i].said).length;
  return { n: outcomes.length, changed, share: changed / outcomes.length };
}

/**
 * The expected figures of guessing each of k options equally often, with 1/k as the probability of the given answer: questions with the fewest
 * options rank as the most confident. ECE is null, because it would be 0 by construction.
 * @param {readonly Outcome[]} outcomes
 * @param {{ labelsShared?: boolean }} [options]
 * @returns {Figures}
 */
export function chanceOf(outcomes, { labelsShared = sameOptions(outcomes) } = {}) {
  const odds = outcomes.map(({ options }) => 1 / options.length).sort((a, b) => b - a);
  const surest = (coverage) => mean(odds.slice(0, countAtCoverage(odds.length, coverage)));
  const { n, saidYes, trulyYes } = metricsOf(outcomes, labelsShared);
  return {
    n,
    accuracy: mean(odds),
    macroF1: labelsShared ? chanceMacroF1(outcomes) : null,
    ece: null,
    accuracyError: null,
    accuracyAt80: surest(0.8),
    accuracyAt50: surest(0.5),
    saidYes: saidYes === null ? null : 0.5,
    trulyYes,
    flips: null,
  };
}

/** Macro-F1 from a guesser's expected counts. F1 of a label = 2 expected hits / (times true + expected times given). */
function chanceMacroF1(outcomes) {
  const labels = [...new Set(outcomes.map(({ truth }) => truth))];
  const guesses = (within) => sum(within.map(({ options }) => 1 / options.length));
  return mean(
    labels.map((label) => {
      const isTrue = outcomes.filter(({ truth }) => truth === label);
      const isOption = outcomes.filter(({ options }) => options.includes(label));
      return (2 * guesses(isTrue)) / (isTrue.length + guesses(isOption));
    }),
  );
}

const MEANS = /** @type {const} */ (["accuracy", "macroF1", "ece", "accuracyError", "accuracyAt80", "accuracyAt50"]);

/**
 * Unweighted means over sets. A figure that any set lacks is null.
 * @param {readonly Figures[]} sets one or more
 */
export function meansOf(sets) {
  const means = MEANS.map((name) => {
    const values = sets.map((figures) => figures[name]);
    return [name, values.includes(null) ? null : mean(values)];
  });
  return { sets: sets.length, ...Object.fromEntries(means) };
}

/**
 * Share of wrong answers among the most confident, at each hundredth of the outcomes (at each outcome, if there are fewer than 100).
 * @param {readonly Outcome[]} outcomes
 * @returns {{ coverage: number, risk: number }[]} points that end at coverage 1
 */
export function riskCoverage(outcomes) {
  const steps = Math.min(100, outcomes.length);
  const ranked = surestFirst(outcomes);
  let wrong = 0;
  const wrongAmong = ranked.map(({ isRight }) => (wrong += Number(!isRight)));
  return Array.from({ length: steps }, (_, i) => {
    const count = Math.floor(((i + 1) * ranked.length) / steps);
    return { coverage: count / ranked.length, risk: wrongAmong[count - 1] / count };
  });
}

/**
 * The answers of one bin, which state more than `from` and at most `to`; the mean of what they state, and the share that is right.
 * @typedef {{ from: number, to: number, n: number, probability: number, accuracy: number }} ReliabilityBin
 */

/**
 * Bins of equal width, in ascending order. Empty ones are left out.
 * @param {readonly { probability: number, isRight: boolean }[]} answers
 * @returns {ReliabilityBin[]}
 */
export function reliabilityBins(answers) {
  const bins = Array.from({ length: BINS }, (_, bin) => ({ from: bin / BINS, to: (bin + 1) / BINS, n: 0, stated: 0, right: 0 }));
  for (const { probability, isRight } of answers) {
    const bin = bins[binOf(probability)];
    bin.n++;
    bin.stated += probability;
    bin.right += Number(isRight);
  }
  return bins
    .filter(({ n }) => n > 0)
    .map(({ from, to, n, stated, right }) => ({ from, to, n, probability: stated / n, accuracy: right / n }));
}
