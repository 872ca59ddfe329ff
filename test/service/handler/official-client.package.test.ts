import {
  APIConnectionError,
  APIError,
  APITimeoutError,
  APIUserAbortError,
  AuthenticationError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
  TypeSafeClient,
  UnprocessableEntityError,
  choice,
  noul,
  score,
} from "@typesafe-ai/sdk";
import type { TypeSafeClientConfig } from "@typesafe-ai/sdk";
import { createDecider } from "umpire";
import type { DecideRequest } from "umpire";
import { createHandler, createKeys, keyFromSecret } from "umpire/http";
import type { HandlerOptions, Served } from "umpire/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startServer } from "../../support/http-server.ts";
import type { HttpServer } from "../../support/http-server.ts";
import { longRequest } from "../../support/long-requests.ts";
import { rejection } from "../../support/rejection.ts";
import { sharedDecider as decider } from "../../support/shared-decider.ts";
import { UNHURRIED } from "../../support/unhurried.ts";

/** The hosted service's official client for JavaScript, unchanged, against our service. */

const KEY = "sk-test-1";
const STATE = "My card was charged twice for one order, and nobody answers my e-mails.";
const QUESTIONS = {
  topic: choice("What is this about?", { billing: "Money, cards, invoices", delivery: null, "__proto__ ": { kind: "other", n: 1 } }),
  angry: noul("Is the customer angry?"),
  urgent: noul(null, { true: "It must be answered today", false: null }),
  severity: score({ task: "How severe is it?", scale: ["low", "high"] }, ["A trifle", { level: "A nuisance" }, ["An", "emergency"]]),
};

let server: HttpServer | undefined;
const observed: Served[] = [];
afterEach(async () => {
  await server?.close();
  server = undefined;
  observed.length = 0;
});

const settings = (options: Partial<HandlerOptions>): HandlerOptions => ({
  decider,
  onServed: (served) => void observed.push(served),
  ...options,
  limits: { ...UNHURRIED, ...options.limits },
});

/** A client of a service, over a socket or in this process. */
type Connect = (options?: Partial<HandlerOptions>, config?: TypeSafeClientConfig) => Promise<TypeSafeClient>;

const overHttp: Connect = async (options = {}, config = {}) => {
  server = await startServer(settings(options));
  return new TypeSafeClient({ ...PATIENT, apiKey: KEY, baseURL: `${server.url}${options.basePath ?? ""}`, ...config });
};
const inProcess: Connect = (options = {}, config = {}) => {
  const handler = createHandler(settings(options));
  return Promise.resolve(
    new TypeSafeClient({ ...PATIENT, apiKey: KEY, baseURL: `http://umpire.local${options.basePath ?? ""}`, fetch: handler, ...config }),
  );
};

/** Long enough to still run when something happens to it. */
const LONG = longRequest as unknown as Parameters<TypeSafeClient["systemOne"]>[0];
/** Its own patience ends after 10 s. */
const PATIENT = { timeout: 600_000 };
const NO_RETRY = { retry: { maxRetries: 0 } };

/** The vendor's word for an error; undefined for a 422, whose detail is a list of issues. */
const errorTypeOf = ({ body }: APIError): unknown => (body as { detail: { error_type?: unknown } }).detail.error_type;

async function untilBusy(): Promise<void> {
  while (decider.stats().pendingCalls === 0) await new Promise(setImmediate);
}
async function untilIdle(): Promise<void> {
  while (decider.stats().pendingCalls > 0) await new Promise(setImmediate);
}

describe.each([
  ["over HTTP", overHttp],
  ["in process, as its fetch", inProcess],
])("the official client %s", (_, connect) => {
  it("gets every kind of answer just as the library gives it, and the request's id", async () => {
    const client = await connect();
    const { data, requestId, response } = await client.systemOne({ state: STATE, questions: QUESTIONS }).withResponse();
    expect(data).toEqual(await decider.decide({ state: STATE, questions: QUESTIONS } as DecideRequest));
    expect(data.answers.topic).toMatchObject({ type: "choice", choice: "billing" });
    expect(Object.keys(data.answers.topic.probabilities)).toEqual(Object.keys(QUESTIONS.topic.criteria));
    expect(data.answers.angry).toEqual({ type: "noul", noul: expect.any(Number) as number, x_accuracy: expect.any(Number) as number });
    expect(data.answers.urgent.noul).toBeGreaterThanOrEqual(0);
    expect(data.answers.severity.legend).toEqual({ 0: "A trifle", 1: { level: "A nuisance" }, 2: ["An", "emergency"] });
    expect(data.answers.severity.score).toBeLessThanOrEqual(2);
    expect(data.model).toBe("umpire-2");
    expect(requestId).toBe(response.headers.get("x-request-id"));
    expect(requestId).toBe(observed[0]?.requestId);
  });

  it("lists the models, also under a base path", async () => {
    const client = await connect({ basePath: "/ai" });
    const [first] = await client.models.list();
    const [model] = await decider.models();
    expect(first).toMatchObject({ name: model?.id, description: model?.description, release_date: model?.releaseDate });
    expect(await client.systemOne({ state: STATE, questions: { angry: QUESTIONS.angry }, model: "umpire-2" })).toMatchObject({
      model: "umpire-2",
    });
  });

  it("keeps the caller's request id", async () => {
    const client = await connect({}, { defaultHeaders: { "X-Request-Id": "order 7" } });
    expect((await client.models.list().withResponse()).requestId).toBe("order 7");
  });

  it("accepts a key and no other", async () => {
    const keys = createKeys([await keyFromSecret("desk", KEY)]);
    const client = await connect({ keys });
    expect((await client.models.list()).length).toBeGreaterThan(0);
    expect(observed[0]?.key).toBe("desk");
    await server?.close();
    const stranger = await connect({ keys }, { apiKey: "sk-wrong" });
    const error = (await rejection(() => stranger.models.list())) as APIError;
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, requestId: observed.at(-1)?.requestId });
    expect(error.message).toMatch(/^401 The key is unknown/u);
    expect(errorTypeOf(error)).toBe("authentication_error");
  });

  describe("throws its own class, with our message and the request's id,", () => {
    const question = QUESTIONS.angry;
    const tooLong = "cat ".repeat(20_000);
    it.each([
      [
        "422: no text",
        { state: null, questions: { question } },
        {},
        UnprocessableEntityError,
        undefined,
        /^422 The request is not valid: state must be/u,
      ],
      [
        "404: another model",
        { state: STATE, questions: { question }, model: "gpt" },
        {},
        NotFoundError,
        "not_found",
        /^404 There is no model "gpt"/u,
      ],
      ["413: a long state", { state: tooLong, questions: { question } }, {}, APIError, "api_usage_error", /^413 .*tokens/u],
      [
        "413: a large body",
        { state: STATE, questions: { question } },
        { limits: { bodyBytes: 50 } },
        APIError,
        "api_usage_error",
        /^413 The body has more/u,
      ],
      [
        "500: an unexpected error",
        { state: STATE, questions: { question } },
        { keys: { find: () => Promise.reject(new Error("no")) } },
        InternalServerError,
        "internal_error",
        /^500 Something failed inside/u,
      ],
      [
        "429: too often",
        { state: STATE, questions: { question } },
        { limits: { requestsPerMinute: 0 } },
        RateLimitError,
        "rate_limit_error",
        /^429 This key has reached its limit of 0 requests/u,
      ],
    ] as const)("%s", async (_name, request, options, errorClass, errorType, message) => {
      const client = await connect(options, NO_RETRY);
      const error = (await rejection(() => client.systemOne(request))) as APIError;
      expect(error).toBeInstanceOf(errorClass);
      expect(error.message).toMatch(message);
      expect(errorTypeOf(error)).toBe(errorType);
      expect(error.requestId).toBe(observed.at(-1)?.requestId);
      // It tells its caller when to retry.
      if (error instanceof RateLimitError) expect(error.retryAfterMs).toBe(60_000);
    });

    it("402: no credits left", async () => {
      const unasked = (): never => expect.fail("nothing is held or charged");
      const ledger = { mayCharge: () => Promise.resolve(false), hold: unasked, charge: unasked, release: unasked };
      const keys = createKeys([await keyFromSecret("desk", KEY)]);
      const client = await connect({ keys, credits: { ledger, prices: { "*": { inputPerMillion: 1, outputPerMillion: 1 } } } });
      const error = (await rejection(() => client.systemOne({ state: STATE, questions: { question } }))) as APIError;
      expect(error).toMatchObject({ name: "APIError", status: 402 });
      expect(error.message).toMatch(/^402 This key has no credits left/u);
      expect(errorTypeOf(error)).toBe("api_usage_error");
    });

    it("503: a closed service", async () => {
      const closed = createDecider();
      await closed.close();
      const client = await connect({ decider: closed }, NO_RETRY);
      const error = (await rejection(() => client.systemOne({ state: STATE, questions: { question } }))) as APIError;
      expect(error).toBeInstanceOf(InternalServerError);
      expect(error.message).toMatch(/^503 This decider is closed/u);
      expect(errorTypeOf(error)).toBe("internal_error");
    });
  });

  it("throws InternalServerError with the vendor's word when the service is overloaded and it may not retry", async () => {
    const client = await connect({ limits: { waitingRequests: 0 } }, NO_RETRY);
    const caller = new AbortController();
    const long = rejection(() => client.systemOne(LONG, { signal: caller.signal }));
    await untilBusy();
    const error = (await rejection(() => client.systemOne({ state: STATE, questions: { angry: QUESTIONS.angry } }))) as APIError;
    caller.abort();
    await long;
    await untilIdle();
    expect(error).toBeInstanceOf(InternalServerError);
    expect([error.status, errorTypeOf(error)]).toEqual([529, "overloaded_error"]);
  });

  it("aborts, and the work stops", async () => {
    const client = await connect();
    const caller = new AbortController();
    const error = rejection(() => client.systemOne(LONG, { signal: caller.signal }));
    await untilBusy();
    caller.abort();
    expect(await error).toBeInstanceOf(APIUserAbortError);
    await untilIdle();
    while (observed.length === 0) await new Promise(setImmediate);
    expect(observed.map(({ status }) => status)).toEqual([499]);
  });

  it("times out, and the work stops", async () => {
    const client = await connect({}, NO_RETRY);
    const error = await rejection(() => client.systemOne(LONG, { timeout: 200 }));
    expect(error).toBeInstanceOf(APITimeoutError);
    await untilIdle();
  });
});

describe("the official client over HTTP only", () => {
  it("throws UnprocessableEntityError, with the place in the list, if a proxy damages the body", async () => {
    const spoiled: typeof fetch = (input, init) => fetch(input, { ...init, body: "{" });
    const client = await overHttp({}, { fetch: spoiled });
    const error = (await rejection(() => client.systemOne({ state: STATE, questions: QUESTIONS }))) as APIError;
    expect(error).toBeInstanceOf(UnprocessableEntityError);
    expect(error.message).toMatch(/^422 The body is not JSON/u);
    expect(error.body).toMatchObject({ detail: [{ loc: ["body"], msg: "is not JSON: it cannot be parsed", type: "not_json" }] });
  });

  it("also works with the path /decision/v1/model", async () => {
    const seed: typeof fetch = (input, init) => fetch((input as string).replace("/v1/systemone", "/decision/v1/model"), init);
    const client = await overHttp({}, { fetch: seed });
    const { answers } = await client.systemOne({ state: STATE, questions: QUESTIONS });
    expect(answers.topic.choice).toBe("billing");
  });

  it("throws APIConnectionError once the server is gone", async () => {
    const client = await overHttp({}, NO_RETRY);
    await server?.close();
    server = undefined;
    expect(await rejection(() => client.models.list())).toBeInstanceOf(APIConnectionError);
  });

  it("sends many requests at once and gets each one's own answer", async () => {
    const client = await overHttp();
    const states = Array.from({ length: 40 }, (_, i) => `Order number ${i} has ${i % 2 === 0 ? "arrived" : "been lost"}.`);
    const questions = { lost: noul("Was the order lost?") };
    const answers = await Promise.all(states.map((state) => client.systemOne({ state, questions })));
    for (const [i, state] of states.entries()) expect(answers[i]).toEqual(await decider.decide({ state, questions } as DecideRequest));
  });
});

it("the official client waits as long as Retry-After says when the service is overloaded, and then gets its answer", async () => {
  const handler = createHandler(settings({ limits: { waitingRequests: 0 } }));
  let retryAfter: string | null = null;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await handler(input, init);
    retryAfter ??= response.headers.get("retry-after");
    return response;
  };
  const client = new TypeSafeClient({ ...PATIENT, apiKey: KEY, baseURL: "http://umpire.local", fetch, retry: { maxRetries: 1 } });
  const asked = { state: STATE, questions: { angry: QUESTIONS.angry } };
  const caller = new AbortController();
  const long = rejection(() => client.systemOne(LONG, { signal: caller.signal }));
  await untilBusy();
  // The client's clock stands still unless the test turns it.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const fake = globalThis.setTimeout;
  const delays: unknown[] = [];
  // Not by a spy, which would put the fake back when all spies are restored.
  globalThis.setTimeout = Object.assign((...args: Parameters<typeof fake>) => {
    delays.push(args[1]);
    return fake(...args);
  }, fake);
  try {
    const answered = client.systemOne(asked);
    /** How long the client waits before it asks again. Other timers are those of limits, which are longer. */
    const waits = (): unknown[] => delays.filter((ms) => Number(ms) > 100 && Number(ms) < PATIENT.timeout);
    while (waits().length === 0) await new Promise(setImmediate);
    expect(observed.map(({ status }) => status)).toEqual([529]);
    // A second or more. The client's own delay would be half a second.
    expect(waits()).toEqual([1000 * Number(retryAfter)]);
    caller.abort();
    expect(await long).toBeInstanceOf(APIUserAbortError);
    const body = JSON.stringify({ model: "latest", ...asked });
    const status = async (): Promise<number> => (await handler("http://umpire.local/v1/systemone", { method: "POST", body })).status;
    // Until the work has ended that was aborted.
    while ((await status()) !== 200) await new Promise(setImmediate);
    observed.length = 0;
    vi.advanceTimersByTime(1000 * Number(retryAfter));
    expect((await answered).answers.angry.type).toBe("noul");
    expect(observed.map(({ status }) => status)).toEqual([200]);
  } finally {
    globalThis.setTimeout = fake;
    vi.useRealTimers();
  }
});
