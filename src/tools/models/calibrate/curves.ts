import type { AccuracyCurve, Calibration, RiskCurve, QuestionType } from "../../../library/engine/engine.ts";
import { logOdds, riskPoints } from "../../../library/statistics/curves.ts";
import { logisticRegression } from "../../../library/statistics/logistic-regression.ts";
import { randomFrom } from "../../../library/statistics/random.ts";
import { elementAt } from "../../../library/validation/expect.ts";
import { BUCKETS, bucketOf, givenOf, rounded } from "./scored.ts";
import type { Given, Scored } from "./scored.ts";

/** Of a bucket's difference from the line that all buckets share: a bucket with few questions leans on the others. */
const PRICE = 10;
/** Keeps the shared line finite where a few answers are all right. */
const SLIGHT = 1e-3;
/** Of a model that guesses: a curve never falls. */
const LEAST_SLOPE = 1e-4;
const LINE_DIGITS = 4;

/**
 * How often answers are right, by their number of options and their probability: the log-odds of being right are a line in the log-odds of the probability.
 * @param scored questions of one type, one or more
 */
export function accuracyCurves(type: QuestionType, scored: readonly Scored[], calibration: Calibration): AccuracyCurve[] {
  const buckets = BUCKETS[type];
  // Slope and bias of all buckets, each bucket's own slope, each bucket's own bias.
  const [slopesAt, biasesAt] = [2, 2 + buckets.length];
  const penalties = new Float64Array(2 + 2 * buckets.length).fill(SLIGHT, 0, 2).fill(PRICE, 2);
  const rows = asked(type, scored)
    .flat()
    .map((one) => {
      const { options, probability, isRight } = givenOf(one, calibration);
      const x = logOdds(probability);
      const bucket = bucketOf(type, options);
      const columns = new Float64Array(penalties.length);
      columns.set([x, 1]);
      columns[slopesAt + bucket] = x;
      columns[biasesAt + bucket] = 1;
      return { columns, isTrue: isRight };
    });
  const weights = logisticRegression(rows, penalties);
  const [slope = 0, bias = 0] = weights;
  return buckets.map((maxOptions, bucket) => ({
    maxOptions,
    slope: rounded(Math.max(slope + (weights[slopesAt + bucket] ?? 0), LEAST_SLOPE), LINE_DIGITS),
    bias: rounded(bias + (weights[biasesAt + bucket] ?? 0), LINE_DIGITS),
  }));
}

const MAX_POINTS = 40;
/** Answers at the first point: fewer can promise no error rate below 20%. */
const MIN_ANSWERS = 10;
const PROBABILITY_DIGITS = 6;

/**
 * How many answers were how sure, and how many of them were wrong: plain counts, by number of options. A question counts once in each bucket. A bucket without
 * answers is left out, so the next one speaks for its questions: that one has more options and is less often right.
 * @param scored questions of one type, one or more
 */
export function riskCurves(type: QuestionType, scored: readonly Scored[], calibration: Calibration): RiskCurve[] {
  const found: Given[][] = BUCKETS[type].map(() => []);
  for (const again of asked(type, scored)) {
    const counted = new Set<number>();
    for (const one of again) {
      const bucket = bucketOf(type, one.scores.length);
      if (!counted.has(bucket)) found[bucket]?.push(givenOf(one, calibration));
      counted.add(bucket);
    }
  }
  return BUCKETS[type].flatMap((maxOptions, bucket) => {
    const answers = found[bucket] ?? [];
    return answers.length === 0 ? [] : [{ maxOptions, points: pointsOf(answers) }];
  });
}

/** Points are nearer to one another at the sure end. */
function pointsOf(answers: readonly Given[]): RiskCurve["points"] {
  const least = Math.min(MIN_ANSWERS, answers.length);
  const counts = Array.from({ length: MAX_POINTS }, (_, i) => {
    const share = ((i + 1) / MAX_POINTS) ** 2;
    return roundedToEven(least + (answers.length - least) * share);
  });
  return riskPoints(
    answers.map(({ probability, isRight }) => ({ probability: rounded(probability, PROBABILITY_DIGITS), isRight })),
    (before) => counts.find((count) => count > before) ?? answers.length,
  );
}

/** As the recipe rounds: halves to the even neighbour. */
function roundedToEven(value: number): number {
  const nearest = Math.round(value);
  return nearest - value === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest;
}

/** A choice is asked again with a number of options from each of these ranges. */
const FEWER = [
  [2, 2],
  [3, 5],
  [6, 10],
  [11, 30],
] as const;

/** Of each question itself and, of a choice, itself with fewer of its options. */
function asked(type: QuestionType, scored: readonly Scored[]): Scored[][] {
  const random = randomFrom(0);
  return scored.map((one) => [one, ...(type === "choice" ? withFewerOptions(one, random) : [])]);
}

/**
 * A choice among fewer of its options, so that no number of options rests on a few questions. Scores are taken to stay. They do in the built-in family, nearly in
 * `pair`; in `gliclass`, where options see each other, that is an approximation.
 */
export function* withFewerOptions(one: Scored, random: () => number): Generator<Scored, void, void> {
  const { scores, answer } = one;
  const wrong = [...scores.keys()].filter((index) => index !== answer);
  for (const [least, most] of FEWER) {
    const count = least + Math.floor(random() * (most - least + 1));
    if (count >= scores.length) continue;
    const kept = [answer, ...drawn(wrong, count - 1, random)].sort((a, b) => a - b);
    yield { ...one, scores: Float32Array.from(kept, (index) => elementAt(scores, index, "score")), answer: kept.indexOf(answer) };
  }
}

/** As the recipe draws: each item in its turn, without putting it back. */
function drawn(items: readonly number[], count: number, random: () => number): number[] {
  const rest = [...items];
  return Array.from({ length: count }, () => {
    const [item] = rest.splice(Math.floor(random() * rest.length), 1);
    return item ?? 0;
  });
}
