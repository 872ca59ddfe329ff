import { present } from "../../../validation/expect.ts";
import { DEVICES } from "../../devices.ts";
import type { Batch, BatchScores, QuestionScores, QuestionText, StateWarning } from "../../engine.ts";
import { runtimeFailed } from "../../failures.ts";
import { checkLengths, countAnswers, countInput } from "../../lengths.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import type { BeforeRun, Model } from "../../queued-engine.ts";
import type { Runtime } from "../../runtime.ts";
import type { Placement } from "../../session.ts";
import { remembering } from "../../tokenize.ts";
import type { Tokenize } from "../../tokenize.ts";
import { toBatches } from "./batches.ts";
import { entailmentAt } from "../../entailment.ts";
import { FeatureReader, QUESTION_PART, STATE_PART } from "./features.ts";
import { loadGraph } from "./graphs.ts";
import type { KvCache } from "./kv-cache.ts";
import type { SharedPremiseManifest } from "./manifest.ts";
import { SegmentReader } from "./segment-reader.ts";
import type { Segments, SegmentRole, SegmentsRead } from "./segment-reader.ts";
import { readTokenizer } from "./tokenizer.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { isUnread } from "./unread.ts";
import { toWindows } from "../../windows.ts";

/** @throws {DecideError} `model_invalid`, `backend_unavailable` */
export async function loadSharedPremise(pack: ModelPack<SharedPremiseManifest>, runtime: Runtime, placement: Placement): Promise<Model> {
  const { manifest } = pack;
  const tokenizer = readTokenizer(pack);
  const features = new FeatureReader(pack);
  const graph = await loadGraph(pack, runtime, placement);
  const reader = new SegmentReader(graph.session, runtime, manifest, DEVICES[placement.device]);
  const model = new SharedPremiseModel(manifest, reader, tokenizer, features);
  return {
    graph: graph.name,
    graphFile: graph.file,
    features: 2 * features.partSize,
    score: (batch, beforeRun) => model.score(batch, beforeRun),
    release: () => graph.session.release(),
  };
}

/** What all questions see of a state. */
interface StateRead {
  readonly cache: KvCache;
  /** Its part of the features; none if no question wants them. */
  readonly features: Iterable<number>;
}

/**
 * Reads the state once; each question reads the state; each option reads state and question. A question never sees another, and the sizes of every run
 * depend on the state and that question alone, so its answer does too, bit for bit.
 */
class SharedPremiseModel {
  readonly #manifest: SharedPremiseManifest;
  readonly #reader: SegmentReader;
  readonly #tokenizer: Tokenizer;
  readonly #features: FeatureReader;

  constructor(manifest: SharedPremiseManifest, reader: SegmentReader, tokenizer: Tokenizer, features: FeatureReader) {
    this.#manifest = manifest;
    this.#reader = reader;
    this.#tokenizer = tokenizer;
    this.#features = features;
  }

  async score(batch: Batch, beforeRun: BeforeRun): Promise<BatchScores> {
    const tokenize = remembering(this.#tokenizer.tokenize);
    checkLengths(batch, this.#manifest.limits, tokenize);
    const state = await this.#readState(batch, tokenize, beforeRun);
    const questions: QuestionScores[] = [];
    try {
      for (const question of batch.questions) questions.push(await this.#scoreQuestion(state, question, tokenize, beforeRun));
    } finally {
      this.#reader.free(state.cache);
    }
    return { questions, warnings: this.#warningsOf(batch.state, tokenize), inputTokens: countInput(batch, tokenize) };
  }

  #warningsOf(state: string, tokenize: Tokenize): StateWarning[] {
    if (tokenize(state).length === 0) return ["empty_state"];
    return isUnread(this.#tokenizer.wordsOf(state)) ? ["unread_text"] : [];
  }

  async #readState({ state, questions }: Batch, tokenize: Tokenize, beforeRun: BeforeRun): Promise<StateRead> {
    const tokens = tokenize(state);
    const { windowTokens, overlapTokens } = this.#manifest.limits;
    const windows = toWindows(tokens.length, windowTokens - 2, overlapTokens);
    const caches: KvCache[] = [];
    try {
      // One window a run: as fast as many, and an abort waits for one window, not for all.
      for (const { start, length } of windows) {
        caches.push((await this.#read(beforeRun, this.#segments("state", [tokens.slice(start, start + length)], 0))).cache);
      }
      // Before they are joined, which frees them.
      const features = questions.some(({ withFeatures }) => withFeatures) ? await this.#features.read(caches, STATE_PART) : [];
      return { cache: await this.#reader.join(caches), features };
    } catch (error) {
      for (const cache of caches) this.#reader.free(cache);
      throw error;
    }
  }

  async #scoreQuestion(
    { cache: state, features: ofState }: StateRead,
    question: QuestionText,
    tokenize: Tokenize,
    beforeRun: BeforeRun,
  ): Promise<QuestionScores> {
    const instructions = tokenize(question.instructions);
    const options = question.options.map(({ text }) => tokenize(text));
    const asked =
      instructions.length === 0
        ? this.#reader.nothing
        : (await this.#read(beforeRun, this.#segments("question", [instructions], 0), state)).cache;
    const scoreOf = new Map<string, number>();
    try {
      for (const batch of toBatches(options, state.tokens + asked.tokens)) {
        const { logits } = await this.#read(beforeRun, this.#segments("option", batch, asked.tokens), state, asked);
        batch.forEach((tokens, row) => scoreOf.set(String(tokens), entailmentAt(logits, row, this.#manifest.labels)));
      }
      return {
        scores: Float32Array.from(options, (tokens) => present(scoreOf.get(String(tokens)), "score of an option")),
        answerTokens: countAnswers(question, tokenize),
        ...(question.withFeatures && { features: Float32Array.of(...ofState, ...(await this.#features.read([asked], QUESTION_PART))) }),
      };
    } finally {
      this.#reader.free(asked);
    }
  }

  async #read(beforeRun: BeforeRun, segments: Segments, state?: KvCache, question?: KvCache): Promise<SegmentsRead> {
    await beforeRun();
    try {
      return await this.#reader.read(segments, state, question);
    } catch (cause) {
      throw runtimeFailed(cause);
    }
  }

  /** `[CLS] tokens [SEP]` a row, padded to the longest. */
  #segments(role: SegmentRole, texts: readonly (readonly number[])[], firstPosition: number): Segments {
    const { clsId, sepId, padId } = this.#manifest.tokenizer;
    const length = 2 + Math.max(...texts.map((tokens) => tokens.length));
    const ids = new BigInt64Array(texts.length * length).fill(BigInt(padId));
    texts.forEach((tokens, row) => {
      ids.set([clsId, ...tokens, sepId].map(BigInt), row * length);
    });
    return { role, rows: texts.length, length, ids, firstPosition };
  }
}
