import { calibrationError, accuracy, macroF1, mean } from "../../library/statistics/metrics.ts";
import { countAtCoverage, surestFirst } from "../../library/statistics/curves.ts";
import { logOf } from "../../library/statistics/softmax.ts";
import type { Answer } from "../../library/decide/types.ts";
import type { StateWarning } from "../../library/engine/engine.ts";
import { ANSWER_KINDS, sharesByName } from "../rows/answers.ts";
import { placeText, type RowPlace } from "../rows/row-notes.ts";
import { clip, columns, oneLine } from "../cli/output/terminal-text.ts";
import type { Screen } from "../cli/output/screen.ts";

export interface Outcome {
  readonly type: Answer["type"] | "nli";
  /** Keys; "yes" and "no" for a noul (yes/no question), "0" to "n-1" for a score. */
  readonly options: readonly string[];
  readonly truth: string;
  readonly said: string;
  readonly isRight: boolean;
  readonly probability: number;
  /** How often such answers are right, as the answer itself states (`x_accuracy`), 0 to 1; absent where it states nothing. */
  readonly statedAccuracy?: number;
}

export function outcomeOf(answer: Answer, truth: string): Outcome {
  const { x_accuracy: statedAccuracy } = answer;
  return { ...outcomeOfProbabilities(answer.type, sharesByName(answer), truth), ...(statedAccuracy !== undefined && { statedAccuracy }) };
}

/** @param byOption probabilities, one or more; in a tie the first option wins */
export function outcomeOfProbabilities(type: Outcome["type"], byOption: Readonly<Record<string, number>>, truth: string): Outcome {
  const [first = ["", 0] as const, ...others] = Object.entries(byOption);
  const [said, probability] = others.reduce<readonly [string, number]>((best, other) => (other[1] > best[1] ? other : best), first);
  return { type, options: Object.keys(byOption), truth, said, isRight: said === truth, probability };
}

/** An outcome, with the place of its question and what the answer states about itself. */
export interface Asked extends Outcome, RowPlace {
  readonly question: string;
  readonly truthProbability: number;
  /** As `umpire decide` reads it: of a yes/no answer it is the distance from even odds, 0 to 1. */
  readonly confidence: number;
  /** Why the answer may be worth less than it says; absent if there is no reason. */
  readonly warnings?: readonly StateWarning[] | undefined;
  readonly lesson?: string | undefined;
  /** Whether it says that it can be acted on; absent without a rate of errors. */
  readonly act?: boolean | undefined;
}

/** The metrics of a set of outcomes: fractions from 0 to 1, except counts. */
export interface Metrics {
  readonly n: number;
  readonly accuracy: number;
  /** Null if the questions have different options. */
  readonly macroF1: number | null;
  readonly ece: number;
  /** Of the most confident 80%, by the probability of the given answer. */
  readonly accuracyAt80: number;
  readonly accuracyAt50: number;
  /** Share of yes/no questions answered yes; null if there are questions of other types. */
  readonly saidYes: number | null;
  /** Share of yes/no questions whose right answer is yes. */
  readonly trulyYes: number | null;
}

/** @param outcomes one or more @param labelsShared whether equal option keys mean the same label in all questions */
export function metricsOf(outcomes: readonly Outcome[], labelsShared = sameOptions(outcomes)): Metrics {
  const areYesNo = outcomes.every(({ type }) => type === "noul");
  const { answers, labels } = byLabelIndex(outcomes);
  return {
    n: outcomes.length,
    accuracy: accuracy(outcomes),
    macroF1: labelsShared ? macroF1(answers, labels) : null,
    ece: calibrationError(outcomes),
    accuracyAt80: accuracyAtCoverage(outcomes, 0.8),
    accuracyAt50: accuracyAtCoverage(outcomes, 0.5),
    saidYes: areYesNo ? mean(outcomes.map(({ said }) => Number(said === "yes"))) : null,
    trulyYes: areYesNo ? mean(outcomes.map(({ truth }) => Number(truth === "yes"))) : null,
  };
}

/** Right and given labels by their index, and how many labels there are. */
export function byLabelIndex(outcomes: readonly Outcome[]): { answers: { right: number; given: number }[]; labels: number } {
  const labels = [...new Set(outcomes.flatMap(({ truth, said }) => [truth, said]))];
  const indexOf = new Map(labels.map((label, i) => [label, i]));
  const answers = outcomes.map(({ truth, said }) => ({ right: indexOf.get(truth) ?? 0, given: indexOf.get(said) ?? 0 }));
  return { answers, labels: labels.length };
}

/**
 * Accuracy of the most confident `coverage` (0 to 1) of the outcomes: selective classification (Geifman and El-Yaniv 2017), with the
 * probability of the given answer as confidence.
 */
function accuracyAtCoverage(outcomes: readonly Outcome[], coverage: number): number {
  return accuracy(surestFirst(outcomes).slice(0, countAtCoverage(outcomes.length, coverage)));
}

/** Whether all questions have one type and the same options, in any order. */
export function sameOptions(outcomes: readonly Pick<Outcome, "type" | "options">[]): boolean {
  const keysOf = ({ type, options }: Pick<Outcome, "type" | "options">): string => JSON.stringify([type, ...[...options].sort()]);
  return new Set(outcomes.map(keysOf)).size === 1;
}

const SUREST_WRONG = 10;

export interface PartReport extends Metrics {
  /** Accuracy of guessing every option equally often. */
  readonly chance: number;
  /** The mean negative log-likelihood of the right answers, in nats. */
  readonly logLoss: number;
}

export interface EvalReport {
  readonly all: PartReport;
  /** By question type, if there are several. */
  readonly types: { readonly [type: string]: PartReport };
  /** The shares if a person decides where answers are right less often than `threshold`, or have a warning. */
  readonly toPerson: { readonly threshold: number; readonly share: number; readonly accuracyOfOthers: number | null };
  /** The mean of the accuracies that the answers state, beside the true one; null if they state none. */
  readonly stated: { readonly accuracy: number; readonly trueAccuracy: number } | null;
  readonly taught: number;
  /** Of answers that say whether they can be acted on: how many can, and how many of these are wrong. null if none say so. */
  readonly acted: { readonly share: number; readonly errorRate: number | null } | null;
  /** Wrong answers by right answer, the most frequent first; null if the questions have different options. */
  readonly confusions: readonly { readonly truth: string; readonly said: string; readonly n: number }[] | null;
  readonly surestWrong: readonly Pick<Asked, "line" | "id" | "question" | "truth" | "said" | "probability">[];
}

/**
 * @param asked one or more
 * @param threshold a person decides where answers are right less often than that, 0 to 1
 * @param labelsShared whether equal option keys mean the same label in all questions
 */
export function reportOf(asked: readonly Asked[], threshold: number, labelsShared = sameOptions(asked)): EvalReport {
  const types = [...new Set(asked.map(({ type }) => type))];
  // By how often such answers are right: as they state it, or else by their probability. With a warning neither holds.
  const kept = asked.filter(
    ({ statedAccuracy, probability, warnings }) => warnings === undefined && (statedAccuracy ?? probability) >= threshold,
  );
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
      .map(({ line, id, question, truth, said, probability }) => ({ line, id, question, truth, said, probability })),
  };
}

function partOf(part: readonly Asked[], labelsShared?: boolean): PartReport {
  const { n, accuracy, ...others } = metricsOf(part, labelsShared);
  const logLoss = -mean(part.map(({ truthProbability }) => logOf(truthProbability)));
  return { n, accuracy, chance: mean(part.map(({ options }) => 1 / options.length)), ...others, logLoss };
}

function statedOf(asked: readonly Asked[]): EvalReport["stated"] {
  const stating = asked.filter(({ statedAccuracy }) => statedAccuracy !== undefined);
  if (stating.length === 0) return null;
  return { accuracy: mean(stating.map(({ statedAccuracy = 0 }) => statedAccuracy)), trueAccuracy: accuracy(stating) };
}

function actedOf(asked: readonly Asked[]): EvalReport["acted"] {
  const saying = asked.filter(({ act }) => act !== undefined);
  if (saying.length === 0) return null;
  const acted = saying.filter(({ act }) => act === true);
  // Counted, not 1 less a share of right ones, so that 1 of 20 is no more than .05.
  const wrong = acted.filter(({ isRight }) => !isRight).length;
  return { share: acted.length / saying.length, errorRate: acted.length === 0 ? null : wrong / acted.length };
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

/** How many confusions and wrong answers are shown; `--json` has more. */
const SHOWN = 5;
const MAX_NAME_CELLS = 40;

export const share = (value: number | null): string => (value === null ? "" : value.toFixed(3));
export const percent = (value: number | null): string => (value === null ? "" : `${(100 * value).toFixed(1)}%`);
/** An id or key that a person wrote in their own file. */
const name = (text: string): string => clip(oneLine(text), MAX_NAME_CELLS);

const COLUMNS: readonly (readonly [head: string, cell: (part: PartReport) => string])[] = [
  ["questions", ({ n }) => String(n)],
  ["accuracy", ({ accuracy }) => share(accuracy)],
  ["chance", ({ chance }) => share(chance)],
  ["macro-F1", ({ macroF1 }) => share(macroF1)],
  ["ECE", ({ ece }) => share(ece)],
  ["surest 80%", ({ accuracyAt80 }) => share(accuracyAt80)],
  ["surest 50%", ({ accuracyAt50 }) => share(accuracyAt50)],
  ["said yes", ({ saidYes }) => percent(saidYes)],
  ["truly yes", ({ trulyYes }) => percent(trulyYes)],
];

export function showReport(report: EvalReport, { paint }: Screen): string {
  return [figuresTable(report), ...sentencesOn(report), ...confusionLines(report), ...wrongLines(report)]
    .join("\n")
    .replace(/^.*$/mu, (head) => paint("bold", head))
    .concat("\n");
}

function figuresTable({ all, types }: EvalReport): string {
  const ofTypes = Object.entries(types).map(([type, part]) => [ANSWER_KINDS[type as Answer["type"]].title, part] as const);
  const parts = [["all", all] as const, ...ofTypes];
  const used = COLUMNS.filter(([, cell]) => parts.some(([, part]) => cell(part) !== ""));
  return columns([["", ...used.map(([head]) => head)], ...parts.map(([title, part]) => [title, ...used.map(([, cell]) => cell(part))])]);
}

function sentencesOn({ all, toPerson, stated, taught, acted }: EvalReport): string[] {
  const { threshold, share: left, accuracyOfOthers: right } = toPerson;
  const others = right === null ? "" : ` Of the others, ${percent(right)} are right.`;
  const lines = [`\nTo a person, if right in fewer than ${Number((100 * threshold).toFixed(1))} of 100: ${percent(left)}.${others}`];
  if (stated !== null)
    lines.push(`The answers state that ${percent(stated.accuracy)} of them are right (x_accuracy); ${percent(stated.trueAccuracy)} are.`);
  if (taught > 0) lines.push(`Lessons gave ${taught === all.n ? "all" : taught} of the ${all.n} answers.`);
  const wrong = acted?.errorRate ?? null;
  const ofThese = wrong === null ? "" : ` Of these, ${percent(wrong)} are wrong.`;
  if (acted !== null) lines.push(`To be acted on (x_act): ${percent(acted.share)}.${ofThese}`);
  return lines;
}

function confusionLines({ confusions }: EvalReport): string[] {
  if (confusions === null || confusions.length === 0) return [];
  const lines = confusions.slice(0, SHOWN).map(({ truth, said, n }) => [`  ${name(truth)}`, `read as ${name(said)}`, String(n)]);
  return ["\nMost frequent mistakes:", columns(lines)];
}

function wrongLines({ surestWrong }: EvalReport): string[] {
  if (surestWrong.length === 0) return [];
  const hasIds = new Set(surestWrong.map(({ question }) => question)).size > 1;
  const lines = surestWrong
    .slice(0, SHOWN)
    .map(({ line, id, question, truth, said, probability }) => [
      `  ${name(placeText({ line, id }))}`,
      ...(hasIds ? [name(question)] : []),
      `${name(said)}, not ${name(truth)}`,
      share(probability),
    ]);
  return ["\nSurest wrong answers, with their probability:", columns(lines)];
}
