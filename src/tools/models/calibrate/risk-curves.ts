import type { Calibration, RiskCurve, RiskPoint } from "../../../library/engine/engine.ts";
import { randomFrom } from "../../../library/lessons/random.ts";
import { elementAt } from "../../../library/validation/expect.ts";
import { withFewerOptions } from "./fewer-options.ts";
import { rounded } from "./rounded.ts";
import { BUCKETS, bucketOf, givenOf } from "./scored.ts";
import type { Given, QuestionType, Scored } from "./scored.ts";

const MAX_POINTS = 40;
/** Answers at the first point: fewer can promise no error rate below 20%. */
const MIN_ANSWERS = 10;
const DIGITS = 6;

/**
 * How many answers were how sure, and how many of them were wrong: plain counts, by number of options. A question counts once in each bucket. A bucket without
 * answers is left out, so the next one speaks for its questions: that one has more options and is less often right.
 * @param scored questions of one type, one or more
 */
export function riskCurves(
  type: QuestionType,
  scored: readonly Scored[],
  calibration: Calibration,
  random: () => number = randomFrom(0),
): RiskCurve[] {
  const found: Given[][] = BUCKETS[type].map(() => []);
  for (const one of scored) {
    const counted = new Set<number>();
    for (const asked of type === "choice" ? [one, ...withFewerOptions(one, random)] : [one]) {
      const bucket = bucketOf(type, asked.scores.length);
      if (!counted.has(bucket)) found[bucket]?.push(givenOf(asked, calibration));
      counted.add(bucket);
    }
  }
  return BUCKETS[type].flatMap((maxOptions, bucket) => {
    const answers = found[bucket] ?? [];
    return answers.length === 0 ? [] : [{ maxOptions, points: pointsOf(answers) }];
  });
}

/** From the surest answers on, nearer to one another at the sure end. The last point counts all answers; equally sure ones stay together. */
function pointsOf(answers: readonly Given[]): RiskPoint[] {
  const surest = answers
    .map(({ probability, isRight }) => ({ probability: rounded(probability, DIGITS), isRight }))
    .sort((a, b) => b.probability - a.probability);
  let wrong = 0;
  const errors = surest.map(({ isRight }) => (wrong += Number(!isRight)));
  const least = Math.min(MIN_ANSWERS, surest.length);
  const counts = Array.from({ length: MAX_POINTS }, (_, i) => {
    const share = ((i + 1) / MAX_POINTS) ** 2;
    const cut = roundedToEven(least + (surest.length - least) * share);
    const { probability } = elementAt(surest, cut - 1, "answer");
    return surest.findLastIndex((other) => other.probability >= probability) + 1;
  });
  return [...new Set(counts)].map((count) => ({
    probability: elementAt(surest, count - 1, "answer").probability,
    answers: count,
    errors: elementAt(errors, count - 1, "count"),
  }));
}

/** As the recipe rounds: halves to the even neighbour. */
function roundedToEven(value: number): number {
  const nearest = Math.round(value);
  return nearest - value === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest;
}
