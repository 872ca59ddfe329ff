import type { ParsedQuestion } from "../decide/request.ts";
import type { RiskPoint } from "../engine/engine.ts";
import { accuracyLine, riskPoints } from "../statistics/curves.ts";
import type { AccuracyLine } from "../statistics/curves.ts";
import { toDesignMatrix } from "./fit/design-matrix.ts";
import { fitHead } from "./fit/fit-head.ts";
import type { Yielder } from "./fit/yield-to-event-loop.ts";
import type { Head } from "./learned-head.ts";
import type { LessonReport } from "./lesson.ts";
import { MAX_POINTS } from "./lesson-format.ts";
import { toOutOfFold } from "./metrics.ts";
import type { OutOfFold } from "./metrics.ts";
import type { Row } from "./rows.ts";

/** A lesson in numbers, and the answers by which it is judged. */
export interface FittedLesson {
  readonly head: Head;
  readonly accuracy: AccuracyLine;
  readonly risk: readonly RiskPoint[];
  readonly learned: LessonReport["learned"];
  /** Answers to the examples by the model alone. */
  readonly before: readonly OutOfFold[];
  /** With what was learned of other examples. */
  readonly after: readonly OutOfFold[];
  /** Why nothing could be learned. */
  readonly note?: string;
}

/** @param rows 8 or more, in their own order */
export async function fitLesson(
  rows: readonly Row[],
  question: ParsedQuestion,
  yielder: Yielder,
  onStep: (done: number) => void,
): Promise<FittedLesson> {
  const before = rows.map(({ index, answer, probabilities }) => toOutOfFold(index, answer, probabilities));
  const why = whyNothing(rows);
  if (why !== undefined) return { ...nothing(question, before), note: why };
  const order = ownOrder(question);
  const { design, mean } = await toDesignMatrix(rows, order, yielder);
  const pool = await fitHead(design, yielder, onStep);
  const options = order.length;
  const place = Array.from(order.keys()).toSorted((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  const inQuestion = (values: Float64Array, start: number): Float64Array => Float64Array.from(place, (k) => values[start + k] ?? 0);
  const after = rows.map(({ index, answer }, row) => toOutOfFold(index, answer, inQuestion(pool.outOfFold, row * options).map(Math.exp)));
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
    risk: riskPoints(after, (count) => count + Math.max(1, Math.ceil(after.length / MAX_POINTS))),
    learned: pool.learned,
    before,
    after,
  };
}

/** Options in the order of their keys, so that the same examples teach the same in whatever order a question names its options. */
function ownOrder({ type, criteria }: ParsedQuestion): number[] {
  const order = [...criteria.keys()];
  const keyOf = (k: number): string => criteria[k]?.key ?? "";
  return type === "choice" ? order.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : order;
}

/** Lessons are learned from differences. */
function whyNothing(rows: readonly Row[]): string | undefined {
  if (new Set(rows.map(({ answer }) => answer)).size < 2)
    return "All examples have the same answer, so nothing tells when another one is right. Nothing was learned, and no error rate is promised: give examples of at least two answers.";
  if (new Set(rows.map(({ text }) => text)).size < 2)
    return "All examples have the same text, so nothing was learned, and no error rate is promised: give examples of different texts.";
  return undefined;
}

/** Answers stay as they are. */
function nothing({ criteria }: ParsedQuestion, before: readonly OutOfFold[]): FittedLesson {
  return {
    head: { scale: 1, biases: criteria.map(() => 0) },
    accuracy: { slope: 1, bias: 0 },
    risk: [],
    learned: "nothing",
    before,
    after: before,
  };
}
