import { macroF1 } from "../../library/statistics/metrics.ts";
import { randomFrom } from "../../library/statistics/random.ts";
import { columns, oneLine, wrap } from "../cli/output/terminal-text.ts";
import type { Screen } from "../cli/output/screen.ts";
import { byLabelIndex, percent, share, type EvalReport, type Outcome } from "./report.ts";
import { InvalidArgumentError } from "commander";

export const MEASURES = ["accuracy", "macro-f1"] as const;
export type Measure = (typeof MEASURES)[number];

/** Two wordings, by their numbers from 1, the one with the higher value first. */
export interface Difference {
  readonly better: number;
  readonly worse: number;
  /** Of the two values, 0 to 1, with an interval that holds for all pairs at once in 95 of 100 cases. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** How often chance alone would make the largest of all differences as large, 0 to 1, each measured by its own standard error. */
  readonly p: number;
  readonly isMoreThanChance: boolean;
}

export interface Comparison {
  readonly by: Measure;
  readonly resamples: number;
  /** Number of the wording with the highest value, the first of equal ones. */
  readonly best: number;
  /** Every pair: against the best first, in the order of the wordings. */
  readonly differences: readonly Difference[];
}

const RESAMPLES = 2000;
const SEED = 7;
const CONFIDENCE = 0.95;
/** With fewer rows a resample says little about others. */
const LEAST_ROWS = 20;

/**
 * Compares wordings by a paired bootstrap over the rows: every resample takes the same rows for all of them. All pairs are corrected for together, by the largest
 * difference of each resample in standard errors (the single-step maxT of Westfall and Young 1993, "Resampling-Based Multiple Testing").
 * The same answers give the same result.
 * @param wordings the answers of each, two or more, to the same rows in the same order
 */
export function compare(wordings: readonly (readonly Outcome[])[], by: Measure): Comparison {
  const rows = wordings[0]?.length ?? 0;
  const measures = wordings.map((outcomes) => (by === "accuracy" ? accuracyOf(outcomes) : macroF1Of(outcomes)));
  const values = measures.map((valueOf) => valueOf(Int32Array.from({ length: rows }, (_, row) => row)));
  const random = randomFrom(SEED);
  const resampled = Array.from({ length: RESAMPLES }, () => {
    const chosen = new Int32Array(rows).map(() => Math.floor(random() * rows));
    return measures.map((valueOf) => valueOf(chosen));
  });
  const best = values.indexOf(Math.max(...values));
  const order = [best, ...values.keys()].filter((k, i, all) => all.indexOf(k) === i);
  const pairs = order.flatMap((a, i) =>
    order.slice(i + 1).map((b) => ((values[a] ?? 0) >= (values[b] ?? 0) ? ([a, b] as const) : ([b, a] as const))),
  );
  const measured = pairs.map(([better, worse]) => {
    const between = (of: readonly number[]): number => (of[better] ?? 0) - (of[worse] ?? 0);
    const difference = between(values);
    const errors = resampled.map((of) => between(of) - difference);
    return { better, worse, difference, errors, deviation: Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / RESAMPLES) };
  });
  const largest = resampled.map((_, i) =>
    Math.max(...measured.map(({ errors, deviation }) => Math.abs(errors[i] ?? 0) / (deviation || 1))),
  );
  const critical = largest.toSorted((a, b) => a - b)[Math.ceil(CONFIDENCE * RESAMPLES) - 1] ?? 0;
  return {
    by,
    resamples: RESAMPLES,
    best: best + 1,
    differences: measured.map(({ better, worse, difference, deviation }) => {
      // The tolerance is for rounding: two wordings that no row tells apart differ by nothing.
      const asLarge = largest.filter((one) => one * deviation >= difference - 1e-12).length;
      const p = (1 + asLarge) / (1 + RESAMPLES);
      const half = critical * deviation;
      const isMoreThanChance = rows >= LEAST_ROWS && p < 1 - CONFIDENCE;
      return { better: better + 1, worse: worse + 1, difference, low: difference - half, high: difference + half, p, isMoreThanChance };
    }),
  };
}

/** A measure of some of the rows, by their indexes. */
type ValueOf = (rows: Int32Array) => number;

function accuracyOf(outcomes: readonly Outcome[]): ValueOf {
  const right = Uint8Array.from(outcomes, ({ isRight }) => Number(isRight));
  return (rows) => rows.reduce((sum, row) => sum + (right[row] ?? 0), 0) / rows.length;
}

function macroF1Of(outcomes: readonly Outcome[]): ValueOf {
  const { answers, labels } = byLabelIndex(outcomes);
  return (rows) => {
    const chosen = Array.from(rows, (row) => answers[row] ?? { right: 0, given: 0 });
    return macroF1(chosen, labels);
  };
}

interface Compared {
  readonly wordings: readonly string[];
  readonly reports: readonly EvalReport[];
  readonly comparison: Comparison;
  readonly maxErrorRate: number | undefined;
}

export function showComparison({ wordings, reports, comparison, maxErrorRate }: Compared, { width, paint }: Screen): string {
  const { best, by, differences, resamples } = comparison;
  const figures = reports.map(({ all, acted }, i) => [
    `${i + 1}${i + 1 === best ? " *" : ""}`,
    ...[all.accuracy, all.macroF1, all.ece].map(share),
    ...[acted?.share ?? null, acted?.errorRate ?? null].map(percent),
  ]);
  const overFirst = differences.find(({ better, worse }) => better === best && worse === 1);
  const others = differences.filter((one) => one !== overFirst && one.isMoreThanChance);
  const isChance = overFirst?.isMoreThanChance === true ? "is more than chance" : "may be chance";
  const verdict = overFirst === undefined ? "1, the first." : `${best}. It is ${textOf(overFirst)}, which ${isChance}.`;
  const fewRows = (reports[0]?.all.n ?? 0) < LEAST_ROWS ? ` Fewer than ${LEAST_ROWS} rows show nothing.` : "";
  const table = columns([["", "accuracy", "macro-F1", "ECE", `act@${maxErrorRate}`, "act-errors"], ...figures]);
  return [
    table.replace(/^.*$/mu, (head) => paint("bold", head)),
    "",
    ...wordings.flatMap((wording, i) =>
      wrap(oneLine(wording), width - 4).map((line, j) => `${(j === 0 ? String(i + 1) : "").padEnd(4)}${line}`),
    ),
    "",
    ...wrap(`Best by ${by}: ${verdict}${fewRows}`, width),
    ...others.map((one) => `${one.better} is ${textOf(one)}, which is more than chance.`),
    ...wrap(`(Paired bootstrap: ${resamples} resamples of the rows, corrected for all pairs.)`, width),
    "",
  ].join("\n");
}

function textOf({ worse, difference, low, high, p }: Difference): string {
  return `better than ${worse} by ${share(difference)} (${share(low)} to ${share(high)}, ${p < 0.001 ? "p < 0.001" : `p = ${share(p)}`})`;
}

/** A bound that a report must reach, as `--require` states it. */
export interface Requirement {
  readonly text: string;
  readonly name: keyof typeof NAMES;
  /** The rate of errors of what is acted on. */
  readonly rate?: number;
  readonly limit: number;
}

interface Named {
  readonly sign: ">=" | "<=";
  readonly example: string;
  readonly valueIn: (report: EvalReport) => number;
}

const NAMES = {
  accuracy: { sign: ">=", example: "accuracy>=.85", valueIn: ({ all }) => all.accuracy },
  "macro-f1": { sign: ">=", example: "macro-f1>=.8", valueIn: ({ all }) => all.macroF1 ?? 0 },
  "calibration-error": { sign: "<=", example: "calibration-error<=.1", valueIn: ({ all }) => all.ece },
  "log-loss": { sign: "<=", example: "log-loss<=.5", valueIn: ({ all }) => all.logLoss },
  act: { sign: ">=", example: "act@.05>=.4", valueIn: ({ acted }) => acted?.share ?? 0 },
  // Where nothing is acted on, nothing is wrong.
  "act-errors": { sign: "<=", example: "act-errors@.05<=.05", valueIn: ({ acted }) => acted?.errorRate ?? 0 },
} satisfies { readonly [name: string]: Named };

const REQUIREMENT = /^([a-z\d-]+)(?:@(0?\.\d+))?\s*(>=|<=)\s*(\d+(?:\.\d+)?|\.\d+)$/u;

/** Reads `--require`. @throws {InvalidArgumentError} with all names */
export function requirementFrom(text: string, before: readonly Requirement[] = []): readonly Requirement[] {
  const [, name = "", rate, sign, limit] = REQUIREMENT.exec(text.trim()) ?? [];
  const named: Named | undefined = isName(name) ? NAMES[name] : undefined;
  const takesRate = named?.example.includes("@") === true;
  if (
    !isName(name) ||
    named?.sign !== sign ||
    takesRate !== (rate !== undefined) ||
    Number(rate ?? 1) <= 0 ||
    (name !== "log-loss" && Number(limit) > 1)
  ) {
    const examples = Object.values(NAMES).map(({ example }) => example);
    throw new InvalidArgumentError(
      `It must be like one of ${examples.join(", ")}; the number after @ is the share of errors that may be acted on.`,
    );
  }
  return [...before, { text, name, ...(rate !== undefined && { rate: Number(rate) }), limit: Number(limit) }];
}

function isName(name: string): name is keyof typeof NAMES {
  return Object.hasOwn(NAMES, name);
}

/** @param reportAt the report of answers that were asked with a rate of errors */
export function judge(
  requirements: readonly Requirement[],
  reportAt: (rate: number | undefined) => EvalReport,
): { readonly require: string; readonly value: number; readonly isMet: boolean }[] {
  return requirements.map(({ text, name, rate, limit }) => {
    const { sign, valueIn } = NAMES[name];
    const value = valueIn(reportAt(rate));
    return { require: text, value, isMet: sign === ">=" ? value >= limit : value <= limit };
  });
}
