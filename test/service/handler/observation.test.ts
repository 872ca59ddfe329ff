import { describe, expect, it } from "vitest";
import type { DecideResponse } from "../../../src/library/decide/types.ts";
import type { Decider } from "../../../src/library/decider/decider.ts";
import { DecideError } from "../../../src/errors.ts";
import type { ApiKey, Keys } from "../../../src/service/auth/keys.ts";
import type { ChargeOutcome, Credits } from "../../../src/service/billing/credits.ts";
import type { HandlerOptions } from "../../../src/service/handler/handler-options.ts";
import { createHandler } from "../../../src/service/handler/handler.ts";
import { routeOf } from "../../../src/service/handler/observation.ts";
import type { Served } from "../../../src/service/handler/observation.ts";

describe("routeOf", () => {
  it.each([
    ["/decision/v1/model", "decide", "POST", false],
    ["/v1/systemone", "decide", "POST", true],
    ["/decision/v1/models", "models", "GET", false],
    ["/v1/models", "models", "GET", true],
    ["/openapi.json", "openapi", "GET", false],
  ])("%s is %s by %s", (path, name, method, vendor) => {
    expect(routeOf(`http://host:1${path}?query=1`, "")).toEqual({ name, method, vendor });
    expect(routeOf(`http://host:1/ai${path}`, "/ai")).toEqual({ name, method, vendor });
  });

  it.each([
    ["/", ""],
    ["/v1/models/", ""],
    ["/V1/models", ""],
    ["/v1/models", "/ai"],
    ["/ai/v1/models", ""],
    ["/aiv1/models", "/ai"],
    ["/xx/v1/models", "/ai"],
    ["/ai", "/ai"],
  ])("%s under %j is unknown", (path, basePath) => {
    expect(routeOf(`http://host${path}`, basePath)).toBeUndefined();
  });
});

/** What `onServed` is told of requests that fail at each stage: everything known by then, and nothing more. */

const QUESTIONS = { q: { type: "noul", instructions: "Is it?" } };
const ANSWER = {
  model: "umpire-2",
  answers: { q: { type: "noul", noul: 0.7 } },
  usage: { input_tokens: 9, output_tokens: 1 },
} as unknown as DecideResponse;
const KEY: ApiKey = { name: "desk", sha256: "0".repeat(64) };
const keys = (key: Partial<ApiKey> = {}): Keys => ({
  find: (secret) => Promise.resolve(secret === "s3cret" ? { ...KEY, ...key } : undefined),
});

const deciderThat = (decide: () => Promise<DecideResponse>): Decider =>
  ({ decide, models: () => Promise.resolve([{ id: "umpire-2", isDefault: true }]) }) as unknown as Decider;
const answering = deciderThat(() => Promise.resolve(ANSWER));

const credits = (outcome: ChargeOutcome, balance = 1): Credits => ({
  ledger: {
    mayCharge: () => Promise.resolve(balance > 0),
    hold: () => Promise.resolve({ id: "1", account: "desk", availableNanocredits: 1e9, othersNanocredits: 0, isPaid: false }),
    charge: () => Promise.resolve(outcome),
    release: () => Promise.resolve(),
  },
  prices: { "*": { inputPerMillion: 1, outputPerMillion: 1 } },
});

/** What the handler tells of one request; times are replaced by how they compare. */
async function servedOf(options: Partial<HandlerOptions>, request: RequestInit = {}, path = "/decision/v1/model"): Promise<object> {
  const served: Served[] = [];
  const handler = createHandler({ decider: answering, onServed: (one) => void served.push(one), ...options });
  const body = JSON.stringify({ model: "latest", state: "It is.", questions: QUESTIONS });
  const headers = { authorization: "Bearer s3cret", "x-request-id": "r1" };
  await handler(new Request(`http://host${path}`, { method: "POST", body, headers, ...request }));
  expect(served).toHaveLength(1);
  const [{ durationMs, queuedMs, ...facts } = {} as Served] = served;
  expect(durationMs).toBeGreaterThanOrEqual(queuedMs ?? 0);
  return { ...facts, queued: queuedMs !== undefined };
}

const REQUEST = { requestId: "r1", method: "POST", route: "decide" };
const ANSWERED = { model: "umpire-2", usage: ANSWER.usage, answers: { taught: 0, untaught: 1 }, queued: true };

describe("onServed is told of", () => {
  it("an answer: model, usage, how many answers it has, and the time in the queue", async () => {
    expect(await servedOf({})).toEqual({ ...REQUEST, status: 200, ...ANSWERED });
  });

  it("a paid answer: the key and the nanocredits too, 0 for a retry", async () => {
    const paid = { ...REQUEST, status: 200, key: "desk", ...ANSWERED };
    expect(await servedOf({ keys: keys(), credits: credits("taken") })).toEqual({ ...paid, nanocredits: 10_000 });
    expect(await servedOf({ keys: keys(), credits: credits("taken_before") })).toEqual({ ...paid, nanocredits: 0 });
    expect(await servedOf({ keys: keys({ paysCredits: false }), credits: credits("taken") })).toEqual(paid);
  });

  it("an unknown key: no key's name", async () => {
    expect(await servedOf({ keys: { find: () => Promise.resolve(undefined) } })).toEqual({
      ...REQUEST,
      status: 401,
      code: "unauthorized",
      queued: false,
    });
  });

  it.each([
    ["/decision/v1/model", "POST", "decide"],
    ["/decision/v1/models", "GET", "models"],
  ])("an expired key at %s: its name", async (path, method, route) => {
    const request = { method, body: method === "GET" ? null : "{}" };
    const served = await servedOf({ keys: keys({ expiresAt: "2020-01-01T00:00:00Z" }) }, request, path);
    expect(served).toEqual({ ...REQUEST, method, route, status: 401, code: "unauthorized", key: "desk", queued: false });
  });

  it.each([
    ["a key over its rate limit", { keys: keys(), limits: { requestsPerMinute: 0 } }, { status: 429, code: "overloaded" }],
    ["a body that is too large", { keys: keys(), limits: { bodyBytes: 5 } }, { status: 413, code: "input_too_long" }],
    ["a model that the key cannot use", { keys: keys({ models: ["umpire-1"] }) }, { status: 404, code: "model_not_found" }],
    ["an empty account", { keys: keys(), credits: credits("taken", 0) }, { status: 402, code: "insufficient_credits" }],
  ])("%s: the key", async (_, options, expected) => {
    expect(await servedOf(options)).toEqual({ ...REQUEST, key: "desk", queued: false, ...expected });
  });

  it("too many questions: the key", async () => {
    const questions = Object.fromEntries(Array.from({ length: 401 }, (_, i) => [`q${i}`, QUESTIONS.q]));
    const request = { body: JSON.stringify({ model: "latest", state: "It is.", questions }) };
    const expected = { ...REQUEST, key: "desk", queued: false, status: 422, code: "invalid_request" };
    expect(await servedOf({ keys: keys() }, request)).toEqual(expected);
  });

  it("a decider that fails: the time in the queue, the code and the cause", async () => {
    const cause = new Error("underneath");
    const failing = deciderThat(() => Promise.reject(new DecideError("backend_failed", "The runtime failed.", { cause })));
    expect(await servedOf({ decider: failing })).toEqual({ ...REQUEST, status: 500, code: "backend_failed", cause, queued: true });
  });

  it("an answer that the account cannot pay: its model and usage, but no nanocredits", async () => {
    expect(await servedOf({ keys: keys(), credits: credits("insufficient") })).toEqual({
      ...REQUEST,
      status: 402,
      code: "insufficient_credits",
      key: "desk",
      ...ANSWERED,
    });
  });

  it("a client that disconnects while its answer is computed: the usage, no code and no charge", async () => {
    const client = new AbortController();
    const decider = deciderThat(() => {
      client.abort();
      return Promise.resolve(ANSWER);
    });
    const served = await servedOf({ decider, keys: keys(), credits: credits("taken") }, { signal: client.signal });
    expect(served).toEqual({ ...REQUEST, status: 499, key: "desk", ...ANSWERED });
  });

  it("an unknown path, and a known path with another method", async () => {
    const unknown = { requestId: "r1", method: "POST", route: "none", status: 404, code: "invalid_request", queued: false };
    expect(await servedOf({}, {}, "/nowhere")).toEqual(unknown);
    expect(await servedOf({}, {}, "/v1/models")).toEqual({ ...unknown, route: "models", status: 405 });
  });
});
