import type { Engine } from "../../src/engine/engine.ts";
import type { Model } from "../../src/engine/queued-engine.ts";

const NOTHING = { heldBytes: 0, cachedBytes: 0, cacheBytes: 0 };

/** The part of a test's engine that keeps states read: it keeps none. */
export const ENGINE_KEEPS_NOTHING: Pick<Engine, "hold" | "kept"> = {
  hold: () => Promise.resolve({ tokens: 0, bytes: 0, release: () => Promise.resolve() }),
  kept: () => Promise.resolve(NOTHING),
};

/** The same part of a test's model. */
export const MODEL_KEEPS_NOTHING: Pick<Model, "hold" | "kept" | "forget"> = {
  hold: () => Promise.resolve({ tokens: 0, bytes: 0, release: () => undefined }),
  kept: () => NOTHING,
  forget: () => undefined,
};
