/** The engine's interface: strings in, scores and token counts out. Tokenizer, session and tensors are behind it, usually in a worker. */

/** One option as the model reads it. */
export interface OptionText {
  /** As the model reads it. */
  readonly text: string;
  /** The parts of it that the caller sent. Their tokens are counted. */
  readonly sent: readonly string[];
  /** The output text if this option is chosen; null counts as one token. */
  readonly answer: string | null;
}

/** The types of questions. What a model reads may differ between them. */
export type QuestionType = "choice" | "noul" | "score";

export interface QuestionText {
  readonly type: QuestionType;
  /** "" for none. */
  readonly instructions: string;
  readonly options: readonly OptionText[];
  /** Whether the question's features are wanted, too. Default: false. */
  readonly withFeatures?: boolean;
}

/** The input of an engine. It holds no ids and no keys of the caller's: an engine knows questions and options by their index. */
export interface Batch {
  readonly state: string;
  readonly questions: readonly QuestionText[];
  /** How many input tokens the whole batch may have. Default: no limit beyond those of its parts. */
  readonly maxInputTokens?: number | undefined;
  /** At each run of the model, the call with the highest priority goes on. It is the number of pauses that the call was made in. Default: 0. */
  readonly priority?: number;
}

export interface QuestionScores {
  /** float32 [options]: entailment log-odds (natural logarithm, finite), in the order of the options. */
  readonly scores: Float32Array;
  /** uint32 [options]: tokens of each option's answer. */
  readonly answerTokens: Uint32Array;
  /** float32 [EngineInfo.features]: what the model noticed in the state, for lessons to learn from. Present if it was wanted and the family has features. */
  readonly features?: Float32Array;
}

/**
 * A warning about a state. `unread_text`: a large part of it is of letters or words that the model's vocabulary does not know, such as another language or
 * codes. `empty_state`: there is nothing in it to read.
 */
export type StateWarning = "unread_text" | "empty_state";

export interface BatchScores {
  readonly questions: readonly QuestionScores[];
  /** About the state; usually none. */
  readonly warnings: readonly StateWarning[];
  /** Tokens of the state, all instructions and all criteria that the caller sent, each once. */
  readonly inputTokens: number;
  /** Those of the state, if it needed no reading. Default: 0. */
  readonly cachedTokens?: number;
}

/** Scores are divided by temperatures: 1 changes nothing, a higher one makes answers less confident. */
export interface Calibration {
  /** Present if nobody has fitted it: temperatures are 1, and `accuracy` and `risk` are absent. */
  readonly uncalibrated?: true;
  /** By number of options, in ascending order. The first entry whose `maxOptions` is large enough applies. */
  readonly choice: readonly { readonly maxOptions: number; readonly temperature: number }[];
  /** P(yes) = sigmoid((yes - no) / temperature + bias). */
  readonly noul: { readonly temperature: number; readonly bias: number };
  readonly score: { readonly temperature: number };
  /** How often answers were right, on questions held out of training: what `x_accuracy` in an answer is read off. Absent in packs, and for types, that do not state it. */
  readonly accuracy?: { readonly [T in "choice" | "noul" | "score"]?: readonly AccuracyCurve[] };
  /**
   * From which probability on answers can be acted on: what `x_act` is decided by where no lesson answers. Fitted over questions that were held out of training.
   * Absent in packs, and for types and answers, that can promise nothing.
   */
  readonly thresholds?: {
    readonly choice?: readonly ActThresholds[];
    readonly noul?: { readonly yes?: readonly ActThreshold[]; readonly no?: readonly ActThreshold[] };
    readonly score?: readonly ActThresholds[];
  };
}

/**
 * In 90 of 100 questions, at most the share `maxErrorRate` of the answers is wrong whose likeliest option has this probability or more. Both are above 0 and
 * below 1. A list ascends by `maxErrorRate`, and its probabilities never ascend.
 */
export interface ActThreshold {
  readonly maxErrorRate: number;
  readonly probability: number;
}

/** Thresholds of questions with up to `maxOptions` options. Lists ascend by it, and the first that is large enough applies. */
export interface ActThresholds {
  readonly maxOptions: number;
  readonly byRate: readonly ActThreshold[];
}

/**
 * The curve for questions with up to `maxOptions` options (of a score: levels; of a noul: two). Curves ascend by it, and the first that is large enough applies.
 * Of answers whose likeliest option has probability p, at most 0.99, the share that was right is sigmoid(slope ln(p / (1 - p)) + bias). The slope is above 0.
 */
export interface AccuracyCurve {
  readonly maxOptions: number;
  readonly slope: number;
  readonly bias: number;
}

/** Limits in tokens. Special tokens do not count, except in `windowTokens`, which includes two of them. */
export interface TokenLimits {
  readonly stateTokens: number;
  readonly windowTokens: number;
  readonly overlapTokens: number;
  readonly instructionsTokens: number;
  readonly optionTokens: number;
}

/** The model's arithmetic. `int8` is fastest on processors, `fp16` on GPUs; `fp32` is the reference on both. */
export type Precision = "int8" | "fp16" | "fp32";

/** Where a model runs. What an engine must know about each is in devices.ts. */
export type Device = "cpu" | "wasm" | "webgpu";

/** How the caller wants the engine to run. The loading side decides what is left open. */
export interface EngineOptions {
  readonly device: Device | "auto";
  /** Reason for the device, if the caller did not choose it. */
  readonly deviceReason?: string;
  /** Default: the device's first. */
  readonly precision?: Precision | undefined;
  readonly threads: number;
  /** Bytes of states that may stay read after their call has ended; 0 keeps none. Default: 0. */
  readonly cacheBytes?: number | undefined;
}

/** Downloads made to load the model. */
export interface Download {
  /** Bytes of model and runtime that came over the network. */
  readonly fetchedBytes: number;
  /** Bytes that were in the cache from an earlier visit. */
  readonly cachedBytes: number;
  /** Why nothing is kept for the next visit; absent if it is. */
  readonly cacheFailure?: string;
}

/** Where a model that was added came from. */
export interface ModelOrigin {
  /** A folder's name, or `org/name` of a model hub. */
  readonly name: string;
  /** The hub's commit, 40 lower-case hexadecimal digits. */
  readonly revision?: string;
}

/** Facts about a loaded model and where it runs. */
export interface EngineInfo {
  readonly model: string;
  readonly description: string;
  readonly releaseDate: string;
  readonly licence: string;
  readonly family: string;
  /** Where the model came from, if it was added to those of the package. */
  readonly source?: ModelOrigin;
  /** SHA-256 of the pack's manifest, 64 lower-case hexadecimal digits: it stands for every byte of the pack. */
  readonly seal: string;
  /** How many features a question has, for lessons to learn from; 0 if the model's family has none. */
  readonly features: number;
  readonly limits: TokenLimits;
  readonly calibration: Calibration;
  readonly device: Device;
  /** Why that device, in words. */
  readonly deviceReason: string;
  readonly precision: Precision;
  /** Which of the pack's graphs runs. An int8 model has one for processors whose fast product is exact, and one for all others. */
  readonly graph: string;
  readonly threads: number;
  /** Absent if files are read from a disk. */
  readonly download?: Download;
}

/** A state to be kept read. It waits for its turn as a batch does. */
export type StateToPin = Pick<Batch, "state" | "priority">;

/** A state that stays read until it is released: batches with the same state, letter by letter, need not read it again. */
export interface Pin {
  /** Tokens of the state. */
  readonly tokens: number;
  /** Size of the kept reading; 0 for families that read the state together with each option, and so keep nothing. */
  readonly bytes: number;
  /** The engine may free it now, unless it is pinned once more. May be called more than once, and also when the engine is closed or gone. */
  release(): Promise<void>;
}

/** Bytes of the states that an engine keeps read. */
export interface KeptBytes {
  /** Of states that are pinned. They do not count against the limit. */
  readonly heldBytes: number;
  /** Of states that were read for a call which has ended. What was read in one run with a state counts, too, until the state is asked again. */
  readonly cachedBytes: number;
  /** The limit of `cachedBytes`; 0 keeps nothing after a call. */
  readonly cacheBytes: number;
}

export interface Engine {
  readonly info: EngineInfo;
  /**
   * Scores every option of every question. Calls of one priority are answered one after the other, in order.
   * @throws {DecideError} `input_too_long`, whose issues are at paths in the batch, such as `["questions", 0, "options", 2]`; `backend_failed`,
   *   `closed`; from a worker also `worker_lost`.
   * @throws `signal.reason` once `signal` is aborted, queued or running.
   */
  score(batch: Batch, signal?: AbortSignal): Promise<BatchScores>;
  /**
   * Reads a state, or finds it read, and keeps it until it is released: as often as it was pinned. Scores are the same bit for bit, pinned or not.
   * @throws {DecideError} `input_too_long`, whose issue is at `["state"]`; else as `score`.
   * @throws `signal.reason` once `signal` is aborted, queued or running. Nothing is kept then.
   */
  pin(state: StateToPin, signal?: AbortSignal): Promise<Pin>;
  /** Bytes that are kept at the moment. It does not wait for its turn. @throws {DecideError} from a worker `worker_lost`. */
  kept(): Promise<KeptBytes>;
  /**
   * Keeps calls of a lower priority waiting between two runs of the model. Resolves once no run is under way, also one of a call that was aborted. Pauses may
   * be nested, each one of a higher priority than the one before; the last ends first.
   * @returns what ends the pause.
   * @throws {DecideError} from a worker `worker_lost`.
   */
  pause(priority: number): Promise<() => void>;
  /** Finishes the calls made so far, refuses later ones, and frees everything. May be called more than once. */
  close(): Promise<void>;
}

/** Called often while a file loads. Bytes are those of the file itself, even if the server compresses it. */
export type OnProgress = (progress: Progress) => void;

export interface Progress {
  /** The file's name. */
  readonly file: string;
  /** Bytes that are there, 0 to `totalBytes`, including those kept from an earlier visit or a broken download. */
  readonly loadedBytes: number;
  readonly totalBytes: number;
  /**
   * All files together. `percent` is a whole number, 0 to 100, rounded down: 0 until the manifest has come, which says what is needed. It falls where a file
   * proves damaged and comes anew, and where `auto` tries a second device, which needs more files.
   */
  readonly overall: { readonly percent: number; readonly loadedBytes: number; readonly totalBytes: number };
}
