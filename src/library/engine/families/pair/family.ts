import { DecideError } from "../../../../errors.ts";
import type { HubTokenizer, SpecialToken } from "../../../tokenizer/hub-tokenizer.ts";
import { present } from "../../../validation/expect.ts";
import { loadLanguage } from "../../load-language.ts";
import type { Language } from "../../load-language.ts";
import { checkLengths, countAnswers, countInput, distinctInOrder, entailmentAt, remembering, toWindows } from "../../batch.ts";
import { filled } from "../../encoders/encoder-manifest.ts";
import { Encoder, encoderFilesFor, loadEncoderGraph, readTokenizer, stateWarnings } from "../../encoders/encoder.ts";
import type { Sequence } from "../../encoders/encoder.ts";
import type { Batch, BatchScores, QuestionScores, QuestionText, TokenLimits } from "../../engine.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import { holdNothing } from "../../queued-engine.ts";
import type { BeforeRun, Model } from "../../queued-engine.ts";
import type { Placement, Runtime } from "../../runtime.ts";
import type { Family } from "../manifests.ts";
import type { PairManifest } from "./manifest.ts";

/** Published cross-encoders, which read premise and hypothesis together, a row an option: "The model" in ARCHITECTURE.md of the repository. */
export const pair: Family<PairManifest> = {
  filesFor: encoderFilesFor,
  load: loadPair,
};

/** Tokens of each window that are left to the state, whatever the question. */
const MIN_STATE_TOKENS = 32;

/**
 * Checks that the longest texts leave room for the state in a window.
 * @param fixedTokens special tokens, and those of the longest template around texts
 * @throws {DecideError} `model_invalid`
 */
function checkRoom({ windowTokens, instructionsTokens, optionTokens }: TokenLimits, fixedTokens: number): void {
  const left = windowTokens - fixedTokens - instructionsTokens - optionTokens;
  if (left >= MIN_STATE_TOKENS) return;
  const message = `The limits of the manifest leave ${left} tokens of a window to the state; it must have ${MIN_STATE_TOKENS}. Add the model again.`;
  throw new DecideError("model_invalid", message);
}

/** @throws {DecideError} `model_invalid`, `backend_unavailable` */
export async function loadPair(pack: ModelPack<PairManifest>, runtime: Runtime, placement: Placement): Promise<Model> {
  const { manifest } = pack;
  const [tokenizer, language] = await Promise.all([readTokenizer(pack), loadLanguage()]);
  checkRoom(manifest.limits, fixedTokens(manifest, tokenizer));
  const { session, file } = await loadEncoderGraph(pack, runtime, placement);
  const model = new PairModel(manifest, new Encoder(session, runtime, manifest, tokenizer.padId), tokenizer, language);
  return {
    graph: placement.precision,
    graphFile: file,
    features: 0,
    score: (batch, beforeRun) => model.score(batch, beforeRun),
    ...holdNothing(manifest.limits, tokenizer.tokenize),
    release: () => session.release(),
  };
}

/** Tokens of a row besides those of state, instructions and option: at most so many, whatever the question's type. */
function fixedTokens({ templates }: PairManifest, { tokenize, pair }: HubTokenizer): number {
  const empty = { instructions: "", option: "" };
  const ofTemplates = Object.values(templates).map((template) => tokenize(filled(template, empty)).length);
  return specialTokens(pair) + Math.max(...ofTemplates);
}

/** Reads each window of the state with each option's hypothesis. The batches depend on the state and one question alone, so its answer does, too, bit for bit. */
class PairModel {
  readonly #manifest: PairManifest;
  readonly #encoder: Encoder;
  readonly #tokenizer: HubTokenizer;
  readonly #language: Language;

  constructor(manifest: PairManifest, encoder: Encoder, tokenizer: HubTokenizer, language: Language) {
    this.#manifest = manifest;
    this.#encoder = encoder;
    this.#tokenizer = tokenizer;
    this.#language = language;
  }

  async score(batch: Batch, beforeRun: BeforeRun): Promise<BatchScores> {
    const tokenize = remembering(this.#tokenizer.tokenize);
    checkLengths(batch, this.#manifest.limits, tokenize);
    const questions: QuestionScores[] = [];
    for (const [i, question] of batch.questions.entries()) {
      const hypotheses = this.#hypothesesOf(question);
      const capacity = this.#capacityBeside(hypotheses, i);
      const rows = toRows(tokenize(batch.state), hypotheses, capacity, this.#manifest.limits.overlapTokens);
      const scoreOf = await this.#scoreRows(rows, beforeRun);
      questions.push({
        scores: Float32Array.from(hypotheses, (tokens) => present(scoreOf.get(String(tokens)), "score of an option")),
        answerTokens: countAnswers(question, tokenize),
      });
    }
    const vocabulary = { tokenize, unknownId: this.#tokenizer.unknownId };
    const warnings = stateWarnings(batch.state, tokenize(batch.state), vocabulary, this.#language);
    return { questions, warnings, inputTokens: countInput(batch, tokenize) };
  }

  /** Token ids of each option's hypothesis. */
  #hypothesesOf({ type, instructions, options }: QuestionText): (readonly number[])[] {
    const template = this.#manifest.templates[type];
    return options.map(({ text }) => this.#tokenizer.tokenize(filled(template, { instructions, option: text })));
  }

  /**
   * Tokens of the state that a window has beside the longest hypothesis.
   * @throws {DecideError} `input_too_long` when tokens of a whole hypothesis are so many more than those of its parts that too few are left.
   */
  #capacityBeside(hypotheses: readonly (readonly number[])[], question: number): number {
    const room = this.#manifest.limits.windowTokens - specialTokens(this.#tokenizer.pair);
    const longest = Math.max(...hypotheses.map((tokens) => tokens.length));
    if (longest <= room - MIN_STATE_TOKENS) return room - longest;
    const option = hypotheses.findIndex((tokens) => tokens.length === longest);
    const msg = `has ${longest} tokens with its instructions, more than the model's limit of ${room - MIN_STATE_TOKENS}`;
    const issues = [{ loc: ["questions", question, "options", option], msg, type: "too_long" }] as const;
    throw new DecideError("input_too_long", "The batch is too long for the model.", { issues });
  }

  /** The score of each hypothesis, by its token ids. */
  async #scoreRows(rows: readonly Row[], beforeRun: BeforeRun): Promise<Map<string, number>> {
    const { graph, labels, limits } = this.#manifest;
    const { pair } = this.#tokenizer;
    const special = specialTokens(pair);
    const lengthOf = ({ window, hypothesis }: Row): number => special + window.length + hypothesis.length;
    const scoresOf = new Map<string, number[]>();
    for (const batch of toBatches(rows, lengthOf, limits.windowTokens, graph.isUnpadded !== true)) {
      await beforeRun();
      const sequences = batch.map((row) => toSequence(row, pair));
      const logits = await this.#encoder.read(sequences, labels.length);
      batch.forEach(({ hypothesis }, row) => {
        const key = String(hypothesis);
        scoresOf.set(key, [...(scoresOf.get(key) ?? []), entailmentAt(logits, row, labels)]);
      });
    }
    return new Map(Array.from(scoresOf, ([key, scores]) => [key, joinWindows(scores)]));
  }
}

/** One score of an option by its scores in the windows of the state: what any part of the state entails, the state does. */
export function joinWindows(scores: readonly number[]): number {
  return scores.reduce((best, score) => Math.max(best, score));
}

type Tokens = readonly number[];

/** A window of the state with a hypothesis: what the model reads in a row. */
export interface Row {
  readonly window: Tokens;
  readonly hypothesis: Tokens;
}

/**
 * Every window with every hypothesis, equal ones once, in ascending order of length. The order depends on the texts alone, so the caller's order has no effect.
 * @param capacity tokens of a window, as many as the longest hypothesis leaves
 */
export function toRows(state: Tokens, hypotheses: readonly Tokens[], capacity: number, overlap: number): Row[] {
  // Long hypotheses leave short windows, which must not be overlap alone.
  const places = toWindows(state.length, capacity, Math.min(overlap, Math.floor(capacity / 2)));
  const windows = distinctInOrder(places.map(({ start, length }) => state.slice(start, start + length)));
  // All windows have one length.
  return distinctInOrder(hypotheses).flatMap((hypothesis) => windows.map((window) => ({ window, hypothesis })));
}

/** The row as the model's tokenizer pairs it. */
export function toSequence({ window, hypothesis }: Row, pair: HubTokenizer["pair"]): Sequence {
  const { before, between, after, premiseType, hypothesisType } = pair;
  const as =
    (type: number): ((id: number) => SpecialToken) =>
    (id) => ({ id, type });
  const tokens = [...before, ...window.map(as(premiseType)), ...between, ...hypothesis.map(as(hypothesisType)), ...after];
  return { ids: tokens.map(({ id }) => id), types: tokens.map(({ type }) => type) };
}

/** How many special tokens each row has. */
function specialTokens({ before, between, after }: HubTokenizer["pair"]): number {
  return before.length + between.length + after.length;
}

/** Cost of one more run beside its tokens, in tokens. Padding beyond it costs more than a run. */
const RUN_TOKENS = 24;

/**
 * Groups rows, in their order, into batches for one run each. No batch has more tokens, padding included, than the longest row may have, so that a run's
 * memory is that of such a row, whatever the request: attention, whose memory grows with the square of the length, has less.
 * @param rows in ascending order of length
 * @param lengthOf a row's tokens, special ones included, up to `maxTokens`
 * @param isPadded whether rows of unequal length may share a run
 */
export function toBatches<Row>(rows: readonly Row[], lengthOf: (row: Row) => number, maxTokens: number, isPadded: boolean): Row[][] {
  const maxPadding = isPadded ? RUN_TOKENS : 0;
  const batches: Row[][] = [];
  let batch: Row[] = [];
  let padding = 0;
  for (const row of rows) {
    const before = batch.at(-1);
    const length = lengthOf(row);
    // Each row before is padded to the length of this one.
    const added = before === undefined ? 0 : batch.length * (length - lengthOf(before));
    if (before !== undefined && (padding + added > maxPadding || (batch.length + 1) * length > maxTokens)) {
      batches.push(batch);
      [batch, padding] = [[], 0];
    } else padding += added;
    batch.push(row);
  }
  return [...batches, batch];
}
