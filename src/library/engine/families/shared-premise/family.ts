import { present } from "../../../validation/expect.ts";
import { DEVICES, runtimeFailed } from "../../devices.ts";
import type { Batch, BatchScores, QuestionScores, QuestionText, StateWarning } from "../../engine.ts";
import { checkLengths, countAnswers, countInput, entailmentAt, remembering, toWindows, type Tokenize } from "../../batch.ts";
import { tokenizerOf } from "../../pack/open-pack.ts";
import type { BeforeRun, HeldState, Model } from "../../queued-engine.ts";
import type { Runtime } from "../../runtime.ts";
import { maxScoresOf, segmentTokens, sequenceOf, toBatches, tokensIn, toRuns, type Sequence } from "./sequence.ts";
import { loadLanguage, type Language } from "../../load-language.ts";
import { featureReader, QUESTION_PART, readBases, STATE_PART, type CachedTokens, type FeatureReader } from "./features.ts";
import { cutCache, filesFor, freeCache, joinCaches, loadGraph, segmentReader, type KvCache, type SegmentReader } from "./segment-reader.ts";
import type { SharedPremiseManifest } from "./manifest.ts";
import { StateCache, type StateInUse } from "./state-cache.ts";
import { isUnread, makeBertTokenizer, type BertTokenizer } from "../../../tokenizer/bert-tokenizer.ts";
import type { Family } from "../manifests.ts";

/** Cross-encoders whose options read the state, but not the other way round: "The model" in ARCHITECTURE.md of the repository. */
export const sharedPremise: Family<SharedPremiseManifest> = {
  filesFor,
  async load(pack, runtime, placement, cacheBytes = 0) {
    const { manifest } = pack;
    const [tokenizer, language] = await Promise.all([
      tokenizerOf(pack, makeBertTokenizer, MAX_TOKENIZER_BYTES, "install the pack and umpire together"),
      loadLanguage(),
    ]);
    const features = featureReader(manifest, await readBases(pack));
    const graph = await loadGraph(pack, runtime, placement);
    const reader = segmentReader(graph.session, runtime, manifest, DEVICES[placement.device]);
    const { states, ...model } = sharedPremiseModel(manifest, runtime, reader, tokenizer, language, features, cacheBytes);
    return {
      ...model,
      graph: graph.name,
      graphFile: graph.file,
      features: 2 * features.partSize,
      kept: () => states.kept(),
      forget: () => {
        states.forget();
      },
      release: () => {
        states.clear();
        return graph.session.release();
      },
    };
  },
};

/** A vocabulary of 120,000 words has 3 MB. */
const MAX_TOKENIZER_BYTES = 8_000_000;

const BYTES_PER_FLOAT = 4;

/** Tokens of a window that is read in one run with its question, at most. With longer ones it saves no time (bench/LOG.md). */
const MAX_TOKENS_AT_ONCE = 256;

interface StateRead {
  /** Token ids. */
  readonly tokens: readonly number[];
  readonly warnings: readonly StateWarning[];
  /** Its own, and until it is asked again also that of the question which was read in one run with it, which stands behind. */
  cache: KvCache;
  /** How many tokens of the cache are its own: the first. */
  readonly cacheTokens: number;
  /** Its part of the features; undefined as long as no question has wanted them. */
  features: Float32Array | undefined;
  /** Of its cache. */
  readonly bytes: number;
}

type ScoreOf = Map<string, number>;

interface Asked {
  readonly question: QuestionText;
  readonly options: readonly (readonly number[])[];
  readonly batches: AskedBatch[];
  readonly scoreOf: ScoreOf;
  features: Float32Array | undefined;
}

interface AskedBatch {
  readonly asked: Asked;
  readonly options: readonly (readonly number[])[];
  readonly sequence: Sequence;
}

/**
 * Reads the state once, then each question with its options, which see the state. A question never sees another, and the sizes of its attention depend on
 * the state and that question alone, so its answer does too, bit for bit.
 */
function sharedPremiseModel(
  manifest: SharedPremiseManifest,
  runtime: Runtime,
  reader: SegmentReader,
  tokenizer: BertTokenizer,
  language: Language,
  features: FeatureReader,
  cacheBytes: number,
): Pick<Model, "score" | "hold"> & { readonly states: StateCache<StateRead> } {
  const maxScores = maxScoresOf(manifest);
  /** States that need not be read again. */
  const states = new StateCache<StateRead>(cacheBytes, ({ cache }) => {
    freeCache(cache);
  });
  return { score, hold, states };

  async function score(batch: Batch, beforeRun: BeforeRun): Promise<BatchScores> {
    const known = states.find(batch.state);
    try {
      const tokenize = remembering(tokenizer.tokenize, known && [[batch.state, known.state.tokens]]);
      checkLengths(batch, manifest.limits, tokenize);
      const atOnce = known === undefined ? await scoreAtOnce(batch, tokenize, beforeRun) : undefined;
      if (atOnce !== undefined) return atOnce;
      return await withState(batch.state, tokenize, beforeRun, async (state) => {
        const asked = batch.questions.map((question) => askedOf(question, state.cache.tokens, tokenize));
        await scoreAll(state, asked, beforeRun);
        const questions = asked.map(({ question, options, scoreOf, features }): QuestionScores => ({
          scores: scoresOf(options, scoreOf),
          answerTokens: countAnswers(question, tokenize),
          ...(features && { features }),
        }));
        const cachedTokens = known?.state.tokens.length ?? 0;
        return { questions, warnings: state.warnings, inputTokens: countInput(batch, tokenize), cachedTokens };
      });
    } finally {
      known?.leave();
    }
  }

  async function hold(text: string, beforeRun: BeforeRun): Promise<HeldState> {
    const tokenize = remembering(tokenizer.tokenize);
    checkLengths({ state: text, questions: [] }, manifest.limits, tokenize);
    return withState(text, tokenize, beforeRun, ({ tokens, bytes }) => {
      const release = states.hold(text);
      return { tokens: tokens.length, bytes, release };
    });
  }

  /** Works with a state, which is read if it is not kept. */
  async function withState<T>(
    text: string,
    tokenize: Tokenize,
    beforeRun: BeforeRun,
    use: (state: StateRead) => T | Promise<T>,
  ): Promise<T> {
    // Calls that are paused do not wait for each other's reading: two that begin with the same state read it twice.
    const inUse: StateInUse<StateRead> = states.find(text) ?? states.add(text, await readState(text, tokenize, beforeRun));
    try {
      cut(inUse.state);
      return await use(inUse.state);
    } finally {
      inUse.leave();
    }
  }

  function warningsOf(state: string, tokens: readonly number[]): StateWarning[] {
    if (tokens.length === 0) return ["empty_state"];
    return isUnread(state, tokenizer.wordsOf(state), language) ? ["unread_text"] : [];
  }

  async function readState(text: string, tokenize: Tokenize, beforeRun: BeforeRun): Promise<StateRead> {
    const tokens = tokenize(text);
    const { windowTokens, overlapTokens } = manifest.limits;
    const windows = toWindows(tokens.length, windowTokens - 2, overlapTokens);
    const caches: KvCache[] = [];
    try {
      // One window a run: as fast as many, and an abort waits for one window, not for all.
      for (const { start, length } of windows) {
        const window = sequenceOf({ window: tokens.slice(start, start + length) }, manifest.tokenizer);
        caches.push((await runModel(beforeRun, () => reader.read(window))).cache);
      }
      const cache = await joinCaches(caches, runtime);
      return stateRead({ tokens, warnings: warningsOf(text, tokens), cache, cacheTokens: cache.tokens });
    } catch (error) {
      caches.forEach(freeCache);
      throw error;
    }
  }

  /** Leaves to a state what is its own. */
  function cut(state: StateRead): void {
    if (state.cache.tokens > state.cacheTokens) state.cache = cutCache(state.cache, state.cacheTokens, runtime);
  }

  /** The usual case: a short state and its only question, in one run. undefined: it is another case. */
  async function scoreAtOnce(batch: Batch, tokenize: Tokenize, beforeRun: BeforeRun): Promise<BatchScores | undefined> {
    const [question] = batch.questions;
    if (!reader.readsTogether || question === undefined || batch.questions.length > 1) return undefined;
    const tokens = tokenize(batch.state);
    const cacheTokens = segmentTokens(tokens);
    if (cacheTokens > Math.min(MAX_TOKENS_AT_ONCE, manifest.limits.windowTokens)) return undefined;
    const [instructions, options] = [tokenize(question.instructions), question.options.map(({ text }) => tokenize(text))];
    const [run, ...others] = toBatches(options, instructions, cacheTokens, maxScores);
    if (run === undefined || others.length > 0) return undefined;

    const sequence = sequenceOf({ window: tokens, question: instructions, options: run }, manifest.tokenizer);
    const warnings = warningsOf(batch.state, tokens);
    const state = { text: batch.state, tokens, warnings, cacheTokens };
    const { logits, features } =
      states.keepsIdle || question.withFeatures
        ? await readAtOnce(state, sequence, question.withFeatures, beforeRun)
        : { logits: await runModel(beforeRun, () => reader.score(sequence)), features: undefined };
    const scoreOf: ScoreOf = new Map();
    note(scoreOf, run, logits);
    return {
      questions: [{ scores: scoresOf(options, scoreOf), answerTokens: countAnswers(question, tokenize), ...(features && { features }) }],
      warnings,
      inputTokens: countInput(batch, tokenize),
    };
  }

  /** Reads a state and its question, and leaves the state to those that are kept. */
  async function readAtOnce(
    { text, ...state }: { readonly text: string } & Pick<StateRead, "tokens" | "warnings" | "cacheTokens">,
    sequence: Sequence,
    withFeatures: boolean | undefined,
    beforeRun: BeforeRun,
  ): Promise<{ readonly logits: Float32Array; readonly features: Float32Array | undefined }> {
    const { logits, cache } = await runModel(beforeRun, () => reader.read(sequence));
    const read = stateRead({ ...state, cache });
    try {
      // The question's tokens follow the window's.
      const asked = { ...cache, first: state.cacheTokens, tokens: tokensIn(sequence, "question") };
      return { logits, features: withFeatures ? await featuresOf(read, asked) : undefined };
    } finally {
      states.add(text, read).leave();
    }
  }

  function askedOf(question: QuestionText, stateTokens: number, tokenize: Tokenize): Asked {
    const [instructions, options] = [tokenize(question.instructions), question.options.map(({ text }) => tokenize(text))];
    const asked: Asked = { question, options, batches: [], scoreOf: new Map(), features: undefined };
    for (const batch of toBatches(options, instructions, stateTokens, maxScores))
      asked.batches.push({ asked, options: batch, sequence: sequenceOf({ question: instructions, options: batch }, manifest.tokenizer) });
    return asked;
  }

  /** Reads what is asked. Small questions share runs; the first run of one whose features are wanted is its own. */
  async function scoreAll(state: StateRead, all: readonly Asked[], beforeRun: BeforeRun): Promise<void> {
    const shared: AskedBatch[] = [];
    for (const asked of all) {
      const [first, ...others] = asked.batches;
      if (asked.question.withFeatures && first !== undefined) {
        const { logits, features } = await scoreWithFeatures(state, first.sequence, beforeRun);
        asked.features = features;
        note(asked.scoreOf, first.options, logits);
        shared.push(...others);
      } else shared.push(...asked.batches);
    }
    const runs = reader.readsTogether ? toRuns(shared, state.cache.tokens, maxScores) : shared.map((batch) => [batch]);
    for (const run of runs) {
      const sequences = run.map(({ sequence }) => sequence);
      const logits = await runModel(beforeRun, () => reader.scoreAll(sequences, state.cache));
      let row = 0;
      for (const { asked, options } of run) {
        note(asked.scoreOf, options, logits, row);
        row += options.length;
      }
    }
  }

  function note(scoreOf: ScoreOf, options: AskedBatch["options"], logits: Float32Array, firstRow = 0): void {
    options.forEach((tokens, i) => scoreOf.set(String(tokens), entailmentAt(logits, firstRow + i, manifest.labels)));
  }

  async function scoreWithFeatures(
    state: StateRead,
    sequence: Sequence,
    beforeRun: BeforeRun,
  ): Promise<{ readonly logits: Float32Array; readonly features: Float32Array }> {
    const { logits, cache } = await runModel(beforeRun, () => reader.read(sequence, state.cache));
    try {
      // The question's tokens are the first.
      return { logits, features: await featuresOf(state, { ...cache, tokens: tokensIn(sequence, "question") }) };
    } finally {
      freeCache(cache);
    }
  }

  /** Both parts. That of the state is read once. @param asked the tokens of the question's instructions */
  async function featuresOf(state: StateRead, asked: CachedTokens): Promise<Float32Array> {
    state.features ??= await features.read([{ ...state.cache, tokens: state.cacheTokens }], STATE_PART);
    return Float32Array.of(...state.features, ...(await features.read([asked], QUESTION_PART)));
  }

  async function runModel<Read>(beforeRun: BeforeRun, run: () => Promise<Read>): Promise<Read> {
    await beforeRun();
    try {
      return await run();
    } catch (cause) {
      // It may have been for want of memory.
      states.forget();
      throw runtimeFailed(cause);
    }
  }
}

function stateRead(read: Pick<StateRead, "tokens" | "warnings" | "cache" | "cacheTokens">): StateRead {
  return {
    ...read,
    features: undefined,
    get bytes() {
      const sizes = [...this.cache.tensors.values()].map(({ dims }) => dims.reduce((product, size) => product * size, 1));
      return BYTES_PER_FLOAT * sizes.reduce((sum, size) => sum + size, 0);
    },
  };
}

function scoresOf(options: Asked["options"], scoreOf: ScoreOf): Float32Array {
  return Float32Array.from(options, (tokens) => present(scoreOf.get(String(tokens)), "score of an option"));
}
