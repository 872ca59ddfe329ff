/** sigmoid(slope ln(p / (1 - p)) + bias): how often answers with probability p are right. */
export interface AccuracyLine {
  readonly slope: number;
  readonly bias: number;
}

/** Before any answer is seen, probabilities are taken at their word, give or take this (a standard deviation of slope and bias). */
const DEVIATION = 0.5;
/** More probable answers are never taken to be less often right. */
const LEAST_SLOPE = 0.05;
const STEPS = 50;

/** Penalised logistic regression of right or wrong on the log-odds of the given answer's probability, by Newton's method. */
export function accuracyLine(answers: readonly { readonly probability: number; readonly isRight: boolean }[]): AccuracyLine {
  const precision = 1 / DEVIATION ** 2;
  const points = answers.map(({ probability, isRight }) => ({ x: logOdds(probability), y: isRight ? 1 : 0 }));
  let [slope, bias] = [1, 0];
  for (let step = 0; step < STEPS; step++) {
    let [gs, gb, ss, sb, bb] = [precision * (slope - 1), precision * bias, precision, 0, precision];
    for (const { x, y } of points) {
      const p = 1 / (1 + Math.exp(-slope * x - bias));
      gs += (p - y) * x;
      gb += p - y;
      const w = p * (1 - p);
      ss += w * x * x;
      sb += w * x;
      bb += w;
    }
    const determinant = ss * bb - sb * sb;
    slope = Math.max(LEAST_SLOPE, slope - (bb * gs - sb * gb) / determinant);
    bias -= (ss * gb - sb * gs) / determinant;
  }
  return { slope, bias };
}

/** Beyond it, answers are too few to tell how often they are right. */
const MAX_PROBABILITY = 0.99;
const MIN_PROBABILITY = 1e-3;

export function accuracyAt({ slope, bias }: AccuracyLine, probability: number): number {
  return 1 / (1 + Math.exp(-slope * logOdds(probability) - bias));
}

function logOdds(probability: number): number {
  const p = Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, probability));
  return Math.log(p / (1 - p));
}
