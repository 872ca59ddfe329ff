import { setTimeout as sleep } from "node:timers/promises";

/** How long a server may be silent, in ms. */
export const MOST_SILENCE_MS = 30_000;

/** What waits. Tests hand in one that turns a clock of their own. */
export interface Patience {
  /** @throws `signal.reason` once the signal is aborted */
  pause(pauseMs: number, signal: AbortSignal | undefined): Promise<void>;
  /** Calls `giveUp` after `MOST_SILENCE_MS` in which `heard` was not called. `end` must be called once nobody waits any more. */
  listen(giveUp: () => void): { readonly heard: () => void; readonly end: () => void };
}

export const realPatience: Patience = {
  async pause(pauseMs, signal) {
    await sleep(pauseMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
  },
  listen(giveUp) {
    const timer = setTimeout(giveUp, MOST_SILENCE_MS);
    return {
      heard: () => timer.refresh(),
      end: () => {
        clearTimeout(timer);
      },
    };
  },
};
