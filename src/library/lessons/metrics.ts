import { argmax } from "../decide/questions/question-kind.ts";
import { calibrationError } from "../statistics/calibration-error.ts";
import { bootstrapped, macroF1, shareWithInterval } from "../statistics/metrics.ts";
import type { Estimate } from "../statistics/metrics.ts";
import { randomFrom } from "../statistics/random.ts";
import { logOf } from "../statistics/softmax.ts";
import { elementAt } from "../validation/expect.ts";
import type { Yielder } from "./fit/yield-to-event-loop.ts";
import type { LessonMetrics } from "./lesson.ts";

/** An answer to an example, by what was learned of others. */
export interface OutOfFold {
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

export function toOutOfFold(index: number, right: number, probabilities: Float64Array): OutOfFold {
  const given = argmax(probabilities);
  return { index, right, given, isRight: given === right, probabilities, probability: probabilities[given] ?? 0 };
}

const RESAMPLES = 200;

/** How good answers are. Accuracy has Wilson's interval; the others have the bootstrap's, from 200 resamples that are the same every time. */
export async function metricsOf(answers: readonly OutOfFold[], options: number, yielder: Yielder): Promise<LessonMetrics> {
  const n = answers.length;
  const answered = answers.map(withLoss);
  const measured = measure(answered, options);
  const random = randomFrom(0);
  const resampled: Measures[] = [];
  for (let i = 0; i < RESAMPLES; i++) {
    resampled.push(
      measure(
        answered.map(() => elementAt(answered, Math.floor(random() * n), "answer")),
        options,
      ),
    );
    if (yielder.isDue) await yielder.toEventLoop();
  }
  const estimate = (name: keyof Measures, max: number): Estimate =>
    bootstrapped(
      measured[name],
      resampled.map((measures) => measures[name]),
      max,
    );
  return {
    accuracy: shareWithInterval(answers.filter(({ isRight }) => isRight).length, n),
    macroF1: estimate("macroF1", 1),
    logLoss: estimate("logLoss", Infinity),
    calibrationError: estimate("calibrationError", 1),
  };
}

type WithLoss = Pick<OutOfFold, "right" | "given" | "isRight" | "probability"> & { readonly loss: number };

function withLoss({ right, given, isRight, probability, probabilities }: OutOfFold): WithLoss {
  return { right, given, isRight, probability, loss: -logOf(probabilities[right] ?? 0) };
}

type Measures = Readonly<Record<"macroF1" | "logLoss" | "calibrationError", number>>;

function measure(answers: readonly WithLoss[], options: number): Measures {
  return {
    macroF1: macroF1(answers, options),
    logLoss: answers.reduce((sum, { loss }) => sum + loss, 0) / answers.length,
    calibrationError: calibrationError(answers),
  };
}
