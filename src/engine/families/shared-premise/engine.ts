import { abortable } from "../../../async/abortable.ts";
import { DecideError } from "../../../errors.ts";
import type { Issue, Location } from "../../../errors.ts";
import type { Batch, BatchScores, Engine, EngineInfo, TokenLimits, QuestionScores, QuestionText } from "../../engine.ts";
import type { Manifest } from "../../pack/manifest.ts";
import type { KvCache, SegmentReader, Segments, SegmentRole } from "./segments.ts";
import { remembering } from "./tokenize.ts";
import type { Tokenize } from "./tokenize.ts";
import { toWindows } from "./windows.ts";

/** Query rows times memory tokens of one run, at most: it bounds the attention scores (12 heads of float32) to about 25 MB. */
const MAX_SCORES = 2 ** 19;
/** Longer texts are refused before the tokenizer spends seconds on them: English has 4 to 5 characters a token. */
const maxCharacters = (limitTokens: number): number => Math.max(16 * limitTokens, 16_384);

interface TokenizedQuestion {
  readonly instructions: readonly number[];
  readonly options: readonly (readonly number[])[];
}

/** What an engine of this family is made of. */
export interface SharedPremiseParts {
  readonly info: EngineInfo;
  readonly manifest: Manifest;
  readonly reader: SegmentReader;
  readonly tokenize: Tokenize;
  readonly release: () => Promise<void>;
}

/**
 * The shared-premise family: the state is read once; each question reads the state; each option reads state and question. A question never
 * sees another, and the sizes of every run depend on the state and that question alone, so its answer does too, bit for bit.
 */
export class SharedPremiseEngine implements Engine {
  readonly info: EngineInfo;
  readonly #parts: SharedPremiseParts;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(parts: SharedPremiseParts) {
    this.info = parts.info;
    this.#parts = parts;
  }

  score(batch: Batch, signal?: AbortSignal): Promise<BatchScores> {
    if (this.#closing !== undefined) return Promise.reject(new DecideError("closed", "The engine is closed."));
    const turn = this.#last.then(() => this.#score(batch, signal));
    this.#last = turn.catch(() => undefined);
    // Aborted while it waits for its turn, a call ends at once.
    return abortable(turn, signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#last.then(() => this.#parts.release());
    return this.#closing;
  }

  async #score(batch: Batch, signal: AbortSignal | undefined): Promise<BatchScores> {
    signal?.throwIfAborted();
    const tokenize = remembering(this.#parts.tokenize);
    checkLengths(batch, this.info.limits, tokenize);
    const state = await this.#readState(tokenize(batch.state), signal);
    const questions: QuestionScores[] = [];
    try {
      for (const question of batch.questions) {
        signal?.throwIfAborted();
        const instructions = tokenize(question.instructions);
        const scores = await this.#scoreQuestion(
          state,
          { instructions, options: question.options.map(({ text }) => tokenize(text)) },
          signal,
        );
        const answerTokens = Uint32Array.from(question.options, ({ answer }) => (answer === null ? 1 : tokenize(answer).length));
        questions.push({ scores, answerTokens });
      }
    } finally {
      this.#parts.reader.forget(state);
    }
    return { questions, inputTokens: countInput(batch, tokenize) };
  }

  async #readState(tokens: readonly number[], signal: AbortSignal | undefined): Promise<KvCache> {
    const { windowTokens, overlapTokens } = this.info.limits;
    const windows = toWindows(tokens.length, windowTokens - 2, overlapTokens).map(({ start, length }) =>
      tokens.slice(start, start + length),
    );
    const runs: KvCache[] = [];
    try {
      // One window a run: as fast as many, and an abort waits for one window, not for all.
      for (const window of windows) {
        signal?.throwIfAborted();
        const { memory } = await this.#read(this.#segments("state", [window], 0));
        runs.push(memory);
      }
      return await this.#parts.reader.join(runs);
    } catch (error) {
      for (const memory of runs) this.#parts.reader.forget(memory);
      throw error;
    }
  }

  /** Entailment log-odds of the options, in the caller's order. */
  async #scoreQuestion(
    state: KvCache,
    { instructions, options }: TokenizedQuestion,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array> {
    const { nothing } = this.#parts.reader;
    const asked = instructions.length === 0 ? nothing : (await this.#read(this.#segments("question", [instructions], 0), state)).memory;
    const scoreOf = new Map<string, number>();
    try {
      for (const batch of inBatches(options, state.tokens + asked.tokens)) {
        signal?.throwIfAborted();
        const { logits } = await this.#read(this.#segments("option", batch, asked.tokens), state, asked);
        batch.forEach((tokens, row) => scoreOf.set(String(tokens), this.#entailment(logits, row)));
      }
    } finally {
      this.#parts.reader.forget(asked);
    }
    return Float32Array.from(options, (tokens) => scoreOf.get(String(tokens)) ?? NaN);
  }

  async #read(
    segments: Segments,
    state = this.#parts.reader.nothing,
    question = this.#parts.reader.nothing,
  ): ReturnType<SegmentReader["read"]> {
    try {
      return await this.#parts.reader.read(segments, state, question);
    } catch (cause) {
      throw new DecideError("backend_failed", "The runtime failed while it ran the model. The error's cause says what.", { cause });
    }
  }

  /** `[CLS] tokens [SEP]` a row, padded to the longest. */
  #segments(role: SegmentRole, texts: readonly (readonly number[])[], firstPosition: number): Segments {
    const { clsId, sepId, padId } = this.#parts.manifest.tokenizer;
    const length = 2 + Math.max(...texts.map((tokens) => tokens.length));
    const ids = new BigInt64Array(texts.length * length).fill(BigInt(padId));
    texts.forEach((tokens, row) => {
      ids.set([clsId, ...tokens, sepId].map(BigInt), row * length);
    });
    return { role, rows: texts.length, length, ids, firstPosition };
  }

  /** e - logsumexp(n, c): the log-odds that the text entails the option. */
  #entailment(logits: Float32Array, row: number): number {
    const { labels } = this.#parts.manifest;
    const logit = (label: (typeof labels)[number]): number => logits[row * labels.length + labels.indexOf(label)] ?? NaN;
    const [n, c] = [logit("neutral"), logit("contradiction")];
    const larger = Math.max(n, c);
    const score = logit("entailment") - (larger + Math.log(Math.exp(n - larger) + Math.exp(c - larger)));
    if (!Number.isFinite(score)) throw new DecideError("backend_failed", "The model gave a score that is no number.");
    return score;
  }
}

/**
 * Options in the batches in which they are read: each text once, in an order of their own (length, then token ids), so that the caller's
 * order changes nothing; and few enough rows a run for `memoryTokens`.
 */
function inBatches(options: TokenizedQuestion["options"], memoryTokens: number): (readonly number[])[][] {
  const distinct = [...new Map(options.map((tokens) => [String(tokens), tokens])).values()].sort(byLengthThenIds);
  const batches: (readonly number[])[][] = [];
  let batch: (readonly number[])[] = [];
  for (const tokens of distinct) {
    const queryRows = (batch.length + 1) * (tokens.length + 2);
    const firstLength = batch[0]?.length ?? tokens.length;
    // Much longer than the shortest of the batch: its padding would cost more than a run.
    const ragged = tokens.length > 2 * firstLength + 8;
    if (batch.length > 0 && (ragged || queryRows * (memoryTokens + tokens.length + 2) > MAX_SCORES)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(tokens);
  }
  return [...batches, batch];
}

function byLengthThenIds(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  const at = a.findIndex((id, i) => id !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function countInput({ state, questions }: Batch, tokenize: Tokenize): number {
  const count = (text: string): number => tokenize(text).length;
  const ofQuestion = ({ instructions, options }: QuestionText): number =>
    count(instructions) + options.reduce((sum, { sent }) => sum + sent.reduce((inner, text) => inner + count(text), 0), 0);
  return count(state) + questions.reduce((sum, question) => sum + ofQuestion(question), 0);
}

/** @throws {DecideError} `input_too_long` that names every part over its budget, the count and the limit. */
function checkLengths(batch: Batch, limits: TokenLimits, tokenize: Tokenize): void {
  const issues: Issue[] = [];
  const check = (text: string, limit: number, loc: readonly string[]): void => {
    const tooMany = text.length > maxCharacters(limit);
    const [count, allowed, unit] = tooMany ? [text.length, maxCharacters(limit), "characters"] : [tokenize(text).length, limit, "tokens"];
    if (count > allowed)
      issues.push({ loc: ["body", ...loc], msg: `has ${count} ${unit}, more than the model's limit of ${allowed}`, type: "too_long" });
  };
  check(batch.state, limits.stateTokens, ["state"]);
  for (const { id, instructions, options } of batch.questions) {
    check(instructions, limits.instructionsTokens, ["questions", id, "instructions"]);
    for (const { key, text } of options) check(text, limits.optionTokens, ["questions", id, "criteria", key]);
  }
  const { maxInputTokens = Infinity } = batch;
  if (issues.length === 0 && maxInputTokens < Infinity) {
    const count = countInput(batch, tokenize);
    const msg = `has ${count} input tokens, more than the limit of ${maxInputTokens} for one request`;
    if (count > maxInputTokens) issues.push({ loc: ["body"], msg, type: "too_long" });
  }
  const [first] = issues;
  if (first === undefined) return;
  const part = partAt(first.loc);
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more parts: see issues)` : "";
  throw new DecideError(
    "input_too_long",
    `The request is too long: ${part} ${first.msg}${more}. Shorten it; nothing is ever cut in silence.`,
    { issues },
  );
}

/** In the contract's own words: ids and keys are the caller's text. */
function partAt(loc: Location): string {
  if (loc.length === 1) return "all of it together";
  if (loc[1] === "state") return "state";
  return `${loc[3] === "instructions" ? "instructions" : "a criterion"} of a question`;
}
