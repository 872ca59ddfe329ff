import type { Answer } from "umpire";
import { PACKAGE_ROOT } from "../../support/package-root.ts";

/** Types for the parts of bench/accuracy, which is plain JavaScript, that the tests use. */
export interface Outcome {
  readonly type: "choice" | "noul" | "score" | "nli";
  readonly options: readonly string[];
  readonly truth: string;
  readonly said: string;
  readonly probability: number;
}

export interface Figures {
  readonly n: number;
  readonly accuracy: number;
  readonly macroF1: number | null;
  readonly ece: number | null;
  readonly accuracyAt80: number;
  readonly accuracyAt50: number;
  readonly saidYes: number | null;
  readonly trulyYes: number | null;
  readonly flips: { readonly n: number; readonly changed: number; readonly share: number } | null;
}

export interface Case {
  readonly line: number;
  readonly state: unknown;
  readonly questions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly truths: Readonly<Record<string, string>>;
}

export interface NliRow {
  readonly label: string;
  readonly premise: string;
  readonly hypothesis: string;
}

export interface Nli {
  readonly judge: (row: NliRow, labels: readonly string[]) => Promise<Outcome>;
  readonly release: () => Promise<void>;
}

export interface AskedSet {
  readonly kind: string;
  readonly name: string;
  readonly type?: string;
  readonly n: number;
}

export interface Recorded {
  readonly model: { readonly id: string };
  readonly settings: Readonly<Record<string, number>>;
  readonly summary: Readonly<Record<string, number | Readonly<Record<string, number>>>>;
  readonly longStates: { readonly alone: number; readonly byWindow: readonly number[] };
  readonly sets: readonly (AskedSet & { readonly accuracy: number })[];
}

interface Modules {
  readonly metrics: {
    readonly accuracy: (outcomes: readonly Outcome[]) => number;
    readonly macroF1: (outcomes: readonly Outcome[]) => number;
    readonly expectedCalibrationError: (outcomes: readonly Outcome[]) => number;
    readonly accuracyAtCoverage: (outcomes: readonly Outcome[], coverage: number) => number;
    readonly countAtCoverage: (n: number, coverage: number) => number;
    readonly riskCoverage: (outcomes: readonly Outcome[]) => { coverage: number; risk: number }[];
    readonly reliabilityBins: (
      outcomes: readonly Outcome[],
    ) => { from: number; to: number; n: number; probability: number; accuracy: number }[];
    readonly flips: (outcomes: readonly Outcome[], others: readonly Outcome[]) => { n: number; changed: number; share: number };
  };
  readonly figures: {
    readonly figuresOf: (outcomes: readonly Outcome[], more?: { labelsShared?: boolean; fp32?: readonly Outcome[] }) => Figures;
    readonly chanceOf: (outcomes: readonly Outcome[], more?: { labelsShared?: boolean }) => Figures;
    readonly meansOf: (sets: readonly Figures[]) => Record<string, number | null>;
  };
  readonly outcome: { readonly outcomeOf: (answer: Answer, truth: string) => Outcome };
  readonly random: { readonly sampled: <T>(items: readonly T[], count: number, seed: number) => T[] };
  readonly "read-questions": {
    readonly readQuestions: (
      file: string,
      instructions?: string,
    ) => Promise<{ kind: string; name: string; instructions?: string; cases: Case[] }>;
  };
  readonly "read-nli": {
    readonly readNli: (file: string) => Promise<{ labels: string[]; rows: { label: string; premise: string; hypothesis: string }[] }>;
  };
  readonly nli: {
    readonly openNli: (pack: URL, options: { precision: "int8" | "fp32"; threads: number }) => Promise<Nli>;
  };
  readonly "nli-as-choice": {
    readonly asChoices: (set: { rows: readonly NliRow[]; labels: readonly string[] }) => Case[];
  };
  readonly "long-states": {
    readonly longStates: (
      cases: readonly Case[],
      articles: readonly string[],
      options: {
        count: number;
        seed: number;
        limits: { windowTokens: number; overlapTokens: number };
        tokenize: (text: string) => readonly number[];
      },
    ) => { alone: Case[]; byWindow: Case[][] };
  };
  readonly recorded: {
    readonly readRecorded: () => Promise<Recorded>;
    readonly isComparable: (recorded: Recorded, settings: Readonly<Record<string, number>>, sets: readonly AskedSet[]) => boolean;
  };
  readonly table: { readonly summaryTable: (reports: readonly unknown[], chance: unknown, recorded?: unknown) => string };
  readonly chart: {
    readonly lineChart: (chart: {
      title: string;
      x: { label: string; max: number };
      y: { label: string; max: number };
      series: readonly { name: string; points: readonly { x: number; y: number; radius?: number }[] }[];
      diagonal?: string;
    }) => string;
  };
}

export async function load<N extends keyof Modules>(name: N): Promise<Modules[N]> {
  return (await import(new URL(`bench/accuracy/${name}.mjs`, PACKAGE_ROOT).href)) as Modules[N];
}
