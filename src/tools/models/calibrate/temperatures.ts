import type { Calibration, QuestionType } from "../../../library/engine/engine.ts";
import { logOf, sigmoid } from "../../../library/statistics/softmax.ts";
import { BUCKETS, bucketOf, rounded } from "./scored.ts";
import type { Scored } from "./scored.ts";

/** Questions that a temperature takes, of a type or of a bucket of choices. */
export const MIN_QUESTIONS = 100;
const [MIN_TEMPERATURE, MAX_TEMPERATURE] = [0.2, 10];
const MAX_BIAS = 3;
/** For the best bias at a temperature, which is searched for at every step to the best temperature. */
const BIAS_STEPS = 30;
/** Digits after the point. */
const DIGITS = 4;

/** The fit of a type, but for its curves. */
type Temperatures = Pick<Calibration, QuestionType>;

/** Buckets of choices, by their index, with enough questions for a temperature of their own. The others have that of all choices. */
export function ownBuckets(choices: readonly Scored[]): ReadonlySet<number> {
  const questions = BUCKETS.choice.map(() => 0);
  for (const { type, scores } of choices) {
    const bucket = bucketOf(type, scores.length);
    questions[bucket] = (questions[bucket] ?? 0) + 1;
  }
  return new Set([...questions.keys()].filter((bucket) => (questions[bucket] ?? 0) >= MIN_QUESTIONS));
}

/**
 * Temperatures with the lowest negative log-likelihood of the right answers (Guo et al. 2017); those of a type, which all questions must have.
 * @param scored one or more
 * @param own the buckets with a temperature of their own
 */
export const FIT_TEMPERATURES: {
  readonly [T in QuestionType]: (scored: readonly Scored[], own: ReadonlySet<number>) => Temperatures[T];
} = { choice: fitChoice, noul: fitNoul, score: (scored) => ({ temperature: rounded(fitSoftmax(scored), DIGITS) }) };

function fitChoice(scored: readonly Scored[], own: ReadonlySet<number>): Calibration["choice"] {
  const shared = fitSoftmax(scored);
  return BUCKETS.choice.map((maxOptions, bucket) => {
    const within = own.has(bucket) ? scored.filter(({ type, scores }) => bucketOf(type, scores.length) === bucket) : [];
    return { maxOptions, temperature: rounded(within.length > 0 ? fitSoftmax(within) : shared, DIGITS) };
  });
}

function fitNoul(scored: readonly Scored[]): Calibration["noul"] {
  const bestBias = (temperature: number): number => lowest((bias) => noulLoss(scored, temperature, bias), -MAX_BIAS, MAX_BIAS, BIAS_STEPS);
  const temperature = bestTemperature((t) => noulLoss(scored, t, bestBias(t)));
  return { temperature: rounded(temperature, DIGITS), bias: rounded(bestBias(temperature), DIGITS) };
}

function fitSoftmax(scored: readonly Scored[]): number {
  return bestTemperature((temperature) => softmaxLoss(scored, temperature));
}

function bestTemperature(loss: (temperature: number) => number): number {
  return Math.exp(lowest((logarithm) => loss(Math.exp(logarithm)), Math.log(MIN_TEMPERATURE), Math.log(MAX_TEMPERATURE)));
}

/** The mean negative log-likelihood. It is asked for thousands of times, so nothing is allocated. */
function softmaxLoss(scored: readonly Scored[], temperature: number): number {
  let loss = 0;
  for (const { scores, answer } of scored) {
    let largest = -Infinity;
    for (const score of scores) largest = Math.max(largest, score);
    let sum = 0;
    for (const score of scores) sum += Math.exp((score - largest) / temperature);
    loss -= logOf(Math.exp(((scores[answer] ?? 0) - largest) / temperature) / sum);
  }
  return loss / scored.length;
}

function noulLoss(scored: readonly Scored[], temperature: number, bias: number): number {
  let loss = 0;
  for (const { scores, answer } of scored) {
    const pYes = sigmoid(((scores[0] ?? 0) - (scores[1] ?? 0)) / temperature + bias);
    loss -= logOf(answer === 0 ? pYes : 1 - pYes);
  }
  return loss / scored.length;
}

const RATIO = (Math.sqrt(5) - 1) / 2;

/** Where a function with one minimum has it, between `low` and `high`, by golden-section search. */
function lowest(loss: (x: number) => number, low: number, high: number, steps = 60): number {
  let [left, right] = [high - RATIO * (high - low), low + RATIO * (high - low)];
  let [lossLeft, lossRight] = [loss(left), loss(right)];
  for (let step = 0; step < steps; step++) {
    if (lossLeft < lossRight) {
      [high, right, lossRight] = [right, left, lossLeft];
      left = high - RATIO * (high - low);
      lossLeft = loss(left);
    } else {
      [low, left, lossLeft] = [left, right, lossRight];
      right = low + RATIO * (high - low);
      lossRight = loss(right);
    }
  }
  return (low + high) / 2;
}
