import type { Engine, EngineInfo } from "../../../engine/engine.ts";

/** The same engine with more in its `info`. */
export function withInfo(engine: Engine, more: Partial<EngineInfo>): Engine {
  return { info: { ...engine.info, ...more }, score: (batch, signal) => engine.score(batch, signal), close: () => engine.close() };
}
