// Computes the figures of a set of outcomes: the model's, and those expected of blind guessing.
import { mean, sum } from "simple-statistics";
import { accuracy, accuracyAtCoverage, countAtCoverage, expectedCalibrationError, flips, macroF1, yesRates } from "./metrics.mjs";

/**
 * @typedef {import("./outcome.mjs").Outcome} Outcome
 *
 * @typedef {object} Figures fractions from 0 to 1, except counts
 * @property {number} n answered questions
 * @property {number} accuracy
 * @property {number | null} macroF1 null if the questions have different options
 * @property {number | null} ece expected calibration error, 15 bins; null for chance
 * @property {number} accuracyAt80 of the most confident 80%, by the probability of the given answer
 * @property {number} accuracyAt50
 * @property {number | null} saidYes share of yes/no questions answered yes; null if there are questions of other types
 * @property {number | null} trulyYes share of yes/no questions whose right answer is yes
 * @property {{ n: number, changed: number, share: number } | null} flips answers that differ in fp32; null if fp32 was not asked
 */

/**
 * @param {readonly Outcome[]} outcomes one or more
 * @param {{ labelsShared?: boolean, fp32?: readonly Outcome[] }} [more] `labelsShared`: whether equal option keys mean the same label in all
 *   questions; `fp32`: the fp32 graph's outcomes for the first questions
 * @returns {Figures}
 */
export function figuresOf(outcomes, { labelsShared = sameOptions(outcomes), fp32 = [] } = {}) {
  return {
    n: outcomes.length,
    accuracy: accuracy(outcomes),
    macroF1: labelsShared ? macroF1(outcomes) : null,
    ece: expectedCalibrationError(outcomes),
    accuracyAt80: accuracyAtCoverage(outcomes, 0.8),
    accuracyAt50: accuracyAtCoverage(outcomes, 0.5),
    ...(allYesNo(outcomes) ? yesRates(outcomes) : { saidYes: null, trulyYes: null }),
    flips: fp32.length > 0 ? flips(outcomes.slice(0, fp32.length), fp32) : null,
  };
}

/**
 * The expected figures of guessing each of k options equally often, with 1/k as the probability of the given answer: questions with the fewest
 * options rank as the most confident. ECE is null, because it would be 0 by construction.
 * @param {readonly Outcome[]} outcomes
 * @param {{ labelsShared?: boolean }} [more]
 * @returns {Figures}
 */
export function chanceOf(outcomes, { labelsShared = sameOptions(outcomes) } = {}) {
  const odds = outcomes.map(({ options }) => 1 / options.length).sort((a, b) => b - a);
  const surest = (coverage) => mean(odds.slice(0, countAtCoverage(odds.length, coverage)));
  return {
    n: outcomes.length,
    accuracy: mean(odds),
    macroF1: labelsShared ? chanceMacroF1(outcomes) : null,
    ece: null,
    accuracyAt80: surest(0.8),
    accuracyAt50: surest(0.5),
    ...(allYesNo(outcomes) ? { ...yesRates(outcomes), saidYes: 0.5 } : { saidYes: null, trulyYes: null }),
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

/**
 * Unweighted means over sets. A figure that any set lacks is null.
 * @param {readonly Figures[]} sets one or more
 */
export function meansOf(sets) {
  const meanOf = (name) => (sets.every((figures) => figures[name] !== null) ? mean(sets.map((figures) => figures[name])) : null);
  const names = ["accuracy", "macroF1", "ece", "accuracyAt80", "accuracyAt50"];
  return { sets: sets.length, ...Object.fromEntries(names.map((name) => [name, meanOf(name)])) };
}

const allYesNo = (outcomes) => outcomes.every(({ type }) => type === "noul");

function sameOptions(outcomes) {
  const keysOf = ({ type, options }) => JSON.stringify([type, ...options.toSorted()]);
  return new Set(outcomes.map(keysOf)).size === 1;
}
