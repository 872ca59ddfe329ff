import type { Engine, EngineOptions, Held } from "../engine/engine.ts";
import type { OnProgress } from "../engine/progress.ts";
import { DecideError } from "../../errors.ts";
import { version } from "../../version.ts";
import { outcomeOf } from "./outcome.ts";
import type { EngineHost } from "./protocol.ts";

export type LoadInHost = (packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined) => Promise<Engine>;

/** The worker's side of the protocol, around the engine that `load` makes. */
export function makeHost(load: LoadInHost): EngineHost {
  const running = new Map<number, AbortController>();
  const holding = new Map<number, Held>();
  /** What ends each pause. */
  const pauses: (() => void)[] = [];
  let engine: Engine | undefined;

  const loaded = (): Engine => {
    if (engine === undefined) throw new DecideError("internal", "The worker has no engine yet. Please report this.");
    return engine;
  };

  /** Runs a call that `abort` can end. */
  const run = async <T>(call: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const controller = new AbortController();
    running.set(call, controller);
    try {
      return await work(controller.signal);
    } finally {
      running.delete(call);
    }
  };

  return {
    load: (callerVersion, packUrl, options, onProgress) =>
      outcomeOf(async () => {
        checkSameVersion(callerVersion);
        engine = await load(packUrl, options, onProgress);
        return engine.info;
      }),
    score: (call, batch) => outcomeOf(() => run(call, async (signal) => loaded().score(batch, signal))),
    hold: (call, state) =>
      outcomeOf(async () => {
        const held = await run(call, async (signal) => loaded().hold(state, signal));
        holding.set(call, held);
        return { tokens: held.tokens, bytes: held.bytes };
      }),
    release: (call) =>
      outcomeOf(async () => {
        const held = holding.get(call);
        holding.delete(call);
        await held?.release();
      }),
    kept: () => outcomeOf(async () => loaded().kept()),
    abort: (call) => running.get(call)?.abort(),
    pause: (depth) => outcomeOf(async () => void pauses.push(await loaded().pause(depth))),
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
