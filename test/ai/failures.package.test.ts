import {
  APICallError,
  experimental_decide,
  Experimental_DecisionUnsupportedQuestionTypeError,
  RetryError,
  UnsupportedFunctionalityError,
} from "ai";
import type { Experimental_DecisionQuestion } from "ai";
import { createDecider, decide, DecideError } from "umpire";
import { createUmpire, umpire, umpireMetadata } from "umpire/ai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { longRequest } from "../support/long-requests.ts";
import { rejection } from "../support/rejection.ts";
import { sharedDecider } from "../support/shared-decider.ts";
import { ASKED, TEXTS } from "../support/texts.ts";

const state = TEXTS.late;
const questions = { late: { type: "boolean", instructions: ASKED.late } } as const;

async function apiCallError(call: () => unknown): Promise<APICallError> {
  const error = await rejection(call);
  if (APICallError.isInstance(error)) return error;
  throw new Error("expected an APICallError", { cause: error });
}

it("the metadata of another provider's result is refused", async () => {
  for (const providerMetadata of [undefined, { other: { confidence: {} } }]) {
    const error = await rejection(() => umpireMetadata({ answers: {}, providerMetadata }));
    expect(error).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/another provider's model answered/u) as string,
    });
  }
});

describe("a call that fails", () => {
  it.each<[what: string, question: Experimental_DecisionQuestion, place: string]>([
    ["a choice without instructions", { type: "choice", criteria: { a: null, b: null } }, "instructions"],
    ["a score whose instructions are null", { type: "score", instructions: null, criteria: ["low", "high"] }, "instructions"],
    ["a choice of one option", { type: "choice", instructions: "?", criteria: { a: null } }, "criteria"],
    ["a score of one level", { type: "score", instructions: "?", criteria: ["low"] }, "criteria"],
  ])("names the question: %s", async (_, question, place) => {
    const error = await apiCallError(() => experimental_decide({ model: umpire(), state, questions: { wrong: question } }));
    expect(error).toMatchObject({ statusCode: 422, isRetryable: false });
    expect(error.data).toMatchObject({ code: "invalid_request", issues: [{ loc: ["body", "questions", "wrong", place] }] });
    expect(error.cause).toBeInstanceOf(DecideError);
    expect(error.message).toBe((error.cause as DecideError).message);
  });

  it("contains none of the caller's text", async () => {
    // Ids and keys are shown where they are plain words, such as names in a program.
    const secret = "my secret is 7f3a";
    const call = {
      model: umpire(),
      state: secret,
      questions: { [secret]: { type: "choice", instructions: secret, criteria: { [secret]: null } } },
    };
    const error = await apiCallError(() => experimental_decide(call as Parameters<typeof experimental_decide>[0]));
    const { message, url, requestBodyValues } = error;
    expect(JSON.stringify({ message, url, requestBodyValues })).not.toContain(secret);
  });

  it("reports an unknown model", async () => {
    const error = await apiCallError(() => experimental_decide({ model: umpire("none-such"), state, questions }));
    expect(error).toMatchObject({ statusCode: 404, isRetryable: false, data: { code: "model_not_found" } });
  });

  it("reports a state that is too long or not JSON", async () => {
    const tooLong = await apiCallError(() => experimental_decide({ model: umpire(), state: longRequest.state.repeat(2), questions }));
    expect(tooLong).toMatchObject({ statusCode: 413, isRetryable: false, data: { code: "input_too_long" } });
    const noJson = { sent: new Date(0) as unknown as string };
    const error = await apiCallError(() => experimental_decide({ model: umpire(), state: noJson, questions }));
    expect(error).toMatchObject({ statusCode: 422, data: { issues: [{ loc: ["body", "state", 0, "sent"], type: "not_json" }] } });
  });

  it("refuses a box question, also from a caller that did not check supportedQuestionTypes", async () => {
    const wrong = { questionId: "where", questionType: "box", provider: "umpire", modelId: "latest" };
    const model = umpire("latest");
    const box = { where: { type: "box", instructions: "Where is the cat?" } } as const;
    for (const call of [
      () => experimental_decide({ model, state, questions: box }),
      () => model.doDecide({ state: [{ type: "text", text: state }], questions: box }),
    ]) {
      const error = await rejection(call);
      expect(Experimental_DecisionUnsupportedQuestionTypeError.isInstance(error)).toBe(true);
      expect(error).toMatchObject(wrong);
    }
  });

  it("refuses a file", async () => {
    const image = { type: "file", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) } as const;
    const error = await rejection(() => experimental_decide({ model: umpire(), state: [{ type: "text", text: state }, image], questions }));
    expect(UnsupportedFunctionalityError.isInstance(error)).toBe(true);
    expect((error as Error).message).toBe("Umpire reads text and JSON, but part 1 of the state is of type file.");
  });

  it("passes on errors that are not umpire's", async () => {
    const mistake = new TypeError("a bug in the decider");
    const own = createUmpire({ decider: { decide: () => Promise.reject(mistake) } });
    expect(await rejection(() => experimental_decide({ model: own(), state, questions }))).toBe(mistake);
  });
});

describe("an aborted call", () => {
  it("rejects with the signal's reason, before or during the call", async () => {
    const reason = new Error("no longer needed");
    const controller = new AbortController();
    const decider = sharedDecider;
    const model = createUmpire({ decider })();
    const running = rejection(() => experimental_decide({ ...longRequest, model, abortSignal: controller.signal }));
    await expect.poll(() => decider.stats().pendingCalls).toBe(1);
    // The worker answers this while it runs.
    await decider.info();
    controller.abort(reason);
    expect(await running).toBe(reason);
    expect(await rejection(() => experimental_decide({ model, state, questions, abortSignal: controller.signal }))).toBe(reason);
  });
});

interface Overloaded {
  readonly model: ReturnType<typeof umpire>;
  /** Its errors. */
  readonly causes: readonly DecideError[];
  readonly calls: () => number;
}

describe("a retryable call", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  /** Resolves once the AI SDK waits for its next try. */
  const untilItWaits = async (): Promise<void> => {
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  };
  /** A model that is overloaded so many times. */
  const overloaded = (times: number, options?: { readonly retryAfterSeconds: number }): Overloaded => {
    const causes: DecideError[] = [];
    let calls = 0;
    const busy: typeof decide = (request, call) => {
      if (calls++ === times) return decide(request, call);
      const cause = new DecideError("overloaded", "Too many calls wait.", options);
      causes.push(cause);
      return Promise.reject(cause);
    };
    return { model: createUmpire({ decider: { decide: busy } })(), causes, calls: () => calls };
  };

  it("waits as long as the error says, and is answered then", async () => {
    const { model, calls } = overloaded(1, { retryAfterSeconds: 1 });
    const answered = experimental_decide({ model, state, questions });
    await untilItWaits();
    await vi.advanceTimersByTimeAsync(999);
    expect(calls()).toBe(1);
    // The AI SDK's own delay would be 2 s.
    await vi.advanceTimersByTimeAsync(1);
    expect(calls()).toBe(2);
    expect((await answered).answers.late.probability).toBeGreaterThan(0.5);
  });

  it("fails with all its errors if no retry succeeds, and at once if retries are off", async () => {
    const { model, causes } = overloaded(Infinity);
    const failed = rejection(() => experimental_decide({ model, state, questions, maxRetries: 1 }));
    await untilItWaits();
    await vi.runAllTimersAsync();
    const error = await failed;
    expect(RetryError.isInstance(error)).toBe(true);
    expect((error as RetryError).errors).toMatchObject([
      { statusCode: 429, isRetryable: true, cause: causes[0] },
      { statusCode: 429, isRetryable: true, cause: causes[1] },
    ]);
    expect(causes).toHaveLength(2);
    expect((await apiCallError(() => experimental_decide({ model, state, questions, maxRetries: 0 }))).cause).toBe(causes[2]);
  });

  it("is not retried if the decider is closed", async () => {
    const decider = createDecider();
    await decider.close();
    const error = await apiCallError(() => experimental_decide({ model: createUmpire({ decider })(), state, questions }));
    expect(error).toMatchObject({ statusCode: 503, isRetryable: false, data: { code: "closed" } });
  });
});
