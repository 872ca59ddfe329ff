import { argmax } from "../../../library/decide/questions/question-kind.ts";
import { ANSWERING, QUESTION_TYPES } from "../../../library/decide/questions/question-kinds.ts";
import type { AccuracyCurve, Calibration, QuestionType } from "../../../library/engine/engine.ts";
import { logOf, sigmoid } from "../../../library/statistics/softmax.ts";
import { logOdds } from "../../../library/statistics/curves.ts";
import { logisticRegression } from "../../../library/statistics/logistic-regression.ts";
import { randomFrom, shuffled } from "../../../library/statistics/random.ts";
import { elementAt } from "../../../library/validation/expect.ts";

export interface Labelled {
  readonly type: QuestionType;
  /** Index of the right criterion; of a noul 0 is yes. */
  readonly answer: number;
  /** A number that questions about one text share. */
  readonly text: number;
}

export interface Scored extends Labelled {
  /** float32 [criteria]: log-odds of entailment, as the engine gives them. */
  readonly scores: Float32Array;
}

/** Scores as they are: every temperature is 1. */
export const UNCALIBRATED: Calibration = {
  choice: [{ maxOptions: 255, temperature: 1 }],
  noul: { temperature: 1, bias: 0 },
  score: { temperature: 1 },
};

/** The largest number of options of each bucket. Questions of a bucket share a temperature and curves. */
export const BUCKETS: { readonly [T in QuestionType]: readonly number[] } = { choice: [2, 5, 10, 30, 255], noul: [2], score: [10] };

export function bucketOf(type: QuestionType, options: number): number {
  return BUCKETS[type].findIndex((maxOptions) => options <= maxOptions);
}

/** A manifest states no more digits after the point than mean something. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Questions that a temperature takes, of a type or of a bucket of choices. */
export const MIN_QUESTIONS = 100;
const [MIN_TEMPERATURE, MAX_TEMPERATURE] = [0.2, 10];
const MAX_BIAS = 3;
/** For the best bias at a temperature, which is searched for at every step to the best temperature. */
const BIAS_STEPS = 30;
const TEMPERATURE_DIGITS = 4;

type Temperatures = Pick<Calibration, QuestionType>;

/** Buckets of choices, by their index, with enough questions for a temperature of their own. The others have that of all choices. */
function ownBuckets(choices: readonly Scored[]): ReadonlySet<number> {
  return new Set([...BUCKETS.choice.keys()].filter((bucket) => inBucket(choices, bucket).length >= MIN_QUESTIONS));
}

function inBucket(choices: readonly Scored[], bucket: number): Scored[] {
  return choices.filter(({ scores }) => bucketOf("choice", scores.length) === bucket);
}

/**
 * Temperatures with the lowest negative log-likelihood of the right answers (Guo et al. 2017); those of a type, which all questions must have.
 * @param scored one or more
 * @param own the buckets with a temperature of their own
 */
const FIT_TEMPERATURES: {
  readonly [T in QuestionType]: (scored: readonly Scored[], own: ReadonlySet<number>) => Temperatures[T];
} = { choice: fitChoice, noul: fitNoul, score: (scored) => ({ temperature: rounded(fitSoftmax(scored), TEMPERATURE_DIGITS) }) };

function fitChoice(scored: readonly Scored[], own: ReadonlySet<number>): Calibration["choice"] {
  const shared = fitSoftmax(scored);
  return BUCKETS.choice.map((maxOptions, bucket) => {
    const within = own.has(bucket) ? inBucket(scored, bucket) : [];
    return { maxOptions, temperature: rounded(within.length > 0 ? fitSoftmax(within) : shared, TEMPERATURE_DIGITS) };
  });
}

function fitNoul(scored: readonly Scored[]): Calibration["noul"] {
  const bestBias = (temperature: number): number => lowest((bias) => noulLoss(scored, temperature, bias), -MAX_BIAS, MAX_BIAS, BIAS_STEPS);
  const temperature = bestTemperature((t) => noulLoss(scored, t, bestBias(t)));
  return { temperature: rounded(temperature, TEMPERATURE_DIGITS), bias: rounded(bestBias(temperature), TEMPERATURE_DIGITS) };
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
  const random = randomFrom(0);
  const rows = scored
    .flatMap((one) => [one, ...(type === "choice" ? withFewerOptions(one, random) : [])])
    .map(({ scores, answer }) => {
      const p = ANSWERING[type].calibrate(scores, calibration);
      const said = argmax(p);
      const x = logOdds(p[said] ?? 0);
      const bucket = bucketOf(type, p.length);
      const columns = new Float64Array(penalties.length);
      columns.set([x, 1]);
      columns[slopesAt + bucket] = x;
      columns[biasesAt + bucket] = 1;
      return { columns, isTrue: said === answer };
    });
  const weights = logisticRegression(rows, penalties);
  const [slope = 0, bias = 0] = weights;
  return buckets.map((maxOptions, bucket) => ({
    maxOptions,
    slope: rounded(Math.max(slope + (weights[slopesAt + bucket] ?? 0), LEAST_SLOPE), LINE_DIGITS),
    bias: rounded(bias + (weights[biasesAt + bucket] ?? 0), LINE_DIGITS),
  }));
}

/** A choice is asked again with a number of options from each of these ranges. */
const FEWER = [
  [2, 2],
  [3, 5],
  [6, 10],
  [11, 30],
] as const;

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

/** Every question is answered by what was fitted on the texts of the other folds. */
const FOLDS = 5;
/** Texts that a type takes: fewer do not make folds. */
const MIN_TEXTS = 10;

export interface TypeResult {
  readonly type: QuestionType;
  readonly scored: readonly Scored[];
  /** Why nothing was fitted, in words that follow a colon. */
  readonly reason?: string;
  readonly fit?: { readonly temperatures: Calibration[QuestionType]; readonly accuracy: readonly AccuracyCurve[] };
  /** float64 [criteria] of each question, by temperatures that were fitted without its text. Present if something was fitted. */
  readonly outOfFold?: readonly Float64Array[];
}

/** Fits temperatures and curves of each question type that has enough questions. The same questions in the same order give the same result. */
export function calibrate(scored: readonly Scored[]): TypeResult[] {
  return QUESTION_TYPES.map((type) => fitType(type, scored));
}

/**
 * A calibration with what was fitted in place of what it had. Types without a fit stay as they are. Thresholds belong to the temperatures that they were fitted
 * with, and end with them.
 * @returns without the mark of a pack that was never calibrated
 */
export function withFits({ uncalibrated: _, ...before }: Calibration, results: readonly TypeResult[]): Calibration {
  const fitted = results.flatMap(({ type, fit }) => (fit ? [{ type, ...fit }] : []));
  const thresholds = Object.entries(before.thresholds ?? {}).filter(([type]) => !fitted.some((one) => one.type === type));
  return {
    ...before,
    ...(Object.fromEntries(fitted.map(({ type, temperatures }) => [type, temperatures])) as Partial<Calibration>),
    accuracy: { ...before.accuracy, ...Object.fromEntries(fitted.map(({ type, accuracy }) => [type, accuracy])) },
    ...(before.thresholds && { thresholds: Object.fromEntries(thresholds) }),
  };
}

/** Why questions of one type are not enough to fit it, in words that follow a colon; undefined if they are. */
export function whyNotFitted(type: QuestionType, questions: readonly Labelled[]): string | undefined {
  if (questions.length < MIN_QUESTIONS) return `it takes ${MIN_QUESTIONS} questions, and there are ${questions.length}`;
  const texts = new Set(questions.map(({ text }) => text)).size;
  if (texts < MIN_TEXTS) return `it takes ${MIN_TEXTS} different texts, and there are ${texts}`;
  // A bias that is fitted on one answer alone says it always.
  if (type === "noul" && new Set(questions.map(({ answer }) => answer)).size < 2) return "all right answers are the same";
  return undefined;
}

function fitType(type: QuestionType, all: readonly Scored[]): TypeResult {
  const scored = all.filter((one) => one.type === type);
  const reason = whyNotFitted(type, scored);
  if (reason !== undefined) return { type, scored, reason };
  // Only choices have several.
  const own = ownBuckets(scored);
  const temperatures = FIT_TEMPERATURES[type](scored, own);
  const calibration = { ...UNCALIBRATED, [type]: temperatures };
  const fit = { temperatures, accuracy: accuracyCurves(type, scored, calibration) };
  return { type, scored, fit, outOfFold: crossFitted(type, scored, own) };
}

function crossFitted(type: QuestionType, scored: readonly Scored[], own: ReadonlySet<number>): Float64Array[] {
  // Shuffled, since files often repeat themselves: every fifth row may be of one kind.
  const texts = shuffled([...new Set(scored.map(({ text }) => text))], randomFrom(0));
  const folds = new Map(texts.map((text, i) => [text, i % FOLDS]));
  const byFold = Array.from({ length: FOLDS }, (_, fold) => {
    const others = scored.filter(({ text }) => folds.get(text) !== fold);
    return { ...UNCALIBRATED, [type]: FIT_TEMPERATURES[type](others, own) };
  });
  return scored.map(({ scores, text }) => ANSWERING[type].calibrate(scores, byFold[folds.get(text) ?? 0] ?? UNCALIBRATED));
}
