import type { Yielder } from "../async/signals.ts";
import { argmax } from "../decide/questions/question-kind.ts";
import type { ParsedQuestion } from "../decide/request.ts";
import { accuracyLine, riskPoints, type AccuracyLine, type RiskPoint, type Weighted } from "../statistics/curves.ts";
import { bootstrapped, calibrationError, macroF1, shareWithInterval, type Estimate } from "../statistics/metrics.ts";
import { randomFrom } from "../statistics/random.ts";
import { logOf } from "../statistics/softmax.ts";
import { elementAt } from "../validation/expect.ts";
import { toDesignMatrix } from "./fit/design-matrix.ts";
import { fitHead } from "./fit/fit-head.ts";
import { MAX_POINTS, type Head } from "./lesson-format.ts";
import type { Lesson, LessonMetrics, LessonReport } from "./lesson.ts";
import type { Row } from "./read-examples.ts";

/** A lesson in numbers, and the answers by which it is judged. */
export interface FittedLesson {
  readonly kind?: Lesson["kind"];
  readonly head: Head;
  readonly accuracy: AccuracyLine;
  readonly risk: readonly RiskPoint[];
  readonly learned: LessonReport["learned"];
  /** Answers to the examples by the model alone. */
  readonly before: readonly OutOfFold[];
  /** With what was learned of other examples. */
  readonly after: readonly OutOfFold[];
  /** The answers whose disagreement makes an example look wrong, if those are others than `after`. */
  readonly doubting?: readonly OutOfFold[];
  /** Where nothing was learned: what more examples would probably bring. */
  readonly forecast?: LessonReport["forecast"];
  /** Why nothing was learned, and what to do. */
  readonly note?: string;
}

/** @param rows 8 or more, in their own order */
export async function fitLesson(
  rows: readonly Row[],
  question: ParsedQuestion,
  yielder: Yielder,
  onStep: (done: number) => void,
): Promise<FittedLesson> {
  const before = rows.map((row) => toOutOfFold(row, row.probabilities));
  const why = whyNothing(rows);
  if (why !== undefined) {
    // Answers stay as they are.
    const head = { scale: 1, biases: question.criteria.map(() => 0) };
    return { head, accuracy: { slope: 1, bias: 0 }, risk: [], learned: "nothing", before, after: before, note: why };
  }
  const order = ownOrder(question);
  const { design, mean } = await toDesignMatrix(rows, order, yielder);
  const pool = await fitHead(design, yielder, onStep);
  const options = order.length;
  const place = Array.from(order.keys()).toSorted((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  const inQuestion = (values: Float64Array, start: number): Float64Array => Float64Array.from(place, (k) => values[start + k] ?? 0);
  const after = rows.map((row, i) => toOutOfFold(row, inQuestion(pool.outOfFold, i * options).map(Math.exp)));
  const size = mean?.length ?? 0;
  const features = pool.weights &&
    mean && {
      mean,
      weights: Float32Array.from(
        { length: options * size },
        (_, i) => pool.weights?.[(place[Math.floor(i / size)] ?? 0) * size + (i % size)] ?? 0,
      ),
    };
  return {
    head: { scale: pool.scale, biases: inQuestion(pool.biases, 0), features },
    accuracy: accuracyLine(after),
    risk: riskOf(after),
    learned: pool.learned,
    before,
    after,
  };
}

export function riskOf(answers: readonly OutOfFold[]): RiskPoint[] {
  const counted = answers.filter(({ weight }) => weight !== 0);
  return riskPoints(counted, (count) => count + Math.max(1, Math.ceil(counted.length / MAX_POINTS)));
}

/** Options in the order of their keys, so that the same examples teach the same in whatever order a question names its options. */
export function ownOrder({ type, criteria }: ParsedQuestion): number[] {
  const order = [...criteria.keys()];
  const keyOf = (k: number): string => criteria[k]?.key ?? "";
  return type === "choice" ? order.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : order;
}

/** Lessons are learned from differences. */
export function whyNothing(rows: readonly Row[]): string | undefined {
  if (new Set(rows.map(({ answer }) => answer)).size < 2)
    return "All examples have the same answer, so nothing tells when another one is right. Nothing was learned, and no error rate is promised: give examples of at least two answers.";
  if (new Set(rows.map(({ text }) => text)).size < 2)
    return "All examples have the same text, so nothing was learned, and no error rate is promised: give examples of different texts.";
  return undefined;
}

/** An answer to an example, by what was learned of others. */
export interface OutOfFold extends Weighted {
  /** The index of the example in the order they came. */
  readonly index: number;
  readonly right: number;
  readonly given: number;
  readonly isRight: boolean;
  /** float64 [criteria] */
  readonly probabilities: Float64Array;
  /** That of the given answer. */
  readonly probability: number;
}

export function toOutOfFold({ index, answer, weight }: Omit<Row, "probabilities">, probabilities: Float64Array): OutOfFold {
  const given = argmax(probabilities);
  return { index, right: answer, given, isRight: given === answer, weight, probabilities, probability: probabilities[given] ?? 0 };
}

const RESAMPLES = 200;

/** How good answers are. Accuracy has Wilson's interval; the others have the bootstrap's, from 200 resamples that are the same every time. */
export async function metricsOf(answers: readonly OutOfFold[], options: number, yielder: Yielder): Promise<LessonMetrics> {
  const n = answers.length;
  const answered = answers.map((answer) => ({ ...answer, loss: -logOf(answer.probabilities[answer.right] ?? 0) }));
  const measured = measure(answered, options);
  const random = randomFrom(0);
  const resampled: Measures[] = [];
  for (let i = 0; i < RESAMPLES; i++) {
    const sample = answered.map(() => elementAt(answered, Math.floor(random() * n), "answer"));
    resampled.push(measure(sample, options));
    if (yielder.isDue) await yielder.toEventLoop();
  }
  const estimate = (name: keyof Measures, max: number): Estimate => {
    const values = resampled.map((measures) => measures[name]);
    return bootstrapped(measured[name], values, max);
  };
  return {
    accuracy: shareWithInterval(answers.filter(({ isRight }) => isRight).length, n),
    macroF1: estimate("macroF1", 1),
    logLoss: estimate("logLoss", Infinity),
    calibrationError: estimate("calibrationError", 1),
  };
}

type Measures = Readonly<Record<"macroF1" | "logLoss" | "calibrationError", number>>;

function measure(answers: readonly (OutOfFold & { readonly loss: number })[], options: number): Measures {
  return {
    macroF1: macroF1(answers, options),
    logLoss: answers.reduce((sum, { loss }) => sum + loss, 0) / answers.length,
    calibrationError: calibrationError(answers),
  };
}
