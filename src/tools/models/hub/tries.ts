import { AddingFailed } from "../adding-failed.ts";
import type { HubContext } from "./context.ts";

/** After each failure in a row but the last. */
const PAUSES_MS = [1000, 2000, 4000];
/** A server that asks for more is not waited for. */
const MOST_PAUSE_MS = 60_000;

/** What may work the next time: a connection that broke, a server with too much to do. The message is a sentence. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** What to do when it does not. */
  readonly advice: string;
  /** How long the server wants to be left alone, in ms. */
  readonly pauseMs: number;

  constructor(message: string, { advice, pauseMs = 0, cause }: { advice: string; pauseMs?: number; cause?: unknown }) {
    super(message, { cause });
    this.advice = advice;
    this.pauseMs = pauseMs;
  }
}

/**
 * Runs a task again, after a pause, when it was interrupted.
 * @param task is given a function that says it came further, so that failures are counted anew
 * @throws {AddingFailed} after the last try
 */
export async function withTries<T>(
  task: (cameFurther: () => void) => Promise<T>,
  { patience, onNotice }: Pick<HubContext, "patience" | "onNotice">,
  signal: AbortSignal | undefined,
): Promise<T> {
  let failures = 0;
  const cameFurther = (): void => {
    failures = 0;
  };
  for (;;) {
    try {
      return await task(cameFurther);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      const leastMs = PAUSES_MS[failures];
      failures += 1;
      if (leastMs === undefined || error.pauseMs > MOST_PAUSE_MS) {
        throw new AddingFailed(`${error.message} ${error.advice}`, { cause: error });
      }
      const pauseMs = Math.max(leastMs, error.pauseMs);
      onNotice(`${error.message} Trying again in ${pauseMs / 1000} s.`);
      await patience.pause(pauseMs, signal);
    }
  }
}
