import type { TokenLimits } from "./engine.ts";
import { checkLengths } from "./lengths.ts";
import type { HeldState, Model } from "./queued-engine.ts";
import type { Tokenize } from "./tokenize.ts";

/** The part of a model that keeps states read, for families that read the state together with each option: there is nothing to keep. */
export function holdNothing(limits: TokenLimits, tokenize: Tokenize): Pick<Model, "hold" | "kept" | "forget"> {
  const hold = (state: string): HeldState => {
    checkLengths({ state, questions: [] }, limits, tokenize);
    return { tokens: tokenize(state).length, bytes: 0, release: () => undefined };
  };
  return {
    hold: async (state, beforeRun) => beforeRun().then(() => hold(state)),
    kept: () => ({ heldBytes: 0, cachedBytes: 0, cacheBytes: 0 }),
    forget: () => undefined,
  };
}
