import { asDecideError, DecideError } from "../../errors.ts";
import { onDemand } from "../async/on-demand.ts";
import { abortable, whenAborted, withAnySignal } from "../async/signals.ts";
import type * as Bulk from "../bulk/decide-many.ts";
import type { ManyOptions, ManyResult } from "../bulk/types.ts";
import type * as Check from "../check/check.ts";
import { decide, readQuestion, type FindScorer, type Scorer } from "../decide/decide.ts";
import { inRequest, parseState } from "../decide/request.ts";
import type { DecideOptions, DecideResponse } from "../decide/types.ts";
import type { Batch, EngineInfo } from "../engine/engine.ts";
import type * as Explain from "../explain/explain.ts";
import type * as LessonsModule from "../lessons/index.ts";
import type { LessonStore } from "../lessons/lesson-store.ts";
import type { QuestionReader } from "../lessons/read-examples.ts";
import type { FoundModel } from "../lessons/read-lesson.ts";
import type { Platform } from "../platform/platform.ts";
import { AN_ABORT_SIGNAL, isPlainObject } from "../validation/field.ts";
import { Catalogue } from "./catalogue.ts";
import type { Decider, DeciderOptions, LazyDecider, Reading } from "./decider.ts";
import { EnginePool, type PinInPool } from "./engine-pool.ts";
import { devicesOf, readDecideOptions, readDeciderOptions, readReadOptions } from "./options.ts";

// Everything but deciding is loaded when it is first used: a page that only decides never loads it. build.mjs lists it, too.
const loadBulk = (): Promise<typeof Bulk> => onDemand("bulk", import("../bulk/decide-many.ts"));
const loadCheck = (): Promise<typeof Check> => onDemand("check", import("../check/check.ts"));
const loadExplain = (): Promise<typeof Explain> => onDemand("explain", import("../explain/explain.ts"));
const loadLessons = (): Promise<typeof LessonsModule> => onDemand("lessons", import("../lessons/index.ts"));

/** A decider on a platform. Awaiting it loads the model: then a model that cannot be loaded fails there, not at the first call. */
export function createDeciderOn(platform: Platform, options: DeciderOptions = {}): LazyDecider {
  const decider = deciderOn(platform, options);
  const then: LazyDecider["then"] = (loaded, failed) =>
    decider
      .load()
      .then(() => decider)
      .then(loaded, failed);
  // Another object, since a promise of one that has a `then` would wait for it for ever.
  return Object.assign({ then }, decider);
}

/** The decider of every platform. Its engines, a pool for each model, are made when they are first needed. */
export function deciderOn(platform: Platform, options: DeciderOptions): Required<Decider> {
  const settings = readDeciderOptions(options, platform);
  const { maxPending, device, signal: deciderEnded } = settings;
  const calls = new Calls(maxPending, deciderEnded);
  const infoOfOwn = async (): Promise<EngineInfo> => (await loaded(undefined)).info;
  const catalogue = new Catalogue(platform, settings.model, () => calls.run(undefined, infoOfOwn), settings.aliases);
  const pools = new Map<string, EnginePool>();
  /** Lessons of the options that have yet to be learned. */
  const givenLessons = [...settings.lessons];
  /** Undefined until a lesson is to be learned. */
  let lessons: LessonStore | undefined;
  let pauses = 0;
  let closing: Promise<void> | undefined;

  const decider: Required<Decider> = {
    decide: (request, call) => decideBy(request, call, scorerOf) as Promise<never>,

    decideMany: (rows: unknown, call?: ManyOptions) => answerRows(rows, call) as AsyncGenerator<ManyResult<never>>,

    async read(state, call = {}) {
      const { model, signal } = readReadOptions(call);
      signal?.throwIfAborted();
      refuseIfClosed();
      const text = parseState(state);
      calls.refuseIfFull();
      const priority = pauses;
      return calls.run(signal, async (ended) => {
        const packUrl = await packUrlOf(model);
        const pool = poolAt(packUrl);
        const pin = await pool.pin({ state: text, priority }, ended).catch((error: unknown) => {
          throw inRequest(error, { questions: [] });
        });
        return pinnedReading(pin, pool, (questions, ofCall, score) =>
          decideBy({ state: text, questions }, ofCall, async (_, endedCall) => ({ ...(await scorerAt(packUrl, endedCall)), score })),
        );
      });
    },

    teach: async (question, examples, call = {}) => withReader(call, ({ teach }, reader, own) => teach(question, examples, reader, own)),

    calibrate: async (question, examples, call = {}) =>
      withReader(call, ({ calibrate }, reader, own) => calibrate(question, examples, reader, own)),

    readExample: async (question, state, call = {}) =>
      withReader(call, ({ readExample }, reader, own) => readExample(question, state, reader, own)),

    async learn(lesson) {
      refuseIfClosed();
      await calls.run(undefined, async () => (await lessonStore()).learn(lesson));
    },

    forget: (id) => lessons?.forget(id) ?? false,

    lessons: () => lessons?.list() ?? [],

    explain: async (request, questionId, call = {}) =>
      runOnDemand(loadExplain, call, ({ explain }, find, own) =>
        explain((asked, ofReading = {}) => decide(asked, find, ofReading), request, questionId, own),
      ),

    check: async (question, call = {}) =>
      runOnDemand(loadCheck, call, ({ check }, find, own) => {
        // A flaw that a lesson makes up for is still a flaw of the question.
        const untaught: FindScorer = async (model, signal) => ({ ...(await find(model, signal)), appliedLesson: () => undefined });
        return check((asked, ofReading = {}) => decide(asked, untaught, ofReading), question, own);
      }),

    load: () => whenLoaded(() => undefined),

    info: () => whenLoaded(async (info, pool) => ({ ...info, workers: pool.workers, kept: await pool.kept(deciderEnded) })),

    async models() {
      refuseIfClosed();
      return calls.run(undefined, () => catalogue.models());
    },

    stats() {
      const all = [...pools.values()];
      const workersStarted = all.reduce((sum, pool) => sum + pool.workersStarted, 0);
      return { pendingCalls: calls.pending, workers: Math.max(1, ...all.map(({ readyWorkers }) => readyWorkers)), workersStarted };
    },

    async pause() {
      const priority = ++pauses;
      const ends = await Promise.all([...pools.values()].map((pool) => pool.pause(priority)));
      return () => {
        pauses--;
        for (const end of ends) end();
      };
    },

    close: () => (closing ??= closeAll()),

    [Symbol.asyncDispose]: () => decider.close(),
  };
  const stopListening = deciderEnded && whenAborted(deciderEnded, () => void decider.close().catch(() => undefined));
  return decider;

  /**
   * Options, then the stages of decide/decide.ts.
   * @param find the scorer of a model, whose calls need no priority
   */
  async function decideBy(request: unknown, call: DecideOptions = {}, find: FindScorer): Promise<DecideResponse> {
    const { signal, ...others } = readDecideOptions(call, request);
    signal?.throwIfAborted();
    refuseIfClosed();
    const findNow = withPriority(find);
    return calls.run(signal, (ended) =>
      decide(
        request,
        (model, endedCall) => {
          // An invalid request is refused for what is wrong with it, however many calls wait.
          calls.refuseIfFull();
          return findNow(model, endedCall);
        },
        { ...others, signal: ended },
      ),
    );
  }

  async function* answerRows(rows: unknown, call: ManyOptions = {}): AsyncGenerator<ManyResult> {
    refuseIfClosed();
    const { decideMany } = await loadBulk();
    yield* decideMany(decider, rows, call, settings.workers);
  }

  async function closeAll(): Promise<void> {
    stopListening?.();
    await calls.settled();
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  }

  /**
   * A call of what is loaded when it is first used. It counts as one call, however often it asks the model.
   * @param run is given the options with a signal that the decider's own aborts, too. It checks them.
   */
  function runOnDemand<M, O extends { readonly signal?: AbortSignal | undefined }, T>(
    load: () => Promise<M>,
    call: O,
    run: (module: M, find: FindScorer, call: O) => Promise<T>,
  ): Promise<T> {
    refuseIfClosed();
    calls.refuseIfFull();
    const find = withPriority(scorerOf);
    // The call itself refuses a value that is no signal.
    const isUsable = isPlainObject(call) && (call.signal === undefined || AN_ABORT_SIGNAL.isKept(call.signal));
    return calls.run(isUsable ? call.signal : undefined, async (ended) =>
      run(await load(), find, isUsable ? { ...call, signal: ended } : call),
    );
  }

  /** A call of the lessons that reads texts with the decider's own model. */
  function withReader<O extends { readonly signal?: AbortSignal | undefined }, T>(
    call: O,
    run: (module: typeof LessonsModule, reader: QuestionReader, call: O) => Promise<T>,
  ): Promise<T> {
    return runOnDemand(loadLessons, call, (module, find, own) =>
      run(module, { read: (asked, signal) => readQuestion(asked, find, signal), info: infoOfOwn }, own),
    );
  }

  async function lessonStore(): Promise<LessonStore> {
    const { LessonStore, loadLesson } = await loadLessons();
    return (lessons ??= new LessonStore(givenLessons, (lesson) => loadLesson(lesson, modelCalled)));
  }

  /** Learns the lessons of the options. What fails is tried again by the next call. */
  async function learnGiven(signal: AbortSignal | undefined): Promise<void> {
    if (givenLessons.length > 0)
      await abortable(
        lessonStore().then((store) => store.learn()),
        signal,
      );
  }

  /** Finds scorers whose calls come after the pauses that have begun by now. */
  function withPriority(find: FindScorer): FindScorer {
    const priority = pauses;
    return async (model, signal) => {
      const scorer = await find(model, signal);
      return { ...scorer, score: (batch, ended) => scorer.score({ ...batch, priority }, ended) };
    };
  }

  /**
   * Finds a lesson's model. The decider's own comes first: it may be a copy of one that came with the package, and what it learns is for it.
   * @throws {DecideError} `invalid_request` if there is no such model.
   */
  async function modelCalled(id: string): Promise<FoundModel> {
    const own = await loaded(undefined);
    if (own.info.model !== id && (await catalogue.isSuperseded(id))) return { supersededBy: own.info.model };
    const { packUrl, info } = own.info.model === id ? own : await loaded(id).catch(notHere);
    return { packUrl, seal: info.seal };
  }

  function refuseIfClosed(): void {
    deciderEnded?.throwIfAborted();
    if (closing !== undefined) throw new DecideError("closed", "This decider is closed. Make a new one with createDecider().");
  }

  async function scorerOf(model: string | undefined, signal: AbortSignal | undefined): Promise<Scorer> {
    return scorerAt(await packUrlOf(model), signal);
  }

  async function scorerAt(packUrl: string, signal: AbortSignal | undefined): Promise<Scorer> {
    await learnGiven(signal);
    const pool = poolAt(packUrl);
    return { score: (batch, ended) => pool.score(batch, ended), appliedLesson: (question) => lessons?.of(packUrl, question) };
  }

  async function whenLoaded<T>(tell: (info: EngineInfo, pool: EnginePool) => T | Promise<T>): Promise<T> {
    refuseIfClosed();
    return calls.run(undefined, async (ended) => {
      await learnGiven(ended);
      const { info, packUrl } = await loaded(undefined);
      return tell(info, poolAt(packUrl));
    });
  }

  async function loaded(model: string | undefined): Promise<{ readonly packUrl: string; readonly info: EngineInfo }> {
    const packUrl = await packUrlOf(model);
    return { packUrl, info: await poolAt(packUrl).info(deciderEnded) };
  }

  /** @throws {DecideError} `backend_unavailable` for a device that is not there, `model_not_found`. */
  async function packUrlOf(model: string | undefined): Promise<string> {
    if (device !== "auto" && !platform.devices.includes(device))
      throw new DecideError("backend_unavailable", `device must be ${devicesOf(platform)}, but is "${device}".`);
    return catalogue.packUrlOf(model);
  }

  function poolAt(packUrl: string): EnginePool {
    const pool = pools.get(packUrl) ?? new EnginePool(platform, packUrl, settings);
    pools.set(packUrl, pool);
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
      throw [signal, this.#ended].some((one) => one?.aborted && error === one.reason) ? error : asDecideError(error);
    } finally {
      this.#pending.delete(running);
    }
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }
}
