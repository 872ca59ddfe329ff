import { withAnySignal } from "../async/any-signal.ts";
import { whenAborted } from "../async/when-aborted.ts";
import { decide, readQuestion } from "../decide/decide.ts";
import type { FindScorer, QuestionReading, Scorer } from "../decide/decide.ts";
import type { ParsedRequest } from "../decide/request.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Question, Questions, State } from "../decide/types.ts";
import type { CheckOptions, QuestionCheck } from "../check/index.ts";
import type { Explanation, ExplainOptions } from "../explain/index.ts";
import type { LearnedLessons } from "../lessons/index.ts";
import type { Example, Lesson, LessonSummary, SavedLesson, TeachOptions } from "../lessons/lesson.ts";
import type { EngineInfo } from "../engine/engine.ts";
import { DecideError, asDecideError } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import { Calls } from "./calls.ts";
import { Catalogue } from "./catalogue.ts";
import type { Decider, DeciderInfo, DeciderOptions, DeciderStats, ModelSummary } from "./decider.ts";
import { EngineSlot } from "./engine-slot.ts";
import { loadCheck, loadExplain, loadLessons } from "./on-demand.ts";
import { devicesOf, readDecideOptions, readDeciderOptions } from "./options.ts";
import type { DeciderSettings } from "./options.ts";

/** The decider of every platform. Its engines, one for each model, are made when they are first needed. */
export class PlatformDecider implements Decider {
  readonly #platform: Platform;
  readonly #settings: DeciderSettings;
  readonly #catalogue: Catalogue;
  readonly #calls: Calls;
  /** By the URL of the pack. */
  readonly #slots = new Map<string, EngineSlot>();
  /** Once there is a lesson. */
  #learned: LearnedLessons | undefined;
  /** The lessons of the options, being learned. */
  #learning: Promise<void> | undefined;
  #pauses = 0;
  #stopListening = (): void => undefined;
  #closing: Promise<void> | undefined;

  constructor(platform: Platform, options: DeciderOptions) {
    this.#platform = platform;
    this.#settings = readDeciderOptions(options, platform);
    this.#catalogue = new Catalogue(platform, this.#settings.model, () => this.#calls.track(this.#ownInfo()));
    this.#calls = new Calls(this.#settings.maxPending);
    const { signal } = this.#settings;
    if (signal !== undefined) this.#stopListening = whenAborted(signal, () => void this.close().catch(() => undefined));
  }

  async decide<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    options: DecideOptions = {},
  ): Promise<DecideResponse<Q>> {
    const read = readDecideOptions(options, request);
    read.signal?.throwIfAborted();
    this.#refuseIfClosed();
    const depth = this.#pauses;
    const find = (model: string | undefined): Promise<Scorer> => {
      // An invalid request is refused for what is wrong with it, however many calls wait.
      this.#calls.refuseIfFull();
      return this.#scorerOf(model, depth);
    };
    return (await this.#calls.track(this.#decide(request, read, find))) as DecideResponse<Q>;
  }

  async teach<const Q extends Question>(
    question: Q,
    examples: Iterable<Example<Q>> | AsyncIterable<Example<Q>>,
    options: TeachOptions = {},
  ): Promise<Lesson> {
    return this.#onDemand(loadLessons, ({ teach }, find) => {
      const read = (asked: ParsedRequest, signal?: AbortSignal): Promise<QuestionReading> =>
        this.#untilEnded(signal, (ended) => readQuestion(asked, find, ended));
      return teach(question, examples, { read }, options);
    });
  }

  async learn(lesson: SavedLesson): Promise<void> {
    this.#refuseIfClosed();
    await this.#calls.track(withKnownErrors(this.#learn(lesson), this.#settings.signal));
  }

  forget(id: string): boolean {
    return this.#learned?.forget(id) ?? false;
  }

  lessons(): readonly LessonSummary[] {
    return this.#learned?.list() ?? [];
  }

  async explain<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    questionId: keyof Q & string,
    options: ExplainOptions = {},
  ): Promise<Explanation> {
    return this.#onDemand(loadExplain, ({ explain }, find) =>
      explain((asked, call = {}) => this.#decide(asked, call, find), request, questionId, options),
    );
  }

  async check(question: Question, options: CheckOptions = {}): Promise<QuestionCheck> {
    return this.#onDemand(loadCheck, ({ check }, find) => check((asked, call = {}) => this.#decide(asked, call, find), question, options));
  }

  async info(): Promise<DeciderInfo> {
    this.#refuseIfClosed();
    return this.#calls.track(withKnownErrors(this.#ownInfo(), this.#settings.signal));
  }

  async models(): Promise<readonly ModelSummary[]> {
    this.#refuseIfClosed();
    return withKnownErrors(this.#catalogue.models(), this.#settings.signal);
  }

  stats(): DeciderStats {
    const workersStarted = [...this.#slots.values()].reduce((sum, slot) => sum + slot.workersStarted, 0);
    return { pendingCalls: this.#calls.pending, workersStarted };
  }

  async pause(): Promise<() => void> {
    const depth = ++this.#pauses;
    const ends = await Promise.all([...this.#slots.values()].map((slot) => slot.pause(depth)));
    return () => {
      this.#pauses--;
      for (const end of ends) end?.();
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#stopListening();
    await this.#calls.settled();
    await Promise.all([...this.#slots.values()].map((slot) => slot.close()));
  }

  #decide(request: unknown, { signal, ...options }: DecideOptions, find: FindScorer): Promise<DecideResponse> {
    return this.#untilEnded(signal, (ended) => decide(request, find, { ...options, signal: ended }));
  }

  /** A call that its own signal may end, or the decider's. */
  #untilEnded<T>(signal: AbortSignal | undefined, call: (ended: AbortSignal | undefined) => Promise<T>): Promise<T> {
    return withAnySignal([signal, this.#settings.signal], (ended) => withKnownErrors(call(ended), ended));
  }

  /** A call of what is loaded when it is first used. It counts as one call, however often it asks the model. */
  #onDemand<M, T>(load: () => Promise<M>, call: (module: M, find: FindScorer) => Promise<T>): Promise<T> {
    this.#refuseIfClosed();
    this.#calls.refuseIfFull();
    const depth = this.#pauses;
    return this.#calls.track(load().then((module) => call(module, (model) => this.#scorerOf(model, depth))));
  }

  async #learn(lesson: unknown): Promise<void> {
    const { LearnedLessons } = await loadLessons();
    this.#learned ??= new LearnedLessons(async (id) => {
      const packUrl = await this.#catalogue.packUrlOf(id);
      const { seal } = await this.#slotAt(packUrl).info(this.#settings.signal);
      return { packUrl, seal };
    });
    await this.#learned.learn(lesson);
  }

  /** Learns the lessons of the options, once. What failed is tried again by the next call. */
  #learnOwn(): Promise<void> {
    this.#learning ??= this.#settings.lessons
      .reduce<Promise<void>>((earlier, lesson) => earlier.then(() => this.#learn(lesson)), Promise.resolve())
      .catch((error: unknown) => {
        this.#learning = undefined;
        throw error;
      });
    return this.#learning;
  }

  #refuseIfClosed(): void {
    this.#settings.signal?.throwIfAborted();
    if (this.#closing !== undefined) throw new DecideError("closed", "This decider is closed. Make a new one with createDecider().");
  }

  async #scorerOf(model: string | undefined, depth: number): Promise<Scorer> {
    const packUrl = await this.#packUrlOf(model);
    if (this.#settings.lessons.length > 0) await this.#learnOwn();
    return {
      score: (batch, signal) => this.#slotAt(packUrl).score({ ...batch, depth }, signal),
      taught: (question) => this.#learned?.of(packUrl, question),
    };
  }

  async #ownInfo(): Promise<EngineInfo> {
    const packUrl = await this.#packUrlOf(undefined);
    if (this.#settings.lessons.length > 0) await this.#learnOwn();
    return this.#slotAt(packUrl).info(this.#settings.signal);
  }

  /** @throws {DecideError} `backend_unavailable` for a device that is not there, `model_not_found`. */
  async #packUrlOf(model: string | undefined): Promise<string> {
    const { device } = this.#settings;
    if (device !== "auto" && !this.#platform.devices.includes(device))
      throw new DecideError("backend_unavailable", `device must be ${devicesOf(this.#platform)}, but is "${device}".`);
    return this.#catalogue.packUrlOf(model);
  }

  #slotAt(packUrl: string): EngineSlot {
    const slot = this.#slots.get(packUrl) ?? new EngineSlot(this.#platform, packUrl, this.#settings);
    this.#slots.set(packUrl, slot);
    return slot;
  }
}

/** @throws the signal's reason, if that is why the call failed; any other failure as a DecideError. */
async function withKnownErrors<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (signal?.aborted && error === signal.reason) throw error;
    throw asDecideError(error);
  }
}
