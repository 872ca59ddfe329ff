import "../web-types.ts";
import type { Device, EngineInfo, KeptBytes, Precision, OnProgress } from "../engine/engine.ts";
import type {
  CheckedQuestions,
  DecideOptions,
  DecideRequest,
  DecideResponse,
  Question,
  Questions,
  State,
  JsonOf,
} from "../decide/types.ts";
import type { ExplainOptions, Explanation } from "../explain/explain.ts";
import type { ManyOptions, ManyRequest, ManyResult, ManyStatesOptions, Rows } from "../bulk/types.ts";
import type { CheckOptions, QuestionCheck } from "../check/check.ts";
import type { Example, ExampleReading, Lesson, LessonSummary, ReadExampleOptions, SavedLesson, TeachOptions } from "../lessons/lesson.ts";

export interface DeciderOptions {
  /**
   * The model that answers requests that name none: a catalogue id, `latest`, or the place of a pack. `latest` is the best model that is
   * installed: in a page `umpire-2`, on Node also `umpire-3-base`, once the package umpire-base is installed. On Node a place is a folder's path or a `file:`
   * URL; in a browser it is a URL, or a path on the page's origin. A path must contain a slash; a relative one is resolved at the decider's first use. Default: `latest`.
   */
  readonly model?: string | URL | undefined;
  /**
   * Further names that a request may give a model: the id that each stands for, or `latest`. So an app's own name for a hosted model keeps working; the answer
   * names the model that answered. Example: `{ "gpt-6-luna": "latest" }`. Default: none.
   */
  readonly aliases?: { readonly [name: string]: string } | undefined;
  /**
   * Where the model runs. Default: `auto`, the fastest device there is. On Node that is `cpu`, or the slower `wasm` where onnxruntime-node's native
   * binding does not load; in a browser `wasm`, or `webgpu` if a measurement finds it faster. A call whose GPU fails is answered by `wasm`.
   * `info().deviceReason` says why.
   */
  readonly device?: "auto" | Device | undefined;
  /**
   * The model's arithmetic: on processors `int8`, or `fp32`, the slower reference; on WebGPU `fp16`, if the adapter has it, or `fp32`. Default: the first
   * of these.
   */
  readonly precision?: Precision | undefined;
  /**
   * Threads inside one run of the model, 1 to 64. Default: half of the processors, but 2 to 4 if there are that many. Always 1 in a browser whose page
   * is not cross-origin isolated, and on Node on `wasm` with `inline`.
   */
  readonly threads?: number | undefined;
  /**
   * Workers that run the model, 1 to 64: so many calls are answered at the same time, each by one worker with `threads` threads. One call is not answered
   * sooner. Each worker holds the model in memory of its own. Always 1 with `inline` and on `webgpu`, where all calls share one GPU. Default: 1.
   */
  readonly workers?: number | undefined;
  /** Runs the model on the caller's own thread, which it blocks. Node only. Default: false, a worker thread. */
  readonly inline?: boolean | undefined;
  /** How many calls may wait or run at one time, 1 or more; one more is refused with `overloaded`. Default: 10,000. */
  readonly maxPending?: number | undefined;
  /**
   * Bytes of states that may stay read after their call: asking about one of them again costs only the questions. The states used last stay; a state that
   * alone takes more does not. Readings do not count. Each worker has so many of its own. 0 keeps none; it should be 0 where people share a decider who must
   * not learn of each other's texts by the time that answers take. Default: 32,000,000, about 1,300 tokens of the built-in model.
   */
  readonly cacheBytes?: number | undefined;
  /** Browser only. URL of the folder with the worker, runtime and models (`umpire/` of the package's `dist/`). Default: beside the script. */
  readonly assets?: string | URL | undefined;
  /**
   * Lessons that answer from the first call on, as after `learn`. Each is what `teach` gave, or its JSON parsed. They are learned when the model is first
   * needed; one that cannot be learned fails every call that needs it. Default: none.
   */
  readonly lessons?: readonly SavedLesson[] | undefined;
  /** Browser only. Called while model and runtime files load. An error that it throws becomes an uncaught error of the page. */
  readonly onProgress?: OnProgress | undefined;
  /** Stops the loading and closes the decider when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The model that answers, and where it runs. */
export interface DeciderInfo extends EngineInfo {
  /**
   * How many workers answer calls at the same time, each with `threads` threads, those included that still load. Less than the option `workers` if some
   * could not be loaded, for want of memory perhaps; 1 with `inline` and on `webgpu`.
   */
  readonly workers: number;
  /** Bytes of states that are kept read, at this moment. */
  readonly kept: KeptBytes;
}

export interface ReadOptions {
  /** The model that answers: a catalogue id, or `latest`. Default: the decider's model. */
  readonly model?: string | undefined;
  /** Ends the reading, whether it waits or runs: it rejects with `signal.reason`. Once the state is read, the signal has no effect. */
  readonly signal?: AbortSignal | undefined;
}

/** A state that is read and stays so until it is closed: a question about it costs only itself. */
export interface Reading extends AsyncDisposable {
  /** Tokens of the state. */
  readonly tokens: number;
  /** Bytes that the reading takes where the model runs; 0 for models that read the state together with each option (families `pair` and `gliclass`). */
  readonly bytes: number;
  /**
   * Answers every question from the state, as `decider.decide({ state, questions })` does: the same answers bit for bit, and the same usage. If the worker
   * died since, the state is read again.
   * @throws {DecideError} as `decide`; `closed` once the reading or its decider is closed.
   * @throws `signal.reason` once the signal is aborted. The reading goes on.
   */
  decide<const Q extends Questions>(questions: CheckedQuestions<Q>, options?: DecideOptions): Promise<DecideResponse<Q>>;
  /** Finishes the calls made so far, refuses later ones with `closed`, and frees the state. May be called more than once. */
  close(): Promise<void>;
}

/** A model that requests may name. */
export interface ModelSummary {
  readonly id: string;
  readonly description: string;
  /** Year, month and day: 2026-11-21. */
  readonly releaseDate: string;
  /** Whether it answers requests that name no model, or `latest`. */
  readonly isDefault: boolean;
  /** Names of the option `aliases` that stand for it; absent if there are none. */
  readonly aliases?: readonly string[];
}

export interface DeciderStats {
  /** Number of calls that wait or run. */
  readonly pendingCalls: number;
  /** How many calls for one model can run at this moment: the workers that have loaded, but at least 1. */
  readonly workers: number;
  /** Number of workers started so far: `workers` for each model, and one more for each worker that died. 0 with `inline`. */
  readonly workersStarted: number;
}

export interface Decider extends AsyncDisposable {
  /**
   * Answers every question of the request, from its state alone.
   * @throws {DecideError} `invalid_request`, `input_too_long`, `model_not_found`, `model_invalid`, `backend_unavailable`, `backend_failed`, `worker_lost`, `overloaded`, `closed`.
   * @throws `signal.reason` once the signal is aborted.
   */
  decide<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    options?: DecideOptions,
  ): Promise<DecideResponse<Q>>;
  /**
   * Answers any number of rows, as `decide` answers each alone: `for await (const { index, id, answers, error } of decider.decideMany(rows))`. Each row is a
   * request, with an `id` if you like; with `questions`, each row is a state. Rows are read as they are needed, and results wait until they are taken, so
   * memory does not grow with their number. A row that cannot be answered is a result with `error`. Leaving the loop ends what runs, and the reading.
   * @throws {DecideError} from the loop: `invalid_request` for the options, or if reading the rows threw (that error is its cause); what `decide` throws for
   * reasons that are not the row's, such as `closed`, or `worker_lost` if two workers died over one row. Results before it are given first.
   * @throws `signal.reason` once the signal is aborted.
   */
  decideMany<const Q extends Questions>(rows: Rows<State>, options: ManyStatesOptions<Q>): AsyncIterable<ManyResult<Q>>;
  decideMany<const Q extends Questions, S extends State = State>(
    rows: Rows<ManyRequest<Q, S>>,
    options?: ManyOptions,
  ): AsyncIterable<ManyResult<Q>>;
  /**
   * Reads a state once, for many questions: to be asked one after the other, or as they come up. It stays read until the reading is closed:
   * `await using reading = await decider.read(state)`. Readings do not count against `cacheBytes`, so whoever opens them bounds them.
   * @throws {DecideError} as `decide`.
   * @throws `signal.reason` once the signal is aborted. Nothing is kept then.
   */
  read<S extends State = State>(state: S & JsonOf<S>, options?: ReadOptions): Promise<Reading>;
  /**
   * Learns a question from examples, 8 to 100,000 of them: each a state and its right answer. What it learns is returned, and not yet used: see `learn`.
   * Examples are read with the default model as they come, a few at a time; none of their text is kept.
   * @throws {DecideError} as `decide`, and `invalid_request` for a question or an example that cannot be used. If reading `examples` throws, that is its cause.
   * @throws `signal.reason` once the signal is aborted.
   */
  teach<const Q extends Question>(
    question: Q,
    examples: Iterable<Example<Q>> | AsyncIterable<Example<Q>>,
    options?: TeachOptions,
  ): Promise<Lesson>;
  /**
   * Calibrates a question by examples, 30 to 100,000 of them with an answer: its answers stay the model's own, but its probabilities, `x_accuracy` and
   * `x_act` are fitted to them, with the model's as a prior where they are few. The bias of a noul (yes/no) may also turn answers near .5. What is returned, a
   * lesson of kind `calibration`, is not yet used: see `learn`. Options as those of `teach`.
   * @throws {DecideError} and `signal.reason`, as `teach`; `invalid_request` also for fewer than 30 answers, and if all answers or all texts are the same.
   */
  calibrate<const Q extends Question>(
    question: Q,
    examples: Iterable<Example<Q>> | AsyncIterable<Example<Q>>,
    options?: TeachOptions,
  ): Promise<Lesson>;
  /**
   * Reads a text about a question, as `teach` reads an example, with the default model. `teach` and `calibrate` take the result in place of the text:
   * `{ reading, answer }`. So answers may come later, one by one, and teaching again costs no reading.
   * @throws {DecideError} as `decide`.
   * @throws `signal.reason` once the signal is aborted.
   */
  readExample(question: Question, state: unknown, options?: ReadExampleOptions): Promise<ExampleReading>;
  /**
   * From now on the lesson answers every question with its type, instructions and criteria, in any order of options. A newer lesson for the same question
   * takes the place of an older one.
   * @throws {DecideError} `invalid_request` for a lesson that was changed or damaged, was learned with a model that is not here, or needs a newer version of
   * umpire; those of loading the model.
   */
  learn(lesson: SavedLesson): Promise<void>;
  /** Forgets a lesson. @param id the lesson's id @returns whether there was such a lesson. */
  forget(id: string): boolean;
  /** The lessons that answer, in the order in which they were learned. Those of the options are among them once the decider has loaded. */
  lessons(): readonly LessonSummary[];
  /**
   * Which sentences of the state made the answer: how much its log-odds change with each of them left out. It costs a reading of the state for each passage,
   * 32 at most by default.
   * @throws {DecideError} as `decide`.
   */
  explain<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    questionId: keyof Q & string,
    options?: ExplainOptions,
  ): Promise<Explanation>;
  /**
   * Warns of what makes a question's answers bad, with what to write instead. It needs no examples, takes about a dozen readings, and heeds no lesson.
   * @throws {DecideError} as `decide`.
   */
  check(question: Question, options?: CheckOptions): Promise<QuestionCheck>;
  /** Loads the default model if it is not loaded yet. Unlike `info()`, it asks a worker that is busy nothing. */
  load(): Promise<void>;
  /** Facts about the default model, its limits, where it runs, and what is kept. Loads the model if it is not loaded yet. */
  info(): Promise<DeciderInfo>;
  /** The models that requests may name, newest first. */
  models(): Promise<readonly ModelSummary[]>;
  /** Counts, for monitoring. */
  stats(): DeciderStats;
  /**
   * Keeps the calls made so far waiting between two runs of the model, so that calls made from now on are answered first. For those who decide whose turn it is,
   * such as `umpire/http`. Resolves once no run is under way, also one of a call that was aborted. Pauses may be nested; a decider without this method
   * cannot be paused.
   * @returns what ends the pause. Call it once, and end the last pause first.
   */
  pause?(): Promise<() => void>;
  /** Finishes the calls made so far, refuses later ones with `closed`, and frees threads and memory. May be called more than once. */
  close(): Promise<void>;
}

/** A decider that loads its model when it is first used, or at once when it is awaited. */
export interface LazyDecider extends Decider, PromiseLike<Decider> {}
