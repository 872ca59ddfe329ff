import { abortable, startWatchdog } from "../async/signals.ts";
import type {
  Batch,
  BatchScores,
  Engine,
  EngineInfo,
  EngineOptions,
  KeptBytes,
  OnProgress,
  Pin,
  Progress,
  StateToPin,
} from "../engine/engine.ts";
import { DecideError, fromPlainError, toPlainError } from "../../errors.ts";
import type { PlainError } from "../../errors.ts";
import { version } from "../../version.ts";

/** One end of the channel between the caller's thread and the worker's. */
export interface Endpoint {
  readonly port: { postMessage(message: unknown): void };
  readonly listen: (listener: (message: unknown) => void) => void;
}

/** A running worker, as a platform starts it. */
export interface WorkerThread {
  readonly endpoint: Endpoint;
  /** Settles when the worker is gone, with the cause where it is known. A DecideError is passed on to the callers. */
  readonly gone: Promise<unknown>;
  /** Sets whether the worker keeps the program alive. */
  keepAlive(keep: boolean): void;
  terminate(): Promise<void>;
}

/** The part of a pin that crosses. */
export type PinFacts = Pick<Pin, "tokens" | "bytes">;

/**
 * The calls that cross from the caller's thread to the worker. Arguments and results survive structured cloning. Errors cross as data, so that
 * none of their fields is lost.
 */
export interface EngineHost {
  /**
   * Called once, before any other call. `callerVersion` is the caller's version of umpire: the worker refuses any version but its own. It is the first
   * argument in every version, so that any two versions can compare. `packUrl` is the pack's folder.
   * `onProgress` stays in the caller's thread: what it is told crosses as messages.
   */
  load(callerVersion: string, packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined): Promise<Outcome<EngineInfo>>;
  /** `call` is a number that the caller chooses, for `abort`. Nobody reads the outcome of an aborted call. */
  score(call: number, batch: Batch): Promise<Outcome<BatchScores>>;
  /** As `score`. The pin is released by the call's number. */
  pin(call: number, state: StateToPin): Promise<Outcome<PinFacts>>;
  /** Releases the pin of a call, if it has one. */
  release(call: number): Promise<Outcome<void>>;
  kept(): Promise<Outcome<KeptBytes>>;
  /** Also releases the call's pin. */
  abort(call: number): void;
  pause(priority: number): Promise<Outcome<void>>;
  /** Ends the last pause. */
  resume(): void;
  close(): Promise<Outcome<void>>;
}

/** The result of a call in the worker, as plain data: structured cloning would strip an error of its code, issues and cause. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: PlainError };

async function outcomeOf<T>(run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, error: toPlainError(error) };
  }
}

/** A call of the host. The answer, an outcome, has the same id. */
interface CallMessage {
  readonly id: number;
  readonly method: keyof EngineHost;
  readonly args: readonly unknown[];
}

interface AnswerMessage {
  readonly id?: number;
  readonly outcome?: unknown;
  /** Of the loading, in a message of its own. */
  readonly progress?: Progress;
}

/** Answers the calls that come from the caller's thread. */
export function serveHost(host: EngineHost, { port, listen }: Endpoint): void {
  const calls = host as { readonly [Method in keyof EngineHost]: (...args: readonly never[]) => unknown };
  const onProgress: OnProgress = (progress) => {
    port.postMessage({ progress });
  };
  listen((message) => {
    const { id, method, args } = message as CallMessage;
    // Only the loading has a last argument of that kind.
    void Promise.resolve(calls[method](...(args as never[]), onProgress as never)).then((outcome) => {
      port.postMessage({ id, outcome });
    });
  });
}

/** Asks the host of a worker. It never settles if the worker ends. */
type AskHost = <M extends keyof EngineHost>(
  method: M,
  ...args: M extends "load" ? [callerVersion: string, packUrl: string, options: EngineOptions] : Parameters<EngineHost[M]>
) => Promise<Awaited<ReturnType<EngineHost[M]>>>;

/** @param onProgress what it throws is an uncaught error of the caller's, not an error of the call */
function callsThrough({ port, listen }: Endpoint, onProgress: OnProgress | undefined): AskHost {
  const asked = new Map<number | undefined, (outcome: never) => void>();
  let made = 0;
  listen((message) => {
    const { id, outcome, progress } = message as AnswerMessage;
    if (progress !== undefined) onProgress?.(progress);
    asked.get(id)?.(outcome as never);
    asked.delete(id);
  });
  return (method, ...args) =>
    new Promise((resolve) => {
      port.postMessage({ id: made, method, args } satisfies CallMessage);
      asked.set(made++, resolve);
    });
}

export type LoadInHost = (packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined) => Promise<Engine>;

/** The worker's side of the protocol, around the engine that `load` makes. */
export function makeHost(load: LoadInHost): EngineHost {
  const running = new Map<number, AbortController>();
  const pins = new Map<number, Pin>();
  /** Each ends a pause; the last one is the innermost. */
  const pauses: (() => void)[] = [];
  let engine: Engine | undefined;

  const loaded = (): Engine => {
    if (engine === undefined) throw new DecideError("internal", "The worker has no engine yet. Please report this.");
    return engine;
  };

  /** Runs a call that `abort` can end. */
  const run = async <T>(call: number, work: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> => {
    const controller = new AbortController();
    running.set(call, controller);
    try {
      return { ok: true, value: await work(controller.signal) };
    } catch (error) {
      return { ok: false, error: toPlainError(error) };
    } finally {
      running.delete(call);
    }
  };

  const release = async (call: number): Promise<void> => {
    const pin = pins.get(call);
    pins.delete(call);
    await pin?.release();
  };

  return {
    load: (callerVersion, packUrl, options, onProgress) =>
      outcomeOf(async () => {
        checkSameVersion(callerVersion);
        engine = await load(packUrl, options, onProgress);
        return engine.info;
      }),
    score: (call, batch) => run(call, async (signal) => loaded().score(batch, signal)),
    pin: (call, state) =>
      run(call, async (signal) => {
        const pin = await loaded().pin(state, signal);
        pins.set(call, pin);
        if (signal.aborted) await release(call);
        return { tokens: pin.tokens, bytes: pin.bytes };
      }),
    release: (call) => outcomeOf(() => release(call)),
    kept: () => outcomeOf(async () => loaded().kept()),
    abort: (call) => {
      running.get(call)?.abort();
      // The state may have been read by now, and the answer be on its way.
      void release(call);
    },
    pause: (priority) => outcomeOf(async () => void pauses.push(await loaded().pause(priority))),
    resume: () => pauses.pop()?.(),
    close: () => outcomeOf(async () => engine?.close()),
  };
}

/**
 * The caller's script and the worker's are separate files, and may come from different versions: a page after a partial deployment or with an old
 * file in a cache, a Node program whose package was updated while it ran.
 * @throws {DecideError} `backend_unavailable` when the caller's version is not the worker's own
 */
function checkSameVersion(callerVersion: string): void {
  if (callerVersion === version) return;
  const message = `umpire's script has version ${callerVersion}, but its worker has version ${version}. In a page: serve the folder dist/umpire/ of the same version, clear caches, and reload. On Node: restart the program, or install umpire again.`;
  throw new DecideError("backend_unavailable", message);
}

/**
 * An engine in a worker. When the worker dies, its waiting calls are rejected with `worker_lost` and the engine is `lost`: the next call needs a
 * new engine.
 */
export class WorkerEngine implements Engine {
  readonly info: EngineInfo;
  readonly #ask: AskHost;
  readonly #worker: WorkerThread;
  readonly #calls: WorkerCalls;
  /** Number of calls made so far. */
  #made = 0;
  #closing: Promise<void> | undefined;

  private constructor(worker: WorkerThread, ask: AskHost, calls: WorkerCalls, info: EngineInfo) {
    this.#worker = worker;
    this.#ask = ask;
    this.#calls = calls;
    this.info = info;
  }

  /**
   * Loads an engine in a worker that has just started. The worker is ended when that fails.
   * @throws {DecideError} the error of the engine's loading; `backend_unavailable` when the worker's script has another version; `worker_lost`
   */
  static async start(worker: WorkerThread, packUrl: string, options: EngineOptions, onProgress?: OnProgress): Promise<WorkerEngine> {
    const ask = callsThrough(worker.endpoint, onProgress);
    const calls = new WorkerCalls(worker);
    try {
      const info = await calls.call(() => ask("load", version, packUrl, options));
      return new WorkerEngine(worker, ask, calls, info);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  /** True once the worker is gone. */
  get lost(): boolean {
    return this.#calls.lost;
  }

  async score(batch: Batch, signal?: AbortSignal): Promise<BatchScores> {
    return this.#call(signal, (call) => this.#ask("score", call, batch));
  }

  async pin(state: StateToPin, signal?: AbortSignal): Promise<Pin> {
    let own = 0;
    const facts = await this.#call(signal, (call) => this.#ask("pin", (own = call), state));
    let released: Promise<void> | undefined;
    const release = (): Promise<void> => {
      // Once the worker is gone, nothing is kept. After closing, nothing either.
      if (this.#closing === undefined) released ??= this.#calls.call(() => this.#ask("release", own)).catch(() => undefined);
      return released ?? Promise.resolve();
    };
    return { ...facts, release };
  }

  async kept(): Promise<KeptBytes> {
    return this.#calls.call(() => this.#ask("kept"));
  }

  async pause(priority: number): Promise<() => void> {
    await this.#calls.call(() => this.#ask("pause", priority));
    return () => void this.#ask("resume");
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** A call that the signal ends here at once, and in the worker at its next run. */
  async #call<T>(signal: AbortSignal | undefined, ask: (call: number) => Promise<Outcome<T>>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#closing !== undefined) throw new DecideError("closed", "The engine is closed.");
    const call = this.#made++;
    const answered = this.#calls.call(() => ask(call));
    return abortable(answered, signal, () => {
      void this.#ask("abort", call);
      this.#calls.endUnless(answered);
    });
  }

  async #close(): Promise<void> {
    try {
      await this.#calls.call(() => this.#ask("close"));
    } catch (error) {
      // A worker that is dead has freed everything, too.
      if (!this.lost) throw error;
    } finally {
      await this.#worker.terminate();
    }
  }
}

/** Calls to a worker: each ends with the worker's answer or, when the worker dies, with `worker_lost`. While calls wait, the program is kept alive. */
export class WorkerCalls {
  readonly #worker: WorkerThread;
  readonly #waiting = new Set<(error: DecideError) => void>();
  #death: DecideError | undefined;

  constructor(worker: WorkerThread) {
    this.#worker = worker;
    void worker.gone.then((cause) => {
      this.#death = workerLost(cause);
      for (const reject of this.#waiting) reject(this.#death);
    });
  }

  /** True once the worker is gone. */
  get lost(): boolean {
    return this.#death !== undefined;
  }

  /**
   * The worker's answer to what `ask` sends. Nothing is sent to a worker that is gone.
   * @throws {DecideError} the worker's error; `worker_lost`, or the DecideError that the worker died of
   */
  async call<T>(ask: () => Promise<Outcome<T>>): Promise<T> {
    if (this.#death !== undefined) throw this.#death;
    let onDeath: (error: DecideError) => void = () => undefined;
    // A promise of this call alone: each race against one shared promise would stay in memory until the worker dies.
    const death = new Promise<never>((_, reject) => (onDeath = reject));
    this.#waiting.add(onDeath);
    this.#worker.keepAlive(true);
    try {
      const outcome = await Promise.race([ask(), death]);
      if (outcome.ok) return outcome.value;
      throw fromPlainError(outcome.error);
    } finally {
      this.#waiting.delete(onDeath);
      if (this.#waiting.size === 0) this.#worker.keepAlive(false);
    }
  }

  /** Ends the worker if an answer of it, such as that to a call that was aborted, does not come soon. */
  endUnless(answered: Promise<unknown>): void {
    const inTime = startWatchdog(() => void this.#worker.terminate());
    answered.then(inTime, inTime);
  }
}

function workerLost(cause: unknown): DecideError {
  if (DecideError.isInstance(cause)) return cause;
  return new DecideError("worker_lost", "The worker that ran the model died before it answered. Repeat the call: it starts a new worker.", {
    cause,
  });
}
