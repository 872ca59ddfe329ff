import { asDecideError, DecideError } from "../../errors.ts";
import { onDemand } from "../async/on-demand.ts";
import { whenAborted, withAnySignal } from "../async/signals.ts";
import type * as Bulk from "../bulk/decide-many.ts";
import type { ManyOptions, ManyResult } from "../bulk/types.ts";
import type * as Check from "../check/check.ts";
import { decide, readQuestion, type FindScorer, type Scorer } from "../decide/decide.ts";
import { inRequest, parseState } from "../decide/request.ts";
import type { DecideOptions, DecideResponse } from "../decide/types.ts";
import type { Batch, EngineInfo } from "../engine/engine.ts";
import type * as Explain from "../explain/explain.ts";
import type * as LessonsModule from "../lessons/index.ts";
import type { Lesson, TeachOptions } from "../lessons/lesson.ts";
import { LessonStore } from "../lessons/lesson-store.ts";
import type { FoundModel } from "../lessons/read-lesson.ts";
import type { Platform } from "../platform/platform.ts";
import { AN_ABORT_SIGNAL, isPlainObject } from "../validation/field.ts";
import { Catalogue } from "./catalogue.ts";
import type { Decider, DeciderOptions, DeciderStats, LazyDecider, Reading } from "./decider.ts";
import { EnginePool, type PinInPool } from "./engine-pool.ts";
import { devicesOf, readDecideOptions, readDeciderOptions, readReadOptions, type DeciderSettings } from "./options.ts";

// Everything but deciding is loaded when it is first used: a page that only decides never loads it. build.mjs lists it, too.
const loadBulk = (): Promise<typeof Bulk> => onDemand("bulk", import("../bulk/decide-many.ts"));
const loadCheck = (): Promise<typeof Check> => onDemand("check", import("../check/check.ts"));
const loadExplain = (): Promise<typeof Explain> => onDemand("explain", import("../explain/explain.ts"));
const loadLessons = (): Promise<typeof LessonsModule> => onDemand("lessons", import("../lessons/index.ts"));

/** A decider on a platform. Awaiting it loads the model: then a model that cannot be loaded fails there, not at the first call. */
export function createDeciderOn(platform: Platform, options: DeciderOptions = {}): LazyDecider {
  const decider: Decider = new PlatformDecider(platform, options);
  const then: LazyDecider["then"] = (loaded, failed) =>
    decider
      .load()
      .then(() => decider)
      .then(loaded, failed);
  // Another object, since a promise of one that has a `then` would wait for it for ever. All methods are properties.
  return Object.assign({ then }, decider);
}

/** The decider of every platform. Its engines, a pool for each model, are made when they are first needed. */
export class PlatformDecider implements Decider {
  readonly #platform: Platform;
  readonly #settings: DeciderSettings;
  readonly #catalogue: Catalogue;
  readonly #calls: Calls;
  readonly #pools = new Map<string, EnginePool>();
  readonly #lessons: LessonStore;
  #pauses = 0;
  #stopListening = (): void => undefined;
  #closing: Promise<void> | undefined;

  constructor(platform: Platform, options: DeciderOptions) {
    this.#platform = platform;
    this.#settings = readDeciderOptions(options, platform);
    const { model, aliases, maxPending, lessons, signal } = this.#settings;
    this.#calls = new Calls(maxPending, signal);
    this.#catalogue = new Catalogue(
      platform,
      model,
      () => this.#calls.run(undefined, async () => (await this.#loaded(undefined)).info),
      aliases,
    );
    this.#lessons = new LessonStore(lessons, async (lesson) => {
      const { loadLesson } = await loadLessons();
      return loadLesson(lesson, (id) => this.#modelCalled(id));
    });
    if (signal !== undefined) this.#stopListening = whenAborted(signal, () => void this.close().catch(() => undefined));
  }

  readonly decide: Decider["decide"] = (request, options) =>
    this.#decide(request, options, (model, ended) => this.#scorerOf(model, ended)) as Promise<never>;

  readonly decideMany: Decider["decideMany"] = (rows: unknown, options?: ManyOptions) =>
    this.#decideMany(rows, options) as AsyncGenerator<ManyResult<never>>;

  readonly read: Decider["read"] = async (state, options = {}) => {
    const { model, signal } = readReadOptions(options);
    signal?.throwIfAborted();
    this.#refuseIfClosed();
    const text = parseState(state);
    this.#calls.refuseIfFull();
    const priority = this.#pauses;
    return this.#calls.run(signal, async (ended) => {
      const packUrl = await this.#packUrlOf(model);
      const pool = this.#poolAt(packUrl);
      const pin = await pool.pin({ state: text, priority }, ended).catch((error: unknown) => {
        throw inRequest(error, { questions: [] });
      });
      return pinnedReading(pin, pool, (questions, call, score) =>
        this.#decide({ state: text, questions }, call, async (_, endedCall) => ({ ...(await this.#scorerAt(packUrl, endedCall)), score })),
      );
    });
  };

  readonly teach: Decider["teach"] = async (...given) => this.#learnFrom("teach", ...given);

  readonly calibrate: Decider["calibrate"] = async (...given) => this.#learnFrom("calibrate", ...given);

  readonly readExample: Decider["readExample"] = async (question, state, options = {}) =>
    this.#runOnDemand(loadLessons, options, (lessons, find, ended) =>
      lessons.readExample(question, state, { read: (asked, signal) => readQuestion(asked, find, signal) }, ended),
    );

  readonly learn: Decider["learn"] = async (lesson) => {
    this.#refuseIfClosed();
    await this.#calls.run(undefined, () => this.#lessons.learn(lesson));
  };

  readonly forget: Decider["forget"] = (id) => this.#lessons.forget(id);

  readonly lessons: Decider["lessons"] = () => this.#lessons.list();

  readonly explain: Decider["explain"] = async (request, questionId, options = {}) =>
    this.#runOnDemand(loadExplain, options, ({ explain }, find, ended) =>
      explain((asked, call = {}) => decide(asked, find, call), request, questionId, ended),
    );

  readonly check: Decider["check"] = async (question, options = {}) =>
    this.#runOnDemand(loadCheck, options, ({ check }, find, ended) => {
      // A flaw that a lesson makes up for is still a flaw of the question.
      const untaught: FindScorer = async (model, signal) => ({ ...(await find(model, signal)), appliedLesson: () => undefined });
      return check((asked, call = {}) => decide(asked, untaught, call), question, ended);
    });

  readonly load: Decider["load"] = () => this.#whenLoaded(() => undefined);

  readonly info: Decider["info"] = () =>
    this.#whenLoaded(async (info, pool) => ({ ...info, workers: pool.workers, kept: await pool.kept(this.#settings.signal) }));

  readonly models: Decider["models"] = async () => {
    this.#refuseIfClosed();
    return this.#calls.run(undefined, () => this.#catalogue.models());
  };

  readonly stats = (): DeciderStats => {
    const pools = [...this.#pools.values()];
    const workersStarted = pools.reduce((sum, pool) => sum + pool.workersStarted, 0);
    return { pendingCalls: this.#calls.pending, workers: Math.max(1, ...pools.map(({ readyWorkers }) => readyWorkers)), workersStarted };
  };

  readonly pause = async (): Promise<() => void> => {
    const priority = ++this.#pauses;
    const ends = await Promise.all([...this.#pools.values()].map((pool) => pool.pause(priority)));
    return () => {
      this.#pauses--;
      for (const end of ends) end();
    };
  };

  readonly close = (): Promise<void> => {
    this.#closing ??= this.#close();
    return this.#closing;
  };

  readonly [Symbol.asyncDispose] = (): Promise<void> => this.close();

  /**
   * Options, then the stages of decide/decide.ts.
   * @param find the scorer of a model, whose calls need no priority
   */
  async #decide(request: unknown, options: DecideOptions = {}, find: FindScorer): Promise<DecideResponse> {
    const { signal, ...others } = readDecideOptions(options, request);
    signal?.throwIfAborted();
    this.#refuseIfClosed();
    const findNow = this.#withPriority(find);
    return this.#calls.run(signal, (ended) =>
      decide(
        request,
        (model, endedCall) => {
          // An invalid request is refused for what is wrong with it, however many calls wait.
          this.#calls.refuseIfFull();
          return findNow(model, endedCall);
        },
        { ...others, signal: ended },
      ),
    );
  }

  #learnFrom(how: "teach" | "calibrate", question: unknown, examples: unknown, options: TeachOptions = {}): Promise<Lesson> {
    return this.#runOnDemand(loadLessons, options, (lessons, find, ended) => {
      const info = async (): Promise<EngineInfo> => (await this.#loaded(undefined)).info;
      return lessons[how](question, examples, { read: (asked, signal) => readQuestion(asked, find, signal), info }, ended);
    });
  }

  async *#decideMany(rows: unknown, options: ManyOptions = {}): AsyncGenerator<ManyResult> {
    this.#refuseIfClosed();
    const { decideMany } = await loadBulk();
    yield* decideMany(this, rows, options, this.#settings.workers);
  }

  async #close(): Promise<void> {
    this.#stopListening();
    await this.#calls.settled();
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  /**
   * A call of what is loaded when it is first used. It counts as one call, however often it asks the model.
   * @param call is given the options with a signal that the decider's own aborts, too. It checks them.
   */
  #runOnDemand<M, O extends { readonly signal?: AbortSignal | undefined }, T>(
    load: () => Promise<M>,
    options: O,
    call: (module: M, find: FindScorer, options: O) => Promise<T>,
  ): Promise<T> {
    this.#refuseIfClosed();
    this.#calls.refuseIfFull();
    const find = this.#withPriority((model, signal) => this.#scorerOf(model, signal));
    // The call itself refuses a value that is no signal.
    const isUsable = isPlainObject(options) && (options.signal === undefined || AN_ABORT_SIGNAL.isKept(options.signal));
    return this.#calls.run(isUsable ? options.signal : undefined, async (ended) =>
      call(await load(), find, isUsable ? { ...options, signal: ended } : options),
    );
  }

  /** Finds scorers whose calls come after the pauses that have begun by now. */
  #withPriority(find: FindScorer): FindScorer {
    const priority = this.#pauses;
    return async (model, signal) => {
      const scorer = await find(model, signal);
      return { ...scorer, score: (batch, ended) => scorer.score({ ...batch, priority }, ended) };
    };
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
    const pool = this.#poolAt(packUrl);
    return {
      score: (batch, ended) => pool.score(batch, ended),
      appliedLesson: (question) => this.#lessons.of(packUrl, question),
    };
  }

  /** Loads the default model and tells about it. */
  async #whenLoaded<T>(tell: (info: EngineInfo, pool: EnginePool) => T | Promise<T>): Promise<T> {
    this.#refuseIfClosed();
    return this.#calls.run(undefined, async (ended) => {
      await this.#lessons.learnGiven(ended);
      const { info, packUrl } = await this.#loaded(undefined);
      return tell(info, this.#poolAt(packUrl));
    });
  }

  async #loaded(model: string | undefined): Promise<{ readonly packUrl: string; readonly info: EngineInfo }> {
    const packUrl = await this.#packUrlOf(model);
    return { packUrl, info: await this.#poolAt(packUrl).info(this.#settings.signal) };
  }

  /** @throws {DecideError} `backend_unavailable` for a device that is not there, `model_not_found`. */
  async #packUrlOf(model: string | undefined): Promise<string> {
    const { device } = this.#settings;
    if (device !== "auto" && !this.#platform.devices.includes(device))
      throw new DecideError("backend_unavailable", `device must be ${devicesOf(this.#platform)}, but is "${device}".`);
    return this.#catalogue.packUrlOf(model);
  }

  #poolAt(packUrl: string): EnginePool {
    const pool = this.#pools.get(packUrl) ?? new EnginePool(this.#platform, packUrl, this.#settings);
    this.#pools.set(packUrl, pool);
    return pool;
  }
}

/** @throws {DecideError} `invalid_request` in place of `model_not_found`. */
function notHere(error: unknown): never {
  if (!DecideError.isInstance(error) || error.code !== "model_not_found") throw error;
  throw new DecideError("invalid_request", `The lesson is of another model. ${error.message}`, { cause: error });
}

/** A state that a model's engine keeps read. When that engine is lost, the next one reads it as soon as it is asked. @param ask by the rules of the decider */
function pinnedReading(
  first: PinInPool,
  pool: EnginePool,
  ask: (questions: unknown, options: DecideOptions | undefined, score: EnginePool["score"]) => Promise<DecideResponse>,
): Reading {
  let pin = first;
  let closing: Promise<void> | undefined;
  const pending = new Set<Promise<unknown>>();
  const pinAgain = async ({ state, priority }: Batch, signal: AbortSignal | undefined): Promise<void> => {
    const again = await pool.pin({ state, ...(priority !== undefined && { priority }) }, signal);
    // Each call has a signal of its own, so none waits for another that does the same: the first one's stays.
    if (pin.isHere()) await again.release();
    else pin = again;
  };
  const decideAbout = async (questions: unknown, options?: DecideOptions): Promise<DecideResponse> => {
    if (closing !== undefined) throw new DecideError("closed", "This reading is closed. Read the state again with decider.read().");
    const answered = ask(questions, options, async (batch, signal) => {
      if (!pin.isHere()) await pinAgain(batch, signal);
      return pool.score(batch, signal);
    });
    pending.add(answered);
    return answered.finally(() => pending.delete(answered));
  };
  const close = (): Promise<void> => (closing ??= Promise.allSettled(pending).then(() => pin.release()));
  return { tokens: first.tokens, bytes: first.bytes, decide: decideAbout as Reading["decide"], close, [Symbol.asyncDispose]: close };
}

/** Calls that wait or run: counted, limited in number, ended by their own signal or the decider's, and waited for at the end. */
export class Calls {
  readonly #maxPending: number;
  readonly #ended: AbortSignal | undefined;
  readonly #pending = new Set<Promise<unknown>>();

  /** @param ended ends every call */
  constructor(maxPending: number, ended?: AbortSignal) {
    this.#maxPending = maxPending;
    this.#ended = ended;
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** @throws {DecideError} `overloaded` when as many calls as may wait or run already do. */
  refuseIfFull(): void {
    if (this.#pending.size < this.#maxPending) return;
    throw new DecideError("overloaded", `${this.#maxPending} calls wait or run already. Wait for some of them, or raise maxPending.`);
  }

  /**
   * Runs a call, which counts until it settles. It is begun before anything is awaited.
   * @param signal the call's own; `call` is given one that is aborted with it, and with the decider's
   * @throws the signal's reason, if that is why the call failed; any other failure as a DecideError.
   */
  async run<T>(signal: AbortSignal | undefined, call: (ended: AbortSignal) => Promise<T>): Promise<T> {
    const running = withAnySignal([signal, this.#ended], call);
    this.#pending.add(running);
    try {
      return await running;
    } catch (error) {
      throw known(error, signal, this.#ended);
    } finally {
      this.#pending.delete(running);
    }
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }
}

/** An error as it is, if it is the reason of a signal that was aborted; any other as a DecideError. */
function known(error: unknown, ...signals: readonly (AbortSignal | undefined)[]): unknown {
  return signals.some((signal) => signal?.aborted && error === signal.reason) ? error : asDecideError(error);
}
