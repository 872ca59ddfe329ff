import { abortable } from "../async/signals.ts";
import { DecideError } from "../../errors.ts";
import type { Batch, BatchScores, Engine, EngineInfo, KeptBytes } from "./engine.ts";

/** Awaited before each run of a graph: the only moments at which a call can wait or be stopped. @throws `signal.reason` once the call is aborted. */
export type BeforeRun = () => Promise<void>;

/** A loaded model of any family. */
export interface Model {
  /** Which of the pack's graphs runs, for `info()`; its file, for messages. */
  readonly graph: string;
  readonly graphFile: string;
  /** How many features a question has; 0 if the family has none. */
  readonly features: number;
  /** @throws {DecideError} `input_too_long`, `backend_failed`; and what `beforeRun` throws. */
  score(batch: Batch, beforeRun: BeforeRun): Promise<BatchScores>;
  /** Keeps a state read until it is released. @throws as `score`. */
  hold(state: string, beforeRun: BeforeRun): Promise<HeldState>;
  /** Bytes that are kept at the moment. */
  kept(): KeptBytes;
  /** Frees the states that nobody holds or uses. */
  forget(): void;
  /** Frees everything. Called once, when nothing runs any more. */
  release(): Promise<void>;
}

/** A state as a model keeps it. */
export interface HeldState {
  readonly tokens: number;
  readonly bytes: number;
  /** Called once. */
  release(): void;
}

/** An entry of the line: a call, a pause, or the closing. */
interface Waiting {
  readonly priority: number;
  /** Tells it that its turn may have come. */
  tell?: () => void;
}

/** The engine around a model: one run at a time, of the first of its calls, so that of each priority one batch's keys and values are in memory. */
export function queuedEngine(model: Model, info: EngineInfo): Engine {
  /** The highest priority first, in the order of arrival. */
  const line: Waiting[] = [];
  let running: Waiting | undefined;
  let closing: Promise<void> | undefined;
  return {
    info,
    score: (batch, signal) => call(batch.priority, signal, (beforeRun) => model.score(batch, beforeRun)),
    async pin({ state, priority }, signal) {
      const held = await call(priority, signal, async (beforeRun) => {
        const read = await model.hold(state, beforeRun);
        // Nobody would release it.
        if (signal?.aborted) read.release();
        return read;
      });
      let isHeld = true;
      const releaseOnce = (): Promise<void> => {
        if (isHeld && closing === undefined) held.release();
        isHeld = false;
        return Promise.resolve();
      };
      return { tokens: held.tokens, bytes: held.bytes, release: releaseOnce };
    },
    kept: () => Promise.resolve(model.kept()),
    async pause(priority) {
      // After the calls that are made in the pause, before those that wait for its end.
      const pause = enter(priority - 0.5);
      await turn(pause);
      stop(pause);
      return () => {
        leave(pause);
      };
    },
    close: () => (closing ??= turn(enter(-1)).then(() => model.release())),
  };

  async function call<T>(priority = 0, signal: AbortSignal | undefined, work: (beforeRun: BeforeRun) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (closing !== undefined) throw new DecideError("closed", "The engine is closed.");
    const own = enter(priority);
    const beforeRun = (): Promise<void> => turn(own, signal);
    const run = async (): Promise<T> => {
      try {
        await beforeRun();
        return await work(beforeRun);
      } finally {
        leave(own);
      }
    };
    // An aborted call ends at once, although its run does not.
    return abortable(run(), signal);
  }

  function enter(priority: number): Waiting {
    const waiting = { priority };
    line.push(waiting);
    // Stable, so that the order of arrival stays.
    line.sort((a, b) => b.priority - a.priority);
    return waiting;
  }

  /** Resolves when it is first, and no run is under way. */
  async function turn(waiting: Waiting, signal?: AbortSignal): Promise<void> {
    stop(waiting);
    signal?.throwIfAborted();
    while (running !== undefined || line[0] !== waiting) await abortable(new Promise<void>((tell) => (waiting.tell = tell)), signal);
    running = waiting;
  }

  function stop(waiting: Waiting): void {
    if (running === waiting) running = undefined;
    line[0]?.tell?.();
  }

  function leave(waiting: Waiting): void {
    line.splice(line.indexOf(waiting), 1);
    stop(waiting);
  }
}
