import type { Metrics, Outcome } from "../../../src/tools/eval/report.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";

/** Types for the parts of bench/accuracy, which is plain JavaScript, that the tests use. */
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

export type Figures = Omit<Metrics, "ece"> & {
  readonly ece: number | null;
  readonly accuracyError: number | null;
  readonly flips: { readonly n: number; readonly changed: number; readonly share: number } | null;
};

interface Modules {
  readonly figures: {
    readonly figuresOf: (outcomes: readonly Outcome[], options?: { labelsShared?: boolean; fp32?: readonly Outcome[] }) => Figures;
    readonly chanceOf: (outcomes: readonly Outcome[], options?: { labelsShared?: boolean }) => Figures;
    readonly meansOf: (sets: readonly Figures[]) => Readonly<Record<"sets" | "accuracy" | "macroF1", number | null>>;
    readonly reliabilityBins: (outcomes: readonly Outcome[]) => { n: number; probability: number; accuracy: number }[];
    readonly riskCoverage: (outcomes: readonly Outcome[]) => { coverage: number; risk: number }[];
  };
  readonly promises: {
    readonly promisesOf: (
      outcomes: readonly Outcome[],
    ) => { name: string; n: number; stated: number; right: number; error: number | null }[];
  };
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
