import { surestFirst } from "../../library/statistics/curves.ts";
import { accuracy, mean } from "../../library/statistics/metrics.ts";
import { metricsOf, sameOptions } from "./metrics.ts";
import type { Metrics } from "./metrics.ts";
import type { Asked } from "./outcome.ts";

/** How many of the surest wrong answers a report lists. */
const SUREST_WRONG = 10;

/** The metrics of a part of the questions. */
export interface PartReport extends Metrics {
  /** Accuracy of guessing every option equally often. */
  readonly chance: number;
}

export interface EvalReport {
  readonly all: PartReport;
  /** By question type, if there are several. */
  readonly types: { readonly [type: string]: PartReport };
  /** The shares if a person decides where answers are right less often than `threshold`, or have a warning. */
  readonly toPerson: { readonly threshold: number; readonly share: number; readonly accuracyOfOthers: number | null };
  /** The mean of the accuracies that the answers state, beside the true one; null if they state none. */
  readonly stated: { readonly accuracy: number; readonly trueAccuracy: number } | null;
  /** How many answers lessons gave. */
  readonly taught: number;
  /** Of answers that say whether they can be acted on: how many can, and how many of these are wrong. null if none say so. */
  readonly acted: { readonly share: number; readonly errorRate: number | null } | null;
  /** Wrong answers by right answer, the most frequent first; null if the questions have different options. */
  readonly confusions: readonly { readonly truth: string; readonly said: string; readonly n: number }[] | null;
  /** The wrong answers with the highest probability. */
  readonly surestWrong: readonly Pick<Asked, "line" | "question" | "truth" | "said" | "probability">[];
}

/**
 * @param asked one or more
 * @param threshold a person decides where answers are right less often than that, 0 to 1
 * @param labelsShared whether equal option keys mean the same label in all questions
 */
export function reportOf(asked: readonly Asked[], threshold: number, labelsShared = sameOptions(asked)): EvalReport {
  const types = [...new Set(asked.map(({ type }) => type))];
  const kept = asked.filter((one) => !isForPerson(one, threshold));
  return {
    all: partOf(asked, labelsShared),
    types: types.length < 2 ? {} : Object.fromEntries(types.map((type) => [type, partOf(asked.filter((one) => one.type === type))])),
    toPerson: {
      threshold,
      share: 1 - kept.length / asked.length,
      accuracyOfOthers: kept.length === 0 ? null : accuracy(kept),
    },
    stated: statedOf(asked),
    taught: asked.filter(({ lesson }) => lesson !== undefined).length,
    acted: actedOf(asked),
    confusions: labelsShared ? confusionsOf(asked) : null,
    surestWrong: surestFirst(asked.filter(({ isRight }) => !isRight))
      .slice(0, SUREST_WRONG)
      .map(({ line, question, truth, said, probability }) => ({ line, question, truth, said, probability })),
  };
}

/** By how often such answers are right: as they state it, or else by their probability. With a warning neither holds. */
function isForPerson({ statedAccuracy, probability, warnings }: Asked, threshold: number): boolean {
  return warnings !== undefined || (statedAccuracy ?? probability) < threshold;
}

function partOf(part: readonly Asked[], labelsShared?: boolean): PartReport {
  const { n, accuracy, ...others } = metricsOf(part, labelsShared);
  return { n, accuracy, chance: mean(part.map(({ options }) => 1 / options.length)), ...others };
}

/** Of the answers that state an accuracy. */
function statedOf(asked: readonly Asked[]): EvalReport["stated"] {
  const stating = asked.filter(({ statedAccuracy }) => statedAccuracy !== undefined);
  if (stating.length === 0) return null;
  return { accuracy: mean(stating.map(({ statedAccuracy = 0 }) => statedAccuracy)), trueAccuracy: accuracy(stating) };
}

function actedOf(asked: readonly Asked[]): EvalReport["acted"] {
  const saying = asked.filter(({ act }) => act !== undefined);
  if (saying.length === 0) return null;
  const acted = saying.filter(({ act }) => act === true);
  return { share: acted.length / saying.length, errorRate: acted.length === 0 ? null : 1 - accuracy(acted) };
}

/** Pairs of a right and a wrongly given answer with their number, the most frequent first. */
function confusionsOf(asked: readonly Asked[]): { truth: string; said: string; n: number }[] {
  const counts = new Map<string, { truth: string; said: string; n: number }>();
  for (const { truth, said } of asked.filter(({ isRight }) => !isRight)) {
    const pair = JSON.stringify([truth, said]);
    counts.set(pair, { truth, said, n: (counts.get(pair)?.n ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.n - a.n);
}
