import { elementAt } from "../validation/expect.ts";
import type { HeldOut } from "./held-out.ts";
import type { Figure, LessonFigures } from "./lesson.ts";
import { logOf } from "./fit/softmax.ts";
import type { Pauses } from "./fit/pauses.ts";
import { randomFrom } from "./random.ts";

const BINS = 15;
const RESAMPLES = 200;
/** The normal distribution's quantile for intervals of 90%. */
const Z = 1.6448536269514722;

/**
 * How good answers are. Accuracy has Wilson's interval; the others have the basic bootstrap's (Davison and Hinkley 1997), from 200 resamples that are the
 * same every time.
 */
export async function figuresOf(answers: readonly HeldOut[], options: number, pauses: Pauses): Promise<LessonFigures> {
  const n = answers.length;
  const seen = answers.map(toSeen);
  const measured = measure(seen, options);
  const random = randomFrom(0);
  const resampled: Measures[] = [];
  for (let i = 0; i < RESAMPLES; i++) {
    resampled.push(
      measure(
        seen.map(() => elementAt(seen, Math.floor(random() * n), "answer")),
        options,
      ),
    );
    if (pauses.isDue) await pauses.take();
  }
  const interval = (of: (measures: Measures) => number, max: number): Figure => bootstrapped(of(measured), resampled.map(of), max);
  return {
    accuracy: wilson(measured.right, n),
    macroF1: interval(({ macroF1 }) => macroF1, 1),
    logLoss: interval(({ logLoss }) => logLoss, Infinity),
    calibrationError: interval(({ calibrationError }) => calibrationError, 1),
  };
}

/** What figures need of an answer. */
interface Seen {
  readonly right: number;
  readonly given: number;
  readonly loss: number;
  readonly probability: number;
}

function toSeen({ right, given, probabilities, probability }: HeldOut): Seen {
  return { right, given, loss: -logOf(probabilities[right] ?? 0), probability };
}

interface Measures {
  readonly right: number;
  readonly macroF1: number;
  readonly logLoss: number;
  readonly calibrationError: number;
}

function measure(answers: readonly Seen[], options: number): Measures {
  const [hits, stated, given] = [new Float64Array(options), new Float64Array(options), new Float64Array(options)];
  const [binSure, binRight] = [new Float64Array(BINS), new Float64Array(BINS)];
  let loss = 0;
  for (const answer of answers) {
    const isRight = Number(answer.right === answer.given);
    add(hits, answer.right, isRight);
    add(stated, answer.right, 1);
    add(given, answer.given, 1);
    const bin = Math.min(BINS - 1, Math.max(0, Math.ceil(answer.probability * BINS) - 1));
    add(binSure, bin, answer.probability);
    add(binRight, bin, isRight);
    loss += answer.loss;
  }
  const n = answers.length;
  const f1 = Array.from(hits, (hit, k) => ({ stated: stated[k] ?? 0, f1: (2 * hit) / Math.max(1, (stated[k] ?? 0) + (given[k] ?? 0)) }));
  const present = f1.filter((one) => one.stated > 0);
  return {
    right: sum(hits),
    macroF1: present.reduce((all, one) => all + one.f1, 0) / present.length,
    logLoss: loss / n,
    calibrationError: sum(binSure.map((sure, i) => Math.abs(sure - (binRight[i] ?? 0)))) / n,
  };
}

function wilson(right: number, n: number): Figure {
  const share = right / n;
  const middle = (share + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z / (1 + (Z * Z) / n)) * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  return { value: share, low: Math.max(0, Math.min(share, middle - half)), high: Math.min(1, Math.max(share, middle + half)) };
}

function bootstrapped(value: number, resampled: readonly number[], max: number): Figure {
  const sorted = resampled.toSorted((a, b) => a - b);
  const quantile = (q: number): number => sorted[Math.round(q * (sorted.length - 1))] ?? value;
  // Reflected at the value, so that a measure that resampling makes larger, as calibration error, is not taken to be larger.
  return {
    value,
    low: Math.max(0, Math.min(value, 2 * value - quantile(0.95))),
    high: Math.min(max, Math.max(value, 2 * value - quantile(0.05))),
  };
}

function add(values: Float64Array, index: number, value: number): void {
  values[index] = (values[index] ?? 0) + value;
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}
