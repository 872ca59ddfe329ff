import { PACKAGE_ROOT } from "../../support/package-root.ts";

/** Types for the parts of bench/speed, which is plain JavaScript, that the tests use. */
export interface Size {
  readonly options: number;
  readonly tokens: number;
  readonly questions: number;
}

export interface Asked {
  readonly name: string;
  readonly text: string;
  readonly questions: readonly { readonly instructions: string; readonly labels: readonly string[] }[];
}

export interface Run {
  readonly rows: number;
  readonly seen: number;
  readonly options: number;
  readonly optionTokens: number;
}

export interface Shape {
  readonly layers: number;
  readonly heads: number;
  readonly headSize: number;
  readonly width: number;
  readonly inner: number;
}

export interface Products {
  readonly linear: number;
  readonly attention: number;
}

export interface Counts {
  readonly state: number;
  readonly questions: readonly { readonly instructions: number; readonly options: readonly number[] }[];
}

export interface FloorGraph {
  readonly nodes: readonly { readonly kind: string; readonly inputs: readonly [string, string]; readonly output: string }[];
  readonly inputs: readonly { readonly name: string; readonly sizes: readonly (number | string)[] }[];
  readonly constants: readonly { readonly name: string; readonly sizes: readonly number[]; readonly bytes: Uint8Array }[];
}

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface Figures {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly lowMs: number;
  readonly highMs: number;
  readonly calls: number;
}

export interface Contender {
  readonly name: string;
  readonly ask: (call: number) => Promise<number>;
}

type Turns = readonly (readonly number[])[];

export interface TargetRow {
  readonly what: string;
  readonly estimate: Estimate | undefined;
  readonly verdict: string;
}

/** A run's results, of which a test gives only what it needs. */
export type Results = Readonly<Record<string, unknown>>;

interface Modules {
  readonly requests: {
    readonly askedOf: (size: Size, tokens: Tokens) => Asked;
    readonly requestOf: (
      asked: Asked,
      variant: number,
    ) => { readonly state: string; readonly questions: Readonly<Record<string, unknown>> };
  };
  readonly grid: {
    readonly planOf: (extent: "quick" | "usual" | "full") => { readonly sizes: readonly Size[] };
    readonly basePlanOf: (extent: "quick" | "usual" | "full") => { readonly sizes: readonly Size[] };
    readonly TARGET_SIZES: Readonly<Record<"usual" | "manyOptions" | "manyQuestions", Size>>;
    readonly keyOf: (size: Size) => string;
  };
  readonly "floor/runs": {
    readonly floorRuns: (counts: Counts, limits: { windowTokens: number; overlapTokens: number }) => Run[];
    readonly productsOf: (run: Run, shape: Shape) => Products;
  };
  readonly "floor/graph": {
    readonly shapeOf: (network: { layers: number; heads: number; headSize: number }) => Shape;
    readonly floorGraph: (shape: Shape, precision: "int8" | "fp32") => FloorGraph;
  };
  readonly "floor/floor": {
    readonly openFloor: (
      shape: Shape,
      limits: { windowTokens: number; overlapTokens: number },
      options: { precision: "int8" | "fp32"; threads: number },
    ) => Promise<{ ask: (counts: Counts) => Promise<number>; close: () => Promise<void> }>;
  };
  readonly "floor/peak": { readonly peakOf: (options: { precision: "int8" | "fp32"; threads: number }) => Promise<number> };
  readonly figures: {
    readonly figuresOf: (turns: Turns) => Figures;
    readonly ratioOf: (above: Turns, below: Turns) => Estimate;
  };
  readonly turns: {
    readonly inTurns: (
      contenders: readonly Contender[],
      plan: { turns: number; callsATurn: number; limitMs: number },
    ) => Promise<Map<string, { first: number[][]; warm: number[][] }>>;
  };
  readonly contenders: {
    readonly timedPart: (questions: readonly { labels: readonly string[] }[], mostPairs: number) => { parts: string[][]; scale: number };
  };
  readonly targets: {
    readonly targetRows: (results: Results) => TargetRow[];
    readonly verdictOf: (target: { least?: number; most?: number; stretch?: number }, estimate: Estimate | undefined) => string;
  };
  readonly drawings: { readonly speedDrawings: (results: Results) => { name: string; title: string; svg: string }[] };
  readonly papers: {
    readonly withSection: (paper: string, name: "bench" | "base", section: string) => string;
    readonly checkWhole: (results: Results) => void;
    readonly speedSection: (results: Results, drawings: readonly { name: string; title: string }[]) => string;
    readonly baseSection: (base: Results) => string;
    readonly logSection: (results: Results) => string;
    readonly readmeSection: (results: Results, drawings: readonly { name: string }[]) => string;
    readonly readmeTable: (results: Results) => string[][];
  };
}

export async function load<N extends keyof Modules>(name: N): Promise<Modules[N]> {
  return (await import(new URL(`bench/speed/${name}.mjs`, PACKAGE_ROOT).href)) as Modules[N];
}

export interface Tokens {
  readonly count: (text: string) => number;
  readonly cut: (text: string, tokens: number) => string;
}

export async function loadTokens(): Promise<Tokens> {
  const { openTokens } = (await import(new URL("bench/workloads.mjs", PACKAGE_ROOT).href)) as { openTokens: () => Promise<Tokens> };
  return openTokens();
}
