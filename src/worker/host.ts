import type { Engine } from "../engine/engine.ts";
import { DecideError, toPlainError } from "../errors.ts";
import type { EngineHost, Outcome } from "./protocol.ts";

/** The worker's side of the thread line around an engine that `load` makes. */
export function makeHost(load: (packUrl: string, options: Parameters<EngineHost["load"]>[1]) => Promise<Engine>): EngineHost {
  const running = new Map<number, AbortController>();
  let engine: Engine | undefined;

  const loaded = (): Engine => {
    if (engine === undefined) throw new DecideError("internal", "The worker was asked before its engine was loaded.");
    return engine;
  };

  return {
    load: (packUrl, options) =>
      outcomeOf(async () => {
        engine = await load(packUrl, options);
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
