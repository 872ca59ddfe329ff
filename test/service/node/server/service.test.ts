import { expect, test, vi } from "vitest";
import type { Decider } from "../../../../src/library/decider/decider.ts";
import { DecideError } from "../../../../src/errors.ts";
import { answerGoldenRequest } from "../../../../src/service/node/server/service.ts";

const { signal: open } = new AbortController();

/** A decider that gives these outcomes one after the other: an option, or an error. */
function deciderWith(...outcomes: (string | Error)[]): Decider {
  const decide = (): Promise<object> => {
    const outcome = outcomes.shift();
    if (outcome instanceof Error) return Promise.reject(outcome);
    return Promise.resolve({ model: "umpire-x", answers: { topic: { type: "choice", choice: outcome } } });
  };
  return { decide } as unknown as Decider;
}

test("the right answer is enough, and says which model gave it", async () => {
  const onRetry = vi.fn();
  expect(await answerGoldenRequest(deciderWith("delivery"), open, onRetry)).toBe("umpire-x");
  expect(onRetry).not.toHaveBeenCalled();
});

test("a wrong answer means that the model cannot be trusted", async () => {
  const error = await answerGoldenRequest(deciderWith("music"), open, () => undefined).catch((error: unknown) => error);
  expect(error).toMatchObject({ code: "model_invalid", message: expect.stringContaining("umpire-x") as string });
});

test("a failure that may pass is reported and retried", async () => {
  const lost = new DecideError("worker_lost", "The worker ended.");
  const onRetry = vi.fn();
  await answerGoldenRequest(deciderWith(lost, "delivery"), open, onRetry, 1);
  expect(onRetry.mock.calls).toEqual([[lost]]);
});

test("any other failure is final", async () => {
  const onRetry = vi.fn();
  const invalid = new DecideError("model_invalid", "The model is damaged.");
  await expect(answerGoldenRequest(deciderWith(invalid, "delivery"), open, onRetry)).rejects.toBe(invalid);
  await expect(answerGoldenRequest(deciderWith(new TypeError("x"), "delivery"), open, onRetry)).rejects.toMatchObject({ code: "internal" });
  expect(onRetry).not.toHaveBeenCalled();
});

test("closing ends the wait for a retry with its own reason", async () => {
  const closing = new AbortController();
  const closed = new DecideError("closed", "The server was closed.");
  const lost = new DecideError("worker_lost", "The worker ended.");
  const close = (): void => {
    setImmediate(() => {
      closing.abort(closed);
    });
  };
  const waiting = answerGoldenRequest(deciderWith(lost), closing.signal, close, 1e9);
  await expect(waiting).rejects.toBe(closed);
});
