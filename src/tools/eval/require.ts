import { InvalidArgumentError } from "commander";
import type { EvalReport } from "./report.ts";

/** What a report must reach, as `--require` states it. */
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

export interface Judged {
  readonly require: string;
  readonly value: number;
  readonly isMet: boolean;
}

/** @param reportAt the report of answers that were asked with a rate of errors */
export function judge(requirements: readonly Requirement[], reportAt: (rate: number | undefined) => EvalReport): Judged[] {
  return requirements.map(({ text, name, rate, limit }) => {
    const { sign, valueIn } = NAMES[name];
    const value = valueIn(reportAt(rate));
    return { require: text, value, isMet: sign === ">=" ? value >= limit : value <= limit };
  });
}
