import { withAnySignal, whenAborted } from "../async/signals.ts";
import { decide, readQuestion } from "../decide/decide.ts";
import type { FindScorer, QuestionReading, Scorer } from "../decide/decide.ts";
import { parseState } from "../decide/request.ts";
import type { ParsedRequest } from "../decide/request.ts";
import type { JsonOf, DecideOptions, DecideRequest, DecideResponse, Question, Questions, State } from "../decide/types.ts";
import { inRequest } from "../decide/issue-path.ts";
import type { ManyOptions, ManyRequest, ManyResult, ManyStatesOptions, Rows } from "../bulk/types.ts";
import type { CheckOptions, QuestionCheck } from "../check/check.ts";
import type { Explanation, ExplainOptions } from "../explain/explain.ts";
import type { Example, Lesson, LessonSummary, SavedLesson, TeachOptions } from "../lessons/lesson.ts";
import { LessonStore } from "../lessons/lesson-store.ts";
import type { FoundModel } from "../lessons/read-lesson.ts";
import type { EngineInfo } from "../engine/engine.ts";
import { DecideError, asDecideError } from "../../errors.ts";
import type { Platform } from "../platform/platform.ts";
import { Calls } from "./calls.ts";
import { Catalogue } from "./catalogue.ts";
import type { Decider, DeciderInfo, DeciderOptions, DeciderStats, ModelSummary, Reading, ReadOptions } from "./decider.ts";
import { EngineSlot } from "./engine-slot.ts";
import type { ModelSlot } from "./slot-pool.ts";
import { loadBulk, loadCheck, loadExplain, loadLessons, loadPool } from "./on-demand.ts";
import { devicesOf, readDecideOptions, readDeciderOptions, readReadOptions } from "./options.ts";
import type { DeciderSettings } from "./options.ts";
import { HeldReading } from "./reading.ts";
import { AN_ABORT_SIGNAL } from "../validation/rules.ts";
import { isPlainObject } from "../validation/shape.ts";

/** The decider of every platform. Its engines, one for each model, are made when they are first needed. */
export class PlatformDecider implements Decider {
  readonly #platform: Platform;
  readonly #settings: DeciderSettings;
  readonly #catalogue: Catalogue;
  readonly #calls: Calls;
  /** By the URL of the pack. */
  readonly #slots = new Map<string, ModelSlot>();
  readonly #lessons: LessonStore;
  #pauses = 0;
  #stopListening = (): void => undefined;
  #closing: Promise<void> | undefined;

  constructor(platform: Platform, options: DeciderOptions) {
    this.#platform = platform;
    this.#settings = readDeciderOptions(options, platform);
    this.#catalogue = new Catalogue(platform, this.#settings.model, () => this.#calls.track(this.#ownInfo()));
    this.#calls = new Calls(this.#settings.maxPending);
    this.#lessons = new LessonStore(this.#settings.lessons, async (lesson) => {
      const { loadLesson } = await loadLessons();
      return loadLesson(lesson, (id) => this.#modelCalled(id));
    });
    const { signal } = this.#settings;
    if (signal !== undefined) this.#stopListening = whenAborted(signal, () => void this.close().catch(() => undefined));
  }

  async decide<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    options: DecideOptions = {},
  ): Promise<DecideResponse<Q>> {
    return (await this.#decide(request, options, (model, ended) => this.#scorerOf(model, ended))) as DecideResponse<Q>;
  }

  decideMany<const Q extends Questions>(rows: Rows<State>, options: ManyStatesOptions<Q>): AsyncIterable<ManyResult<Q>>;
  decideMany<const Q extends Questions, S extends State = State>(
    rows: Rows<ManyRequest<Q, S>>,
    options?: ManyOptions,
  ): AsyncIterable<ManyResult<Q>>;
  async *decideMany(rows: unknown, options: ManyOptions = {}): AsyncGenerator<ManyResult<never>> {
    this.#refuseIfClosed();
    const { decideMany } = await loadBulk();
    yield* decideMany(this, rows, options, this.#settings.workers) as AsyncGenerator<ManyResult<never>>;
  }

  async read<S extends State = State>(state: S & JsonOf<S>, options: ReadOptions = {}): Promise<Reading> {
    const { model, signal } = readReadOptions(options);
    signal?.throwIfAborted();
    this.#refuseIfClosed();
    const text = parseState(state);
    this.#calls.refuseIfFull();
    const depth = this.#pauses;
    const reading = this.#untilEnded(signal, async (ended) => {
      const packUrl = await this.#packUrlOf(model);
      const slot = await this.#slotAt(packUrl);
      const held = await slot.hold({ state: text, depth }, ended).catch((error: unknown) => {
        throw inRequest(error, { questions: [] });
      });
      return new HeldReading(held, slot, (questions, call, score) =>
        this.#decide({ state: text, questions }, call, async (_, signalOfCall) => ({
          ...(await this.#scorerAt(packUrl, signalOfCall)),
          score,
        })),
      );
    });
    return this.#calls.track(reading);
  }

  async teach<const Q extends Question>(
    question: Q,
    examples: Iterable<Example<Q>> | AsyncIterable<Example<Q>>,
    options: TeachOptions = {},
  ): Promise<Lesson> {
    return this.#onDemand(loadLessons, options, ({ teach }, find, ended) => {
      const read = (asked: ParsedRequest, signal?: AbortSignal): Promise<QuestionReading> => readQuestion(asked, find, signal);
      return teach(question, examples, { read }, ended);
    });
  }

  async learn(lesson: SavedLesson): Promise<void> {
    this.#refuseIfClosed();
    await this.#calls.track(withKnownErrors(this.#lessons.learn(lesson), this.#settings.signal));
  }

  forget(id: string): boolean {
    return this.#lessons.forget(id);
  }

  lessons(): readonly LessonSummary[] {
    return this.#lessons.list();
  }

  async explain<const Q extends Questions, S extends State = State>(
    request: DecideRequest<Q, S>,
    questionId: keyof Q & string,
    options: ExplainOptions = {},
  ): Promise<Explanation> {
    return this.#onDemand(loadExplain, options, ({ explain }, find, ended) =>
      explain((asked, call = {}) => decide(asked, find, call), request, questionId, ended),
    );
  }

  async check(question: Question, options: CheckOptions = {}): Promise<QuestionCheck> {
    return this.#onDemand(loadCheck, options, ({ check }, find, ended) => {
      // What a lesson makes up for is still wrong with the question.
      const untaught: FindScorer = async (model, signal) => ({ ...(await find(model, signal)), appliedLesson: () => undefined });
      return check((asked, call = {}) => decide(asked, untaught, call), question, ended);
    });
  }

  async load(): Promise<void> {
    await this.#whenLoaded(() => undefined);
  }

  info(): Promise<DeciderInfo> {
    return this.#whenLoaded(async (info, slot) => ({ ...info, workers: slot.workers, kept: await slot.kept(this.#settings.signal) }));
  }

  async models(): Promise<readonly ModelSummary[]> {
    this.#refuseIfClosed();
    return withKnownErrors(this.#catalogue.models(), this.#settings.signal);
  }

  stats(): DeciderStats {
    const workersStarted = [...this.#slots.values()].reduce((sum, slot) => sum + slot.workersStarted, 0);
    const workers = Math.max(1, ...[...this.#slots.values()].map(({ readyWorkers }) => readyWorkers));
    return { pendingCalls: this.#calls.pending, workers, workersStarted };
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

  /** @param find the scorer of a model, whose calls need no depth */
  async #decide(request: unknown, options: DecideOptions = {}, find: FindScorer): Promise<DecideResponse> {
    const { signal, ...others } = readDecideOptions(options, request);
    signal?.throwIfAborted();
    this.#refuseIfClosed();
    const depth = this.#pauses;
    const findNow: FindScorer = (model, ended) => {
      // An invalid request is refused for what is wrong with it, however many calls wait.
      this.#calls.refuseIfFull();
      return atDepth(depth, find(model, ended));
    };
    return this.#calls.track(this.#untilEnded(signal, (ended) => decide(request, findNow, { ...others, signal: ended })));
  }

  async #close(): Promise<void> {
    this.#stopListening();
    await this.#calls.settled();
    await Promise.all([...this.#slots.values()].map((slot) => slot.close()));
  }

  /** A call that its own signal may end, or the decider's. */
  #untilEnded<T>(signal: AbortSignal | undefined, call: (ended: AbortSignal | undefined) => Promise<T>): Promise<T> {
    return withAnySignal([signal, this.#settings.signal], (ended) => withKnownErrors(call(ended), ended));
  }

  /**
   * A call of what is loaded when it is first used. It counts as one call, however often it asks the model.
   * @param call is given the options with a signal that the decider's own aborts, too. It checks them.
   */
  #onDemand<M, O extends { readonly signal?: AbortSignal | undefined }, T>(
    load: () => Promise<M>,
    options: O,
    call: (module: M, find: FindScorer, options: O) => Promise<T>,
  ): Promise<T> {
    this.#refuseIfClosed();
    this.#calls.refuseIfFull();
    const depth = this.#pauses;
    const find: FindScorer = (model, signal) => atDepth(depth, this.#scorerOf(model, signal));
    // What is no signal is refused by the call.
    const isUsable = isPlainObject(options) && (options.signal === undefined || AN_ABORT_SIGNAL.isKept(options.signal));
    const result = this.#untilEnded(isUsable ? options.signal : undefined, async (ended) =>
      call(await load(), find, isUsable ? { ...options, signal: ended } : options),
    );
    return this.#calls.track(result);
  }

  /**
   * Finds a lesson's model. The decider's own comes first: it may be a copy of one that came with the package, and what it learns is for it.
   * @throws {DecideError} `invalid_request` if there is no such model.
   */
  async #modelCalled(id: string): Promise<FoundModel> {
    const own = await this.#loaded(undefined);
    if (own.info.model !== id && (await this.#catalogue.isSuperseded(id))) return { supersededBy: own.info.model };
    const { packUrl, info } = own.info.model === id ? own : await this.#loaded(id).catch(notHere);
    return { packUrl, seal: info.seal };
  }

  #refuseIfClosed(): void {
    this.#settings.signal?.throwIfAborted();
    if (this.#closing !== undefined) throw new DecideError("closed", "This decider is closed. Make a new one with createDecider().");
  }

  async #scorerOf(model: string | undefined, signal: AbortSignal | undefined): Promise<Scorer> {
    return this.#scorerAt(await this.#packUrlOf(model), signal);
  }

  async #scorerAt(packUrl: string, signal: AbortSignal | undefined): Promise<Scorer> {
    await this.#lessons.learnGiven(signal);
    return {
      score: async (batch, ended) => (await this.#slotAt(packUrl)).score(batch, ended),
      appliedLesson: (question) => this.#lessons.of(packUrl, question),
    };
  }

  /** What is told of the default model, which is loaded for it. */
  async #whenLoaded<T>(tell: (info: EngineInfo, slot: ModelSlot) => T | Promise<T>): Promise<T> {
    this.#refuseIfClosed();
    const { signal } = this.#settings;
    const told = this.#lessons.learnGiven(signal).then(async () => {
      const { packUrl, info } = await this.#loaded(undefined);
      return tell(info, await this.#slotAt(packUrl));
    });
    return this.#calls.track(withKnownErrors(told, signal));
  }

  async #loaded(model: string | undefined): Promise<{ readonly packUrl: string; readonly info: EngineInfo }> {
    const packUrl = await this.#packUrlOf(model);
    return { packUrl, info: await (await this.#slotAt(packUrl)).info(this.#settings.signal) };
  }

  async #ownInfo(): Promise<EngineInfo> {
    return (await this.#loaded(undefined)).info;
  }

  /** @throws {DecideError} `backend_unavailable` for a device that is not there, `model_not_found`. */
  async #packUrlOf(model: string | undefined): Promise<string> {
    const { device } = this.#settings;
    if (device !== "auto" && !this.#platform.devices.includes(device))
      throw new DecideError("backend_unavailable", `device must be ${devicesOf(this.#platform)}, but is "${device}".`);
    return this.#catalogue.packUrlOf(model);
  }

  async #slotAt(packUrl: string): Promise<ModelSlot> {
    const makeSlot = (): EngineSlot => new EngineSlot(this.#platform, packUrl, this.#settings);
    const { workers } = this.#settings;
    const pool = workers === 1 ? undefined : await loadPool();
    // Nothing is awaited from here on, so that two calls make one slot.
    const slot = this.#slots.get(packUrl) ?? (pool === undefined ? makeSlot() : new pool.SlotPool(workers, makeSlot));
    this.#slots.set(packUrl, slot);
    return slot;
  }
}

/** A scorer whose calls come after so many pauses. */
async function atDepth(depth: number, found: Promise<Scorer>): Promise<Scorer> {
  const scorer = await found;
  return { ...scorer, score: (batch, signal) => scorer.score({ ...batch, depth }, signal) };
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

/** @throws {DecideError} `invalid_request` in place of `model_not_found`. */
function notHere(error: unknown): never {
  if (!DecideError.isInstance(error) || error.code !== "model_not_found") throw error;
  throw new DecideError("invalid_request", `The lesson is of another model. ${error.message}`, { cause: error });
}
