// Figures of draws, with the same formulas as `umpire eval`.
import { figuresOf, outcomeOfProbabilities, randomFrom } from "../accuracy/library.mjs";

const REPEATS = 20;

/**
 * @param {object} question
 * @param {readonly import("./readings.mjs").Reading[]} tests
 * @param {readonly Float64Array[]} probabilities of each test's options
 */
export function figuresOfDraw(question, tests, probabilities) {
  const outcomes = outcomesOf(question, tests, probabilities);
  const { accuracy, macroF1, ece } = figuresOf(outcomes);
  return { accuracy, macroF1, ece, eceByChance: eceByChance(outcomes) };
}

/** The calibration error that perfectly calibrated answers of the same probabilities would show, since so few tests leave some to chance. */
function eceByChance(outcomes) {
  const random = randomFrom(1);
  const asStated = (outcome) => ({ ...outcome, truth: random() < outcome.probability ? outcome.said : "another" });
  return average(Array.from({ length: REPEATS }, () => figuresOf(outcomes.map(asStated)).ece));
}

/** Which share of the answers may be acted on at an error rate, and which share of those is wrong. */
export function actedFiguresOf(question, tests, { probabilities, threshold }, rate) {
  const least = threshold(rate) ?? Infinity;
  const acted = outcomesOf(question, tests, probabilities).filter(({ probability }) => probability >= least);
  const wrong = acted.filter(({ said, truth }) => said !== truth).length;
  return { share: acted.length / tests.length, errorRate: acted.length === 0 ? 0 : wrong / acted.length };
}

function outcomesOf(question, tests, probabilities) {
  const options = Object.keys(question.criteria);
  return tests.map(({ answer }, i) =>
    outcomeOfProbabilities("choice", Object.fromEntries(options.map((option, k) => [option, probabilities[i][k]])), answer),
  );
}

/** Means over sets of the means over a set's draws, for each learner and number of examples. */
export function summarised(results) {
  const inMean = results.filter(({ isInMean }) => isInMean);
  return grouped(inMean, ({ learner, number }) => `${number} ${learner}`).map((draws) => {
    const [{ learner, number }] = draws;
    const sets = grouped(draws, ({ set }) => set);
    const mean = (of) => average(sets.map((own) => average(own.map(of))));
    const gains = draws.map((result) => result.accuracy - zeroShotOf(inMean, result).accuracy);
    return {
      learner,
      number,
      sets: sets.length,
      accuracy: mean(({ accuracy }) => accuracy),
      macroF1: mean(({ macroF1 }) => macroF1),
      ece: mean(({ ece }) => ece),
      eceByChance: mean((result) => result.eceByChance),
      gain: mean((result) => result.accuracy - zeroShotOf(inMean, result).accuracy),
      worst: Math.min(...gains),
    };
  });
}

function zeroShotOf(results, { set, number, seed }) {
  return results.find((other) => other.learner === "zero-shot" && other.set === set && other.number === number && other.seed === seed);
}

/** Lists of the items with the same key, in order of their first. */
function grouped(items, keyOf) {
  return [...new Set(items.map(keyOf))].map((key) => items.filter((item) => keyOf(item) === key));
}

const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
