import type { Endpoint } from "comlink";
import type { Batch, BatchScores, Engine, EngineInfo, EngineOptions, KeptBytes, Pin, StateToPin, OnProgress } from "../engine/engine.ts";
import { DecideError, fromPlainError, toPlainError, type PlainError } from "../../errors.ts";
import { version } from "../../version.ts";

/** A running worker, as a platform starts it. */
export interface WorkerThread {
  readonly endpoint: Endpoint;
  /** Settles when the worker is gone, with the cause where it is known. A DecideError is passed on to the callers. */
  readonly gone: Promise<unknown>;
  /** Absent in a page, which lives as long as it is open. */
  keepAlive?(keep: boolean): void;
  terminate(): Promise<void>;
}

/**
 * The calls that cross from the caller's thread to the worker. Arguments and results survive structured cloning. Errors cross as data, so that
 * none of their fields is lost.
 */
export interface EngineHost {
  /**
   * Called once, before any other call. `callerVersion` is the caller's version of umpire: the worker refuses any version but its own. It is the first
   * argument in every version, so that any two versions can compare. `packUrl` is the pack's folder. `onProgress` crosses as a comlink proxy.
   */
  load(callerVersion: string, packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined): Promise<Outcome<EngineInfo>>;
  /** `call` is a number that the caller chooses, for `abort`. Nobody reads the outcome of an aborted call. */
  score(call: number, batch: Batch): Promise<Outcome<BatchScores>>;
  /** As `score`. The pin is released by the call's number. */
  pin(call: number, state: StateToPin): Promise<Outcome<Pick<Pin, "tokens" | "bytes">>>;
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

/** @throws {DecideError} the error that the outcome holds */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw fromPlainError(outcome.error);
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
    const outcome = await outcomeOf(() => work(controller.signal));
    running.delete(call);
    return outcome;
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
