import type { Engine, EngineOptions } from "../engine/engine.ts";
import { DecideError, toPlainError } from "../errors.ts";
import type { OnProgress } from "../decider/progress.ts";
import type { EngineHost, Outcome } from "./protocol.ts";

export type LoadInHost = (packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined) => Promise<Engine>;

/** The worker's side of the thread line around an engine that `load` makes. */
export function makeHost(load: LoadInHost): EngineHost {
  const running = new Map<number, AbortController>();
  let engine: Engine | undefined;

  const loaded = (): Engine => {
    if (engine === undefined) throw new DecideError("internal", "The worker was asked before its engine was loaded.");
    return engine;
  };

  return {
    load: (packUrl, options, onProgress) =>
      outcomeOf(async () => {
        engine = await load(packUrl, options, onProgress);
        return engine.info;
      }),
    score: (call, batch) =>
      outcomeOf(async () => {
        const controller = new AbortController();
        running.set(call, controller);
        try {
          return await loaded().score(batch, controller.signal);
        } finally {
          running.delete(call);
        }
      }),
    abort: (call) => running.get(call)?.abort(),
    close: () =>
      outcomeOf(async () => {
        await engine?.close();
        return undefined;
      }),
  };
}

async function outcomeOf<T>(run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, error: toPlainError(error) };
  }
}
