import type { Yielder } from "../../async/signals.ts";
import { argmax } from "../../decide/questions/question-kind.ts";
import type { ParsedQuestion } from "../../decide/request.ts";
import { mean, Z_OF_90_PERCENT } from "../../statistics/metrics.ts";
import { elementAt } from "../../validation/expect.ts";
import { ownOrder, type OutOfFold } from "../fit-lesson.ts";
import type { LessonReport } from "../lesson.ts";
import type { Row } from "../read-examples.ts";
import { toDesignMatrix } from "./design-matrix.ts";
import { fitHead } from "./fit-head.ts";

/** A quarter of fewer teaches next to nothing, and so tells nothing of more. */
export const MIN_FORECAST = 64;
/** Into how many parts the examples are divided: a curve has a point for quarters, halves and all. */
const PARTS = [4, 2, 1];
/** How many times as many examples are asked about. */
const TIMES = [2, 4];
/** A curve is no law: half of the interval is never less than about this, so that nine in ten hold the truth on sets that training never saw. */
const LEAST_HALF = 0.02;
/** So little more in 100 right answers is hardly worth the examples. */
const HARDLY = 0.03;

type Forecast = NonNullable<LessonReport["forecast"]>;

/**
 * A forecast of what more examples would bring where nothing was learned. Heads that must learn something answer every example out of fold, as taught by quarters, halves and all
 * of the examples; a line through the three over 1 / sqrt(examples) goes on to more (an inverse power law: Figueroa et al. 2012, "Predicting sample size required for
 * classification performance"). Each example has its own line, less whether it is answered rightly now, so their spread gives the interval.
 * @param rows 64 or more, in their own order
 * @param now answers to the same rows, in the same order
 */
export async function forecastOf(
  rows: readonly Row[],
  question: ParsedQuestion,
  now: readonly OutOfFold[],
  yielder: Yielder,
): Promise<Forecast> {
  const isRight = PARTS.map(() => rows.map(() => 0));
  for (const [size, parts] of PARTS.entries())
    for (let part = 0; part < parts; part++) {
      const places = [...rows.keys()].filter((i) => i % parts === part);
      const some = places.map((i) => elementAt(rows, i, "row"));
      const right = await taughtRightly(some, question, yielder);
      for (const [k, i] of places.entries()) elementAt(isRight, size, "size")[i] = Number(right[k]);
    }
  return TIMES.map((times) => {
    const weights = extrapolating(times);
    const gains = now.map((answer, i) => isRight.reduce((sum, of, k) => sum + (weights[k] ?? 0) * (of[i] ?? 0), -Number(answer.isRight)));
    const value = mean(gains);
    const variance = mean(gains.map((gain) => (gain - value) ** 2)) / (gains.length - 1);
    const half = Math.hypot(Z_OF_90_PERCENT * Math.sqrt(variance), LEAST_HALF);
    return { examples: times * rows.length, gain: { value, low: value - half, high: value + half } };
  });
}

async function taughtRightly(rows: readonly Row[], question: ParsedQuestion, yielder: Yielder): Promise<boolean[]> {
  const { design } = await toDesignMatrix(rows, ownOrder(question), yielder);
  const { outOfFold } = await fitHead(design, yielder, () => undefined, false);
  const { options, answers } = design;
  return rows.map((_, row) => argmax(outOfFold.subarray(row * options, (row + 1) * options)) === answers[row]);
}

/** The factors of the three points in the value that their line (least squares) has at so many times as many examples. */
function extrapolating(times: number): number[] {
  const xs = PARTS.map(Math.sqrt);
  const middle = mean(xs);
  const spread = xs.reduce((sum, x) => sum + (x - middle) ** 2, 0);
  return xs.map((x) => 1 / xs.length + ((1 / Math.sqrt(times) - middle) * (x - middle)) / spread);
}

/** A forecast in a sentence, with what to do. */
export function adviceOf(examples: number, forecast: Forecast | undefined): string {
  const nothing = `Nothing was learned from ${examples} examples`;
  const last = forecast?.at(-1);
  if (forecast === undefined || last === undefined)
    return `${nothing}, too few to tell whether more would help: ${MIN_FORECAST} or more tell it.`;
  const points = (share: number): string => `${share < 0 ? "-" : "+"}${Math.abs(Math.round(100 * share))}`;
  const curve = forecast.map(
    ({ examples: more, gain: { value, low, high } }) => `${points(value)} (${points(low)} to ${points(high)}) with ${more}`,
  );
  const verdict =
    last.gain.low > 0
      ? "More examples would probably help."
      : last.gain.high < HARDLY
        ? "More of them would hardly help: the texts do not decide it, as far as this model reads them. Word the question otherwise, describe its answers, or take a larger model."
        : "Whether more would help cannot be told from so few.";
  return `${nothing}. Right answers in 100 would probably be ${curve.join(" and ")}. ${verdict}`;
}
