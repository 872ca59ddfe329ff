import { setTimeout as delay } from "node:timers/promises";
import type { Decider } from "../../decider/decider.ts";
import { DecideError, asDecideError } from "../../errors.ts";
import type { DecideRequest } from "../../decide/types.ts";

const GOLDEN = {
  state: "The parcel arrived two weeks late, and the box was torn open.",
  questions: {
    topic: { type: "choice", instructions: "What is the text about?", criteria: { delivery: null, cooking: null, music: null } },
  },
} as const satisfies DecideRequest;
const RIGHT = "delivery";
const RETRY_MS = 1000;

/**
 * Asks one question whose answer is known. Failures that may pass are told to `onRetry` and tried again, until `signal` is aborted.
 * @throws {DecideError} what the decider says; `model_invalid` where it gives another answer than the known one.
 * @throws `signal.reason`
 */
export async function answerGoldenRequest(decider: Decider, signal: AbortSignal, onRetry: (error: DecideError) => void): Promise<void> {
  for (;;) {
    try {
      const { answers, model } = await decider.decide(GOLDEN, { signal });
      if (answers.topic.choice === RIGHT) return;
      throw new DecideError(
        "model_invalid",
        `${model} answered the golden request with another option than the right one. Do not trust it with others.`,
      );
    } catch (error) {
      signal.throwIfAborted();
      const known = asDecideError(error);
      if (!known.retryable) throw known;
      onRetry(known);
      await delay(RETRY_MS, undefined, { signal });
    }
  }
}
