import { setTimeout as delay } from "node:timers/promises";
import type { DecideRequest } from "../../../library/decide/types.ts";
import type { Decider } from "../../../library/decider/decider.ts";
import { DecideError, asDecideError } from "../../../errors.ts";

const GOLDEN = {
  state: "The parcel arrived two weeks late, and the box was torn open.",
  questions: {
    topic: { type: "choice", instructions: "What is the text about?", criteria: { delivery: null, cooking: null, music: null } },
  },
} as const satisfies DecideRequest;
const RIGHT = "delivery";
const RETRY_MS = 1000;

/**
 * Asks one question whose right answer is known. Retries failures that may pass, after telling `onRetry`, until `signal` is aborted.
 * @param retryMs milliseconds before each retry. Default: 1,000
 * @returns the id of the model that answered
 * @throws {DecideError} the decider's own error; `model_invalid` if the answer is wrong.
 * @throws `signal.reason`
 */
export async function answerGoldenRequest(
  decider: Decider,
  signal: AbortSignal,
  onRetry: (error: DecideError) => void,
  retryMs: number = RETRY_MS,
): Promise<string> {
  for (;;) {
    try {
      const { answers, model } = await decider.decide(GOLDEN, { signal });
      if (answers.topic.choice === RIGHT) return model;
      throw new DecideError("model_invalid", `${model} gave a wrong answer to the golden request. Do not trust its other answers.`);
    } catch (error) {
      signal.throwIfAborted();
      const known = asDecideError(error);
      if (!known.retryable) throw known;
      onRetry(known);
      // It rejects with an AbortError, not with the signal's reason.
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}
