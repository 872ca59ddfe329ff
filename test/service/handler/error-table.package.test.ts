import { createDecider } from "umpire";
import { createKeys, keyFromSecret } from "umpire/http";
import type { HandlerOptions, Served } from "umpire/http";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { openSqliteLedger } from "../../../src/service/node/ledger/sqlite/sqlite-ledger.ts";
import { startServer } from "../../support/http-server.ts";
import type { HttpServer } from "../../support/http-server.ts";
import { longRequest, quickRequest } from "../../support/long-requests.ts";
import { PackCopy } from "../../support/pack-copy.ts";
import { sharedDecider as decider } from "../../support/shared-decider.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Every row of the contract's error table, with its real cause, on both paths and over a socket. */

const SEED_PATH = "/decision/v1/model";
const VENDOR_PATH = "/v1/systemone";
const PATHS = [SEED_PATH, VENDOR_PATH];
const REQUEST = { model: "latest", ...quickRequest };
const LONG_REQUEST = { model: "latest", ...longRequest };

/** The vendor's words for statuses. */
const STATUS_TYPES: Readonly<Record<number, string>> = {
  400: "api_usage_error",
  401: "authentication_error",
  402: "api_usage_error",
  404: "not_found",
  405: "api_usage_error",
  413: "api_usage_error",
  415: "api_usage_error",
  429: "rate_limit_error",
  500: "internal_error",
  503: "internal_error",
  529: "overloaded_error",
};

interface Expected {
  readonly status: number;
  readonly code: string;
  readonly type: string;
  readonly message: RegExp;
  /** Default: null. */
  readonly param?: string;
  /** Default: the error once more. */
  readonly detail?: unknown;
  readonly issues?: unknown;
  /** Seconds, at least. Default: no such header. */
  readonly retryAfter?: number;
}

let server: HttpServer | undefined;
const observed: Served[] = [];
afterEach(async () => {
  await server?.close();
  server = undefined;
  observed.length = 0;
});

async function start(options: Partial<HandlerOptions> = {}): Promise<void> {
  server = await startServer({ decider, onServed: (served) => void observed.push(served), ...options });
}

const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${server?.url}${path}`, init);
const post = (path: string, body: unknown, init: RequestInit = {}): Promise<Response> =>
  ask(path, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), ...init });

async function expectError(response: Response, path: string, expected: Expected): Promise<void> {
  const { status, code, type, message, param = null, issues, retryAfter } = expected;
  const body = (await response.json()) as { error: { message: string }; detail: unknown };
  expect(response.status, body.error.message).toBe(status);
  const text = body.error.message;
  expect(text).toMatch(message);
  expect(body).toEqual({
    error: { message: text, type, code, param, ...(issues !== undefined && { x_issues: issues }) },
    detail: expected.detail ?? { error_type: STATUS_TYPES[status], message: text },
  });
  const { headers } = response;
  expect(headers.get("content-type")).toBe("application/json");
  const id = headers.get("x-request-id");
  expect(id).toMatch(/^[\da-f-]{36}$/u);
  expect(headers.get("request-id")).toBe(id);
  expect(headers.get("x-typesafe-request-id")).toBe(path.startsWith("/v1/") ? id : null);
  if (retryAfter === undefined) expect(headers.get("retry-after")).toBeNull();
  else expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(retryAfter);
  expect(observed.at(-1)).toMatchObject({ requestId: id, status, code });
}

/** Runs `others` while another request is being answered. */
async function whileBusy(others: () => Promise<void>): Promise<void> {
  const caller = new AbortController();
  const long = post(SEED_PATH, LONG_REQUEST, { signal: caller.signal }).catch(() => undefined);
  while (decider.stats().pendingCalls === 0) await new Promise(setImmediate);
  try {
    await others();
  } finally {
    caller.abort();
    await long;
    while (decider.stats().pendingCalls > 0) await new Promise(setImmediate);
  }
}

describe.each(PATHS)("at %s", (path) => {
  it("invalid_request: 422 with every issue", async () => {
    await start();
    const detail = [
      { loc: ["body", "model"], msg: expect.any(String) as string, type: "missing" },
      { loc: ["body", "state"], msg: "must be a string, an object or an array, but is a number", type: "wrong_type" },
      {
        loc: ["body", "questions", "a", "criteria"],
        msg: 'must hold at least 2 options, such as { "billing": null, "other": null }, but holds 1',
        type: "too_few",
      },
    ];
    const response = await post(path, { state: 7, questions: { a: { type: "choice", instructions: "Which?", criteria: { b: null } } } });
    await expectError(response, path, {
      status: 422,
      code: "invalid_request",
      type: "invalid_request_error",
      message: /^The request is not valid: .*\(the first of 3 issues\)\.$/u,
      param: "model",
      detail,
    });
  });

  it("invalid_request: of many issues, the first hundred are listed and the others counted", async () => {
    await start();
    const criteria = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [i, 7]));
    const questions = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`q${i}`, { type: "choice", instructions: "?", criteria }]));
    const body = (await (await post(path, { ...REQUEST, questions })).json()) as {
      error: { x_issues_left_out: number };
      detail: unknown[];
    };
    expect([body.detail.length, body.error.x_issues_left_out]).toEqual([100, 3900]);
  });

  it("invalid_request: of issues with long names, as many are listed as a reply has room for", async () => {
    await start();
    const criteria = Object.fromEntries(Array.from({ length: 255 }, (_, i) => [i, 7]));
    const questions = { ["x".repeat(10_000)]: { type: "choice", instructions: "Which?", criteria } };
    const response = await post(path, { ...REQUEST, questions });
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text.length).toBeLessThan(100_000);
    const body = JSON.parse(text) as { error: { x_issues_left_out: number }; detail: unknown[] };
    expect([body.detail.length, body.error.x_issues_left_out]).toEqual([6, 249]);
  });

  it("invalid_request: a body with too many questions is refused for that alone, whatever else is wrong with it", async () => {
    await start();
    const questions = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`q${i}`, 1]));
    const detail = [
      { loc: ["body", "questions"], msg: "must hold at most 400 questions in one request, but holds 60000", type: "too_many" },
    ];
    const message = /^The request is too large for this service: .* Split it into several requests\.$/u;
    const response = await post(path, { ...REQUEST, questions });
    await expectError(response, path, {
      status: 422,
      code: "invalid_request",
      type: "invalid_request_error",
      message,
      param: "questions",
      detail,
    });
  });

  it("invalid_request: an id of a megabyte is counted, and no reply and no issue repeats it", async () => {
    await start();
    const criteria = Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`k${i}`, "!".repeat(260)]));
    const questions = { ["x".repeat(970_000)]: { type: "choice", instructions: "Which?", criteria } };
    const response = await post(path, { ...REQUEST, questions });
    const detail = [
      {
        loc: ["body", "questions"],
        msg: "must hold names of at most 16384 characters, but name 1 of 1 has 970000",
        type: "too_long",
      },
    ];
    await expectError(response, path, {
      status: 422,
      code: "invalid_request",
      type: "invalid_request_error",
      message: /name 1 of 1 has 970000\.$/u,
      param: "questions",
      detail,
    });
  });

  it.each<[string, string, RegExp, RegExp, Record<string, string>?]>([
    ["that is not JSON", '{"model":', /cannot be parsed \(length 9\)/u, /^is not JSON: it cannot be parsed$/u],
    ["that is empty", "", /has no body: send a JSON object/u, /^is empty: send a JSON object$/u],
    ["that cannot be decompressed", "{}", /cannot be decompressed/u, /decompressed/u, { "content-encoding": "gzip" }],
  ])("invalid_request: 400, or 422 on the vendor's path, for a body %s", async (_, body, message, msg, headers = {}) => {
    await start();
    const issues = [{ loc: ["body"], msg: expect.stringMatching(msg) as string, type: "not_json" }];
    const listed = path === VENDOR_PATH ? { status: 422, detail: issues } : { status: 400, issues };
    const response = await post(path, body, { headers });
    await expectError(response, path, { ...listed, code: "invalid_request", type: "invalid_request_error", message });
  });

  it("invalid_request: 415 for an unsupported encoding", async () => {
    await start();
    const response = await post(path, REQUEST, { headers: { "content-encoding": "br" } });
    const message = /Use one of: identity, gzip, deflate(?:, zstd)?\./u;
    await expectError(response, path, { status: 415, code: "invalid_request", type: "invalid_request_error", message });
  });

  it("input_too_long: 413 above the model's token budget, naming the part that is too long", async () => {
    await start();
    const response = await post(path, { ...REQUEST, state: "cat ".repeat(20_000) });
    const issues = [{ loc: ["body", "state"], msg: expect.any(String) as string, type: "too_long" }];
    const message = /\d+ tokens/u;
    await expectError(response, path, {
      status: 413,
      code: "input_too_long",
      type: "invalid_request_error",
      param: "state",
      message,
      issues,
    });
  });

  it("input_too_long: 413 with the first issues of hundreds, each at its place", async () => {
    await start();
    const criteria = Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`k${i}`, "!".repeat(260)]));
    const listedFor = async (id: string): Promise<{ places: unknown[]; leftOut: number }> => {
      const response = await post(path, { ...REQUEST, questions: { [id]: { type: "choice", instructions: "Which?", criteria } } });
      expect(response.status).toBe(413);
      const { error } = (await response.json()) as { error: { x_issues: { loc: unknown[] }[]; x_issues_left_out: number } };
      return { places: error.x_issues.map(({ loc }) => loc), leftOut: error.x_issues_left_out };
    };
    const placesOf = (id: string, count: number): unknown[] =>
      Array.from({ length: count }, (_, i) => ["body", "questions", id, "criteria", `k${i}`]);
    expect(await listedFor("q")).toEqual({ places: placesOf("q", 100), leftOut: 155 });
    const long = "x".repeat(16_384);
    expect(await listedFor(long)).toEqual({ places: placesOf(long, 3), leftOut: 252 });
  });

  it("input_too_long: 413 above the size limit of a body", async () => {
    await start({ limits: { bodyBytes: 1000 } });
    const response = await post(path, { ...REQUEST, state: "cat ".repeat(1000) });
    const issues = [{ loc: ["body"], msg: "has more than 1000 bytes", type: "too_long" }];
    const message = /more than 1000 bytes/u;
    await expectError(response, path, { status: 413, code: "input_too_long", type: "invalid_request_error", message, issues });
  });

  it.each([
    ["without a key", {}],
    ["with a wrong key", { authorization: "Bearer wrong" }],
  ])("unauthorized: 401 %s", async (_, headers) => {
    await start({ keys: createKeys([await keyFromSecret("desk", "s3cret")]) });
    const response = await post(path, REQUEST, { headers });
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    const message = /Authorization: Bearer/u;
    await expectError(response, path, { status: 401, code: "unauthorized", type: "authentication_error", message });
  });

  it.each([
    ["if there are none", 0, /no credits left/u],
    ["if there are too few", 1, /too few credits/u],
  ])("insufficient_credits: 402 %s", async (_, nanocredits, message) => {
    const ledger = await openSqliteLedger(join(tempDir(), "credits.db"));
    try {
      if (nanocredits > 0) await ledger.topUp("desk", nanocredits);
      const prices = { "*": { inputPerMillion: 1, outputPerMillion: 1 } };
      await start({ keys: createKeys([await keyFromSecret("desk", "s3cret")]), credits: { ledger, prices } });
      const response = await post(path, REQUEST, { headers: { authorization: "Bearer s3cret" } });
      await expectError(response, path, { status: 402, code: "insufficient_credits", type: "billing_error", message });
    } finally {
      await ledger.close();
    }
  });

  it("model_not_found: 404, listing the models", async () => {
    await start();
    const message = /There are: umpire-2, latest, jev-latest/u;
    const response = await post(path, { ...REQUEST, model: "umpire-0" });
    await expectError(response, path, { status: 404, code: "model_not_found", type: "not_found_error", message });
  });

  it("overloaded: 429, or 529 on the vendor's path, at once if the queue is full", async () => {
    await start({ limits: { waitingRequests: 0 } });
    await whileBusy(async () => {
      const response = await post(path, REQUEST);
      // The other request is still being answered.
      expect(decider.stats().pendingCalls).toBe(1);
      const status = path === VENDOR_PATH ? 529 : 429;
      const message = /is overloaded/u;
      await expectError(response, path, { status, code: "overloaded", type: "overloaded_error", message, retryAfter: 1 });
    });
    // The turn of a request that was stopped ends when the model has stopped.
    await expect.poll(async () => (await post(path, REQUEST)).status).toBe(200);
  });

  it("overloaded: 429 for a key above its rate limit, on both paths", async () => {
    await start({ limits: { requestsPerMinute: 4 } });
    let response = await post(path, REQUEST);
    while (response.status === 200) response = await post(path, REQUEST);
    const message = /Try again in \d+ s/u;
    await expectError(response, path, { status: 429, code: "overloaded", type: "overloaded_error", message, retryAfter: 1 });
  });

  it("closed: 503 once the decider is closed", async () => {
    const closed = createDecider();
    await closed.close();
    await start({ decider: closed });
    const response = await post(path, REQUEST);
    await expectError(response, path, { status: 503, code: "closed", type: "api_error", message: /is closed/u });
  });

  it("internal: 500 for any other error, without its text", async () => {
    await start({ keys: { find: () => Promise.reject(new Error("the key store's own words")) } });
    const response = await post(path, REQUEST, { headers: { authorization: "Bearer s3cret" } });
    const message = /^(?!.*own words).*should never fail/u;
    await expectError(response, path, { status: 500, code: "internal", type: "api_error", message });
    expect(observed.at(-1)?.cause).toMatchObject({ message: "the key store's own words" });
  });
});

/** What needs a decider of its own is asked for on both paths in one test. */
describe("at both paths", () => {
  it("model_invalid: 500 for a damaged pack, without its path", async () => {
    const pack = await PackCopy.make();
    await pack.flipBit("tokenizer.json", 1000);
    await using damaged = createDecider({ model: pack.url });
    await start({ decider: damaged });
    for (const path of PATHS) {
      const response = await post(path, REQUEST);
      const message = /^(?!.*\/).*model/u;
      await expectError(response, path, { status: 500, code: "model_invalid", type: "api_error", message });
      // The operator sees it in the log.
      expect(String(observed.at(-1)?.cause)).toContain("tokenizer.json");
    }
    await pack.remove();
  });

  it("backend_unavailable: 503 without the device that was asked for", async () => {
    await using elsewhere = createDecider({ device: "webgpu" });
    await start({ decider: elsewhere });
    for (const path of PATHS) {
      const response = await post(path, REQUEST);
      const message = /device must be "auto", "cpu" or "wasm"/u;
      await expectError(response, path, { status: 503, code: "backend_unavailable", type: "api_error", message });
    }
  });

  it("backend_failed: 500 if the runtime throws; the next request is answered", async () => {
    // A token beyond the model's vocabulary: the runtime finds no row for it. The self-test does not use it.
    const pack = await PackCopy.make();
    const tokenizer = JSON.parse(Buffer.from(await pack.read("tokenizer.json")).toString()) as { model: { vocab: Record<string, number> } };
    tokenizer.model.vocab["zebra"] = 10_000_000;
    await pack.write("tokenizer.json", JSON.stringify(tokenizer));
    await pack.seal();
    await using failing = createDecider({ model: pack.url });
    await start({ decider: failing });
    for (const path of PATHS) {
      const response = await post(path, { ...REQUEST, state: "A zebra crossed the road." });
      await expectError(response, path, { status: 500, code: "backend_failed", type: "api_error", message: /^The runtime failed/u });
      expect((await post(path, REQUEST)).status).toBe(200);
    }
    await pack.remove();
  });

  it("worker_lost: 503 if the worker dies; the next request is answered", async () => {
    const workers: Worker[] = [];
    const onWorker = (worker: Worker): void => void workers.push(worker);
    process.on("worker", onWorker);
    onTestFinished(() => void process.off("worker", onWorker));
    await using own = createDecider({ threads: 1 });
    await start({ decider: own });
    for (const path of PATHS) {
      const response = post(path, LONG_REQUEST);
      while (own.stats().pendingCalls === 0) await new Promise(setImmediate);
      await own.info();
      await workers.at(-1)?.terminate();
      const message = /Repeat the call: it starts a new worker/u;
      await expectError(await response, path, { status: 503, code: "worker_lost", type: "api_error", message });
      expect((await post(path, REQUEST)).status).toBe(200);
    }
  });
});

describe("beside the table:", () => {
  it.each(["/", "/v1", "/v1/systemone/", "/decision/v1/model/x", "/decision//v1/model"])("%s is 404", async (path) => {
    await start();
    const message = /nothing at this path/u;
    await expectError(await ask(path), "/", { status: 404, code: "invalid_request", type: "invalid_request_error", message });
  });

  it.each([
    ["GET", SEED_PATH, "POST"],
    ["PUT", VENDOR_PATH, "POST"],
    ["DELETE", "/v1/models", "GET"],
    ["POST", "/decision/v1/models", "GET"],
    ["OPTIONS", "/openapi.json", "GET"],
  ])("%s %s is 405, naming the allowed methods", async (method, path, allowed) => {
    await start();
    const response = await ask(path, { method });
    expect(response.headers.get("allow")).toContain(allowed);
    const message = /answers/u;
    await expectError(response, path, { status: 405, code: "invalid_request", type: "invalid_request_error", message });
  });

  it("a failure to list models is an error of the same shape", async () => {
    const closed = createDecider();
    await closed.close();
    await start({ decider: closed });
    for (const path of ["/v1/models", "/decision/v1/models"]) {
      await expectError(await ask(path), path, { status: 503, code: "closed", type: "api_error", message: /is closed/u });
    }
  });
});
