import { beforeEach, describe, expect, it, vi } from "vitest";
import { abortable } from "../../../src/library/async/signals.ts";
import type { Decider } from "../../../src/public.ts";
import type { Batch, BatchScores } from "../../../src/library/engine/engine.ts";
import { createKeys, keyFromSecret } from "../../../src/service/auth/key-ring.ts";
import type { Handler, HandlerOptions } from "../../../src/service/handler/handler-options.ts";
import { createHandler } from "../../../src/service/handler/handler.ts";
import type { Served } from "../../../src/service/handler/observation.ts";
import { fakeDecider } from "../../support/fake-decider.ts";
import { fakeEngine, scoresByText } from "../../support/fake-engine.ts";
import { rejection } from "../../support/rejection.ts";
import { TEXTS } from "../../support/texts.ts";

const REQUEST = {
  model: "latest",
  state: TEXTS.chargedTwice,
  questions: { topic: { type: "choice", instructions: "What is this about?", criteria: { billing: null, weather: null } } },
};

const post = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers,
  ...(signal && { signal }),
});
const many = <T>(count: number, value: T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, value]));
const at = (path: string, init?: RequestInit): Request => new Request(`http://umpire.local${path}`, init);

describe("the handler", () => {
  let decider: Required<Decider>;
  /** Its calls wait until the test answers them, or until they are aborted. */
  let waiting: Required<Decider>;
  const calls: { readonly batch: Batch; readonly signal: AbortSignal | undefined; readonly answer: () => void }[] = [];
  const observed: Served[] = [];
  beforeEach(() => {
    decider = fakeDecider(fakeEngine({ score: (batch) => Promise.resolve(scoresByText(batch)) }));
    waiting = fakeDecider(
      fakeEngine({
        score: (batch, signal) => {
          const answered = new Promise<BatchScores>((answer) => {
            calls.push({
              batch,
              signal,
              answer: () => {
                answer(scoresByText(batch));
              },
            });
          });
          return abortable(answered, signal);
        },
      }),
    );
    calls.length = observed.length = 0;
  });

  const make = (options: Partial<HandlerOptions> = {}): Handler =>
    createHandler({ decider, onServed: (served) => void observed.push(served), ...options });
  /** Lets what has been asked reach the engine. */
  const reached = async (count: number): Promise<void> => {
    while (calls.length < count) await new Promise(setImmediate);
  };

  it.each(["/decision/v1/model", "/v1/systemone"])("gives the library's answer at %s", async (path) => {
    const response = await make()(at(path, post(REQUEST)));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual(await decider.decide(REQUEST as never));
  });

  it("lists the models", async () => {
    const response = await make()(at("/decision/v1/models"));
    const [model] = await decider.models();
    expect(await response.json()).toEqual({
      models: [{ name: model?.id, description: model?.description, release_date: model?.releaseDate, x_latest: true }],
    });
  });

  it("is served under a base path, and nowhere else", async () => {
    const handler = make({ basePath: "/ai" });
    expect((await handler(at("/ai/decision/v1/models"))).status).toBe(200);
    expect((await handler(at("/decision/v1/models"))).status).toBe(404);
  });

  it.each(["ticket 7/a", "x".repeat(128)])("keeps the caller's request id: %s", async (id) => {
    const { headers } = await make()(at("/v1/models", { headers: { "x-request-id": id } }));
    expect(["x-request-id", "request-id", "x-typesafe-request-id"].map((name) => headers.get(name))).toEqual([id, id, id]);
  });

  it.each(["x".repeat(129), "ümlaut", ""])("replaces an invalid request id: %s", async (id) => {
    const { headers } = await make()(at("/decision/v1/models", { headers: { "x-request-id": id } }));
    expect(headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/u);
    expect(headers.get("request-id")).toBe(headers.get("x-request-id"));
    expect(headers.has("x-typesafe-request-id")).toBe(false);
  });

  it("requires the name of a model, unlike the library", async () => {
    const response = await make()(at("/decision/v1/model", post({ ...REQUEST, model: undefined, state: 7 })));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [
        { loc: ["body", "model"], type: "missing" },
        { loc: ["body", "state"], type: "wrong_type" },
      ],
    });
  });

  it.each([
    ["questions", { questions: many(401, REQUEST.questions.topic) }, 422],
    ["options and levels", { questions: many(17, { ...REQUEST.questions.topic, criteria: many(241, null) }) }, 422],
    ["bytes", { state: "x".repeat(1_048_576) }, 413],
    ["levels", { state: JSON.parse("[".repeat(64) + "]".repeat(64)) as unknown }, 422],
    ["values", { state: Array.from({ length: 65_536 }, () => 1) }, 422],
  ])("limits the %s of one request", async (what, request, status) => {
    const response = await make()(at("/decision/v1/model", post({ ...REQUEST, ...request })));
    const { error } = (await response.json()) as { error: { message: string } };
    expect(response.status).toBe(status);
    expect(error.message).toContain(what);
  });

  it("limits the input tokens of one request: the engine counts them", async () => {
    const handler = make({ decider: waiting, limits: { inputTokens: 5 } });
    const answering = handler(at("/decision/v1/model", post(REQUEST)));
    await reached(1);
    expect(calls[0]?.batch.maxInputTokens).toBe(5);
    calls[0]?.answer();
    expect((await answering).status).toBe(200);
  });

  it("limits the time of one request, and then answers the next one", async () => {
    const handler = make({ decider: waiting, limits: { runMs: 1000 } });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let isAnswered = false;
      const answering = handler(at("/decision/v1/model", post(REQUEST))).finally(() => (isAnswered = true));
      await reached(1);
      vi.advanceTimersByTime(999);
      await new Promise(setImmediate);
      expect(isAnswered).toBe(false);
      vi.advanceTimersByTime(1);
      const response = await answering;
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({
        error: {
          code: "input_too_long",
          message: expect.stringMatching(/^The request takes longer than 1000 ms to answer, the limit/) as string,
        },
      });
      expect(handler.load).toEqual({ waiting: 0, running: 0 });
      const next = handler(at("/decision/v1/model", post(REQUEST)));
      await reached(2);
      calls[1]?.answer();
      expect((await next).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  describe("with keys", () => {
    const keys = async (): Promise<ReturnType<typeof createKeys>> =>
      createKeys([
        await keyFromSecret("desk", "s3cret"),
        await keyFromSecret("old", "was-good", { expiresAt: "2020-01-01T00:00:00Z" }),
        await keyFromSecret("narrow", "n", { models: ["umpire-1"] }),
        await keyFromSecret("wide", "w", { models: ["fake"] }),
        await keyFromSecret("slow", "slow", { requestsPerMinute: 2 }),
      ]);

    it.each([
      ["the right key", "Bearer s3cret", 200],
      ["another case of the scheme", "bearer s3cret", 200],
      ["no header", undefined, 401],
      ["another secret", "Bearer s3cre", 401],
      ["no bearer token", "Basic czNjcmV0", 401],
      ["an expired key", "Bearer was-good", 401],
      ["a key for another model", "Bearer n", 404],
      ["a key for the model that latest stands for", "Bearer w", 200],
    ])("%s: %s is answered with %i", async (_, authorization, status) => {
      const handler = make({ keys: await keys() });
      const response = await handler(at("/decision/v1/model", post(REQUEST, authorization === undefined ? {} : { authorization })));
      expect(response.status).toBe(status);
      expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
    });

    it("lists the models that a key may use", async () => {
      const handler = make({ keys: await keys() });
      const listed = async (secret: string): Promise<unknown> =>
        (await handler(at("/v1/models", { headers: { authorization: `Bearer ${secret}` } }))).json();
      expect(await listed("w")).toMatchObject({ models: [{ name: "fake" }] });
      expect(await listed("n")).toEqual({ models: [], object: "list", data: [] });
    });

    it("applies a key's own rate limit to that key only", async () => {
      vi.useFakeTimers({ toFake: ["performance"] });
      try {
        const handler = make({ keys: await keys() });
        const replies: [status: number, retryAfter: string | null][] = [];
        for (const secret of ["slow", "slow", "slow", "s3cret"]) {
          const { status, headers } = await handler(at("/v1/systemone", post({}, { authorization: `Bearer ${secret}` })));
          replies.push([status, headers.get("retry-after")]);
        }
        expect(replies).toEqual([
          [422, null],
          [422, null],
          [429, "60"],
          [422, null],
        ]);
      } finally {
        vi.useRealTimers();
      }
    });
  });

  it("reports what happened to onServed, but no text and no secret", async () => {
    const handler = make({ keys: createKeys([await keyFromSecret("desk", "s3cret")]) });
    const headers = { authorization: "Bearer s3cret", "x-request-id": "r1" };
    await handler(at("/decision/v1/model", post(REQUEST, headers)));
    await handler(at("/decision/v1/model", post({ ...REQUEST, state: 7 }, headers)));
    expect(observed).toMatchObject([
      { requestId: "r1", method: "POST", route: "decide", status: 200, key: "desk", model: "fake", usage: { output_tokens: 7 } },
      { requestId: "r1", route: "decide", status: 422, code: "invalid_request", key: "desk" },
    ]);
    expect(observed[0]?.durationMs).toBeGreaterThanOrEqual(observed[0]?.queuedMs ?? Infinity);
    expect(JSON.stringify(observed)).not.toMatch(/s3cret|charged|billing|What is/u);
  });

  describe("whose client disconnects", () => {
    it("stops both the running and the waiting request", async () => {
      const handler = make({ decider: waiting });
      const callers = [new AbortController(), new AbortController()];
      const answers = callers.map(({ signal }) => handler(at("/decision/v1/model", post(REQUEST, {}, signal))));
      await reached(1);
      expect(handler.load).toEqual({ waiting: 1, running: 1 });
      for (const caller of callers) caller.abort();
      await Promise.all(answers);
      expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true]);
      expect(handler.load).toEqual({ waiting: 0, running: 0 });
      expect(waiting.stats().pendingCalls).toBe(0);
      expect(observed.map(({ status, code }) => [status, code])).toEqual([
        [499, undefined],
        [499, undefined],
      ]);
    });

    it("rejects like fetch if it is called like fetch", async () => {
      const caller = new AbortController();
      const asked = rejection(() => make()("http://umpire.local/v1/systemone", post(REQUEST, {}, caller.signal)));
      caller.abort(new Error("enough"));
      expect((await asked) as Error).toMatchObject({ message: "enough" });
    });
  });

  describe("called by a page of another origin", () => {
    const preflight = { method: "OPTIONS", headers: { origin: "https://a.example", "access-control-request-method": "POST" } };

    it("allows no origin by default", async () => {
      expect((await make()(at("/v1/models", preflight))).headers.get("access-control-allow-origin")).toBeNull();
    });

    it.each([["https://a.example"], ["*"]])("allows %s", async (origin) => {
      const handler = make({ corsOrigins: origin === "*" ? "*" : [origin] });
      const allowed = await handler(at("/v1/models", preflight));
      expect(allowed.status).toBe(204);
      expect(allowed.headers.get("access-control-allow-origin")).toBe(origin);
      const answered = await handler(at("/v1/models", { headers: { origin: "https://a.example" } }));
      expect(answered.headers.get("access-control-allow-origin")).toBe(origin);
      expect(answered.headers.get("access-control-expose-headers")).toContain("x-request-id");
      if (origin === "*") return;
      const other = await handler(at("/v1/models", { headers: { origin: "https://b.example" } }));
      expect(other.headers.get("access-control-allow-origin")).toBeNull();
    });
  });

  it.each([
    [{ credits: { ledger: {} as never, prices: { "*": { inputPerMillion: 1, outputPerMillion: 1 } } } }, /credits needs keys/u],
    [{ credits: { ledger: {} as never, prices: {} } }, /prices are not valid/u],
    [{ basePath: "/ai/" }, /basePath must be/u],
    [{ limits: { bodyBites: 1 } as never }, /limits.bodyBites is unknown/u],
    [{ limits: { bodyBytes: 0 } }, /bodyBytes must be a number, 1 or more, but is 0/u],
  ] satisfies [Partial<HandlerOptions>, RegExp][])("refuses invalid options: %#", (options, message) => {
    expect(() => make(options)).toThrow(message);
  });
});
