/** The thread line: strings in, scores and token counts out. Everything beyond it (tokenizer, session, tensors) may live in a worker. */

/** One option as the model reads it. */
export interface OptionText {
  /** The caller's key, for messages. */
  readonly key: string;
  /** What is read. */
  readonly text: string;
  /** The caller's own texts in it, whose tokens are counted. */
  readonly sent: readonly string[];
  /** The text committed to when this option is chosen; null counts as one token. */
  readonly answer: string | null;
}

export interface QuestionText {
  /** The caller's id, for messages: the model never reads it. */
  readonly id: string;
  /** "" for none. */
  readonly instructions: string;
  readonly options: readonly OptionText[];
}

export interface Batch {
  readonly state: string;
  readonly questions: readonly QuestionText[];
  /** Input tokens that the whole batch may have. Default: as many as its parts may have together. */
  readonly maxInputTokens?: number | undefined;
}

export interface QuestionScores {
  /** Entailment log-odds by option, in the batch's order: natural logarithm, any finite number. */
  readonly scores: Float32Array;
  /** Tokens of each option's answer. */
  readonly answerTokens: Uint32Array;
}

export interface BatchScores {
  readonly questions: readonly QuestionScores[];
  /** Tokens of the state, all instructions and all criteria that the caller sent, each once. */
  readonly inputTokens: number;
}

/** Temperatures divide scores; 1 changes nothing, more means less confident. */
export interface Calibration {
  /** By number of options, ascending; the first whose `maxOptions` is large enough applies. */
  readonly choice: readonly { readonly maxOptions: number; readonly temperature: number }[];
  /** P(yes) = sigmoid((yes - no) / temperature + bias). */
  readonly noul: { readonly temperature: number; readonly bias: number };
  readonly score: { readonly temperature: number };
  /** How often answers were right at which confidence, on questions held out of training; absent in packs that state none. */
  readonly accuracyByConfidence?: { readonly [T in "choice" | "noul" | "score"]: readonly AccuracyPoint[] };
}

/**
 * Of answers with about this confidence (0..1; of a noul, which states none, the larger of its probability and one minus it), the share that was right
 * (0..1). Points ascend in both; what lies between two is read off a straight line.
 */
export interface AccuracyPoint {
  readonly confidence: number;
  readonly accuracy: number;
}

/** Budgets in tokens, without the special tokens, except for a window, which holds two of them. */
export interface TokenLimits {
  readonly stateTokens: number;
  readonly windowTokens: number;
  readonly overlapTokens: number;
  readonly instructionsTokens: number;
  readonly optionTokens: number;
}

/** Arithmetic of the model. `int8` is what processors run fastest, `fp16` what GPUs do, `fp32` the reference on both. */
export type Precision = "int8" | "fp16" | "fp32";

/** Where a model runs. */
export type Device = "cpu" | "wasm" | "webgpu";

/** What a caller wants of an engine. Its side of the thread line settles what is left open. */
export interface EngineOptions {
  readonly device: Device | "auto";
  /** Why that device, where it is not the caller's wish. */
  readonly deviceReason?: string;
  /** Default: what the device is for. */
  readonly precision?: Precision | undefined;
  readonly threads: number;
}

/** What loading a model took, where its files are fetched. */
export interface Download {
  /** Bytes of model and runtime that came over the network, and those that the cache had kept from before. */
  readonly fetchedBytes: number;
  readonly cachedBytes: number;
  /** Why nothing was kept for the next visit; absent where it was. */
  readonly cacheFailure?: string;
}

/** What answers: the facts of a loaded model and of where it runs. */
export interface EngineInfo {
  readonly model: string;
  readonly description: string;
  readonly releaseDate: string;
  readonly licence: string;
  readonly family: string;
  readonly limits: TokenLimits;
  readonly calibration: Calibration;
  readonly device: Device;
  /** Why that device, in words. */
  readonly deviceReason: string;
  readonly precision: Precision;
  /** The pack's graph that runs, one of the manifest's `graphs`: an int8 model has one for processors whose fast product is exact, and one for all others. */
  readonly graph: string;
  readonly threads: number;
  /** Absent where files are read rather than fetched. */
  readonly download?: Download;
}

export interface Engine {
  readonly info: EngineInfo;
  /**
   * Scores every option of every question. Calls are answered one after the other, in order.
   * @throws {DecideError} `input_too_long`, `backend_failed`, `closed`; from a worker also `worker_lost`.
   * @throws `signal.reason` once `signal` is aborted, queued or running.
   */
  score(batch: Batch, signal?: AbortSignal): Promise<BatchScores>;
  /** Finishes what was asked before, refuses what is asked after, frees everything. May be called more than once. */
  close(): Promise<void>;
}
