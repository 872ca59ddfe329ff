import type { DecideRequest, DeciderInfo, Precision } from "umpire";
import { AddedPack } from "../../support/added-pack.ts";
import { GliclassPack } from "../../support/gliclass-pack.ts";
import { PACK_FILES } from "../../support/pack-copy.ts";
import { PACK_URL } from "../../support/package-root.ts";
import { relativePack } from "../../support/relative-pack.ts";

/** A model that the engine's suites are run with. */
export interface SuiteModel {
  readonly id: string;
  readonly family: string;
  /** Whether it came with the package: then it is found by its name, and its answers make sense. */
  readonly isBuiltIn: boolean;
  /** Makes its pack, if it did not come with the package. @returns URL of the pack's folder, with a slash at its end */
  readonly makePack: () => Promise<string>;
  /** The files that its manifest lists. */
  readonly files: readonly string[];
  /** The one for fp32. */
  readonly graph: string;
  readonly limits: DeciderInfo["limits"];
  /** Most options that a question may have. */
  readonly maxOptions: number;
  /** What the pack has, the default first. */
  readonly precisions: readonly Precision[];
  /** A word that is one token, wherever it stands. */
  readonly word: string;
  /** So much text is some tenths of a second's work. */
  readonly busyTokens: number;
  /** Different texts of which the tokenizer reads nothing. */
  readonly unread: readonly [string, string, string];
}

export const BUILT_IN: SuiteModel = {
  id: "umpire-2",
  family: "shared-premise",
  isBuiltIn: true,
  makePack: () => Promise.resolve(PACK_URL.href),
  files: PACK_FILES.filter((name) => !name.startsWith("manifest.json")),
  graph: "fp32.onnx",
  limits: { stateTokens: 16_384, windowTokens: 384, overlapTokens: 64, instructionsTokens: 254, optionTokens: 254 },
  maxOptions: 255,
  precisions: ["int8", "fp32"],
  word: "cat",
  busyTokens: 1500,
  unread: ["\0", "\ud800", " "],
};

const PAIR_LIMITS = { stateTokens: 4096, windowTokens: 128, overlapTokens: 32, instructionsTokens: 32, optionTokens: 40 };

export const PAIR: SuiteModel = {
  id: "tiny-pair",
  family: "pair",
  isBuiltIn: false,
  makePack: async () => (await AddedPack.make("bert", { limits: PAIR_LIMITS })).url,
  files: ["model.onnx", "model_quantized.onnx", "tokenizer.json"],
  graph: "model.onnx",
  limits: PAIR_LIMITS,
  maxOptions: 255,
  precisions: ["int8", "fp32"],
  word: "the",
  busyTokens: 1500,
  unread: ["\0", "\ud800", " "],
};

const GLICLASS_LIMITS = { stateTokens: 16_384, windowTokens: 256, overlapTokens: 32, instructionsTokens: 64, optionTokens: 32 };

export const GLICLASS: SuiteModel = {
  id: "gliclass",
  family: "gliclass",
  isBuiltIn: false,
  makePack: async () => (await GliclassPack.make("gliclass", { limits: GLICLASS_LIMITS, source: { name: "tests/gliclass" } })).url,
  files: ["fp32.onnx", "tokenizer.json"],
  graph: "fp32.onnx",
  limits: GLICLASS_LIMITS,
  maxOptions: 25,
  precisions: ["fp32"],
  word: "the",
  busyTokens: 8000,
  // Its tokenizer has a token for what it does not know.
  unread: [" ", "\t", "\n"],
};

/** Of the built-in family, with relative positions. */
export const RELATIVE: SuiteModel = {
  ...BUILT_IN,
  id: "relative",
  isBuiltIn: false,
  makePack: () => relativePack({ source: { name: "tests/relative" } }),
  files: BUILT_IN.files.filter((name) => name !== "features.bin"),
  busyTokens: 8000,
};

/** One of each family. */
export const SUITE_MODELS: readonly SuiteModel[] = [BUILT_IN, PAIR, GLICLASS];

/** Whether it reads a state apart from its options, and so has something to keep and to notice. */
export const readsApart = ({ family }: SuiteModel): boolean => family === BUILT_IN.family;

/** So many options, each another short text. */
export function optionsOf(count: number): Record<string, null> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`a ${i}`, null]));
}

/** Keeps the model busy for seconds: all windows of the longest state, or of a part of it, and 255 options. */
export const longRequestFor = (model: Shape, part = 1): DecideRequest =>
  heavyRequest(model, Math.floor(part * model.limits.stateTokens), 255);

/** Keeps the model busy for some tenths of a second. */
export const busyRequestFor = (model: Shape): DecideRequest => heavyRequest(model, model.busyTokens, 30);

type Shape = Pick<SuiteModel, "limits" | "maxOptions" | "word" | "busyTokens">;

/** As many questions as those options take. */
function heavyRequest({ maxOptions, word }: Shape, stateTokens: number, options: number): DecideRequest {
  // Different windows, because equal ones may be read once.
  const state = Array.from({ length: stateTokens }, (_, i) => (i % 101 === 7 ? "a" : word)).join(" ");
  const question = { type: "choice", instructions: "Which?", criteria: optionsOf(Math.min(options, maxOptions)) } as const;
  return { state, questions: Object.fromEntries(Array.from({ length: Math.ceil(options / maxOptions) }, (_, i) => [`q${i}`, question])) };
}
