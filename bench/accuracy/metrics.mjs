// The field's usual metrics for answers with probabilities.
import { mean, sum } from "simple-statistics";

/** @typedef {import("./outcome.mjs").Outcome} Outcome */

export const BINS = 15;

const isRight = ({ truth, said }) => truth === said;

/** The share of right answers. @param {readonly Outcome[]} outcomes */
export function accuracy(outcomes) {
  return mean(outcomes.map((outcome) => Number(isRight(outcome))));
}

/**
 * The unweighted mean of the labels' F1 (the "averaged F1" of Opitz and Burst 2019, "Macro F1 and Macro F1"), over the labels that are the truth
 * of at least one outcome. F1 = 2 true positives / (times true + times given).
 * @param {readonly Outcome[]} outcomes
 */
export function macroF1(outcomes) {
  const labels = [...new Set(outcomes.map(({ truth }) => truth))];
  return mean(
    labels.map((label) => {
      const hits = outcomes.filter(({ truth, said }) => truth === label && said === label).length;
      const uses = outcomes.filter(({ truth }) => truth === label).length + outcomes.filter(({ said }) => said === label).length;
      return (2 * hits) / uses;
    }),
  );
}

/**
 * Groups outcomes by the probability of the given answer into bins of equal width. Empty bins are left out.
 * @param {readonly Outcome[]} outcomes
 * @returns {{ from: number, to: number, n: number, probability: number, accuracy: number }[]} `probability`: the bin's mean
 */
export function reliabilityBins(outcomes, bins = BINS) {
  const binOf = ({ probability }) => Math.min(bins - 1, Math.floor(probability * bins));
  return Array.from({ length: bins }, (_, bin) => ({ bin, within: outcomes.filter((outcome) => binOf(outcome) === bin) }))
    .filter(({ within }) => within.length > 0)
    .map(({ bin, within }) => ({
      from: bin / bins,
      to: (bin + 1) / bins,
      n: within.length,
      probability: mean(within.map(({ probability }) => probability)),
      accuracy: accuracy(within),
    }));
}

/**
 * Expected calibration error: the absolute difference between accuracy and mean probability of the given answer, averaged over bins weighted by
 * their share of the outcomes (Guo et al. 2017, "On Calibration of Modern Neural Networks", eq. 3).
 * @param {readonly Outcome[]} outcomes
 */
export function expectedCalibrationError(outcomes, bins = BINS) {
  const gaps = reliabilityBins(outcomes, bins).map((bin) => bin.n * Math.abs(bin.accuracy - bin.probability));
  return sum(gaps) / outcomes.length;
}

/** Sorts by the probability of the given answer, highest first; ties keep their order. @param {readonly Outcome[]} outcomes */
const surestFirst = (outcomes) => outcomes.toSorted((a, b) => b.probability - a.probability);

/** How many of `n` outcomes a coverage of 0 to 1 takes in; at least one. */
export function countAtCoverage(n, coverage) {
  // Rounding may leave the product just below a whole number.
  return Math.max(1, Math.floor(coverage * n + 1e-9));
}

/**
 * Accuracy of the most confident `coverage` (0 to 1) of the outcomes: selective classification (Geifman and El-Yaniv 2017), with the
 * probability of the given answer as confidence.
 * @param {readonly Outcome[]} outcomes
 * @param {number} coverage
 */
export function accuracyAtCoverage(outcomes, coverage) {
  return accuracy(surestFirst(outcomes).slice(0, countAtCoverage(outcomes.length, coverage)));
}

/**
 * Share of wrong answers among the most confident, at each hundredth of the outcomes (at each outcome, if there are fewer than 100).
 * @param {readonly Outcome[]} outcomes
 * @returns {{ coverage: number, risk: number }[]} ends at coverage 1
 */
export function riskCoverage(outcomes, points = 100) {
  const steps = Math.min(points, outcomes.length);
  const ranked = surestFirst(outcomes);
  let wrong = 0;
  const wrongAmong = ranked.map((outcome) => (wrong += Number(!isRight(outcome))));
  return Array.from({ length: steps }, (_, i) => {
    const count = Math.floor(((i + 1) * ranked.length) / steps);
    return { coverage: count / ranked.length, risk: wrongAmong[count - 1] / count };
  });
}

/** Share of outcomes that are said to be, and that truly are, yes. @param {readonly Outcome[]} outcomes */
export function yesRates(outcomes) {
  return {
    saidYes: mean(outcomes.map(({ said }) => Number(said === "yes"))),
    trulyYes: mean(outcomes.map(({ truth }) => Number(truth === "yes"))),
  };
}

/** Outcomes whose answer is another one among `others`, question by question. @param {readonly Outcome[]} outcomes @param {readonly Outcome[]} others */
export function flips(outcomes, others) {
  if (outcomes.length !== others.length) throw new RangeError("flips needs two lists of answers to the same questions");
  const changed = outcomes.filter(({ said }, i) => said !== others[i]?.said).length;
  return { n: outcomes.length, changed, share: changed / outcomes.length };
}
