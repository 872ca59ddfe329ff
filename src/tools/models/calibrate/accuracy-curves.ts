import type { AccuracyCurve, Calibration } from "../../../library/engine/engine.ts";
import { randomFrom } from "../../../library/lessons/random.ts";
import { withFewerOptions } from "./fewer-options.ts";
import { logistic } from "./logistic.ts";
import { rounded } from "./rounded.ts";
import { BUCKETS, bucketOf, givenOf } from "./scored.ts";
import type { Given, QuestionType, Scored } from "./scored.ts";

/** Of a bucket's difference from the line that all buckets share: a bucket with few questions leans on the others. */
const PRICE = 10;
/** Keeps the shared line finite where a few answers are all right. */
const SLIGHT = 1e-3;
/** Beyond it, answers are too few to tell how often they are right; `x_accuracy` stops there, too. */
const MAX_PROBABILITY = 0.99;
/** Of a model that guesses: a curve never falls. */
const LEAST_SLOPE = 1e-4;
const DIGITS = 4;

/**
 * How often answers are right, by their number of options and their probability: the log-odds of being right are a line in the log-odds of the probability.
 * @param scored questions of one type, one or more
 */
export function accuracyCurves(
  type: QuestionType,
  scored: readonly Scored[],
  calibration: Calibration,
  random: () => number = randomFrom(0),
): AccuracyCurve[] {
  const asked = scored.flatMap((one) => (type === "choice" ? [one, ...withFewerOptions(one, random)] : [one]));
  return curvesOf(
    type,
    asked.map((one) => givenOf(one, calibration)),
  );
}

function curvesOf(type: QuestionType, answers: readonly Given[]): AccuracyCurve[] {
  const buckets = BUCKETS[type];
  // Slope and bias of all buckets, each bucket's own slope, each bucket's own bias.
  const [slopesAt, biasesAt] = [2, 2 + buckets.length];
  const penalties = new Float64Array(2 + 2 * buckets.length).fill(SLIGHT, 0, 2).fill(PRICE, 2);
  const rows = answers.map(({ options, probability, isRight }) => {
    const p = Math.min(probability, MAX_PROBABILITY);
    const x = Math.log(p / (1 - p));
    const bucket = bucketOf(type, options);
    const columns = new Float64Array(penalties.length);
    columns.set([x, 1]);
    columns[slopesAt + bucket] = x;
    columns[biasesAt + bucket] = 1;
    return { columns, isTrue: isRight };
  });
  const weights = logistic(rows, penalties);
  const [slope = 0, bias = 0] = weights;
  return buckets.map((maxOptions, bucket) => ({
    maxOptions,
    slope: rounded(Math.max(slope + (weights[slopesAt + bucket] ?? 0), LEAST_SLOPE), DIGITS),
    bias: rounded(bias + (weights[biasesAt + bucket] ?? 0), DIGITS),
  }));
}
