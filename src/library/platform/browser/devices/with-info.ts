import type { Engine, EngineInfo } from "../../../engine/engine.ts";

/** The engine itself, from now on with more in its `info`. */
export function withInfo(engine: Engine, more: Partial<EngineInfo>): Engine {
  return Object.assign(engine, { info: { ...engine.info, ...more } });
}
