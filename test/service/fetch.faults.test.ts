import OpenAI, { APIConnectionTimeoutError, AzureOpenAI, NotFoundError } from "openai";
import { createFetch } from "umpire/fetch";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { rejection } from "../support/rejection.ts";
import { sharedDecider } from "../support/shared-decider.ts";
import { foreignBodies } from "../support/foreign-bodies.ts";

/** What clients ask a fetch for besides the plain call: other forms of an address, of a body and of an end. */

const BODY = JSON.stringify({
  model: "latest",
  input: "Nobody answers my e-mails.",
  questions: [{ type: "predicate", instructions: "Is the customer angry?" }],
});
const PREDICATE = JSON.parse(BODY) as OpenAI.DecisionCreateParams;
const URL_OF_OPENAI = "https://api.openai.com/v1/decisions";
const passed = vi.fn(() => Promise.resolve(new Response("passed")));
const fetch = createFetch({ decider: sharedDecider });
const passing = createFetch({ decider: sharedDecider, passThrough: passed });

const probability = async (reply: Response): Promise<number | undefined> => {
  expect(reply.status).toBe(200);
  return ((await reply.json()) as { answers: { probability: number }[] }).answers[0]?.probability;
};
const expected = await probability(await fetch(URL_OF_OPENAI, { method: "POST", body: BODY }));

describe("the address of a decision", () => {
  it.each([
    "https://api.openai.com/v1/decisions/",
    "https://api.openai.com//v1//decisions",
    "https://api.openai.com/v1/decisions?api-version=2026-10-01#part",
    "http://user.example:8080/gateway/eu/v1/decisions",
    "https://desk.openai.azure.com/openai/decisions?api-version=2026-10-01",
    "https://desk.openai.azure.com/openai/v1/decisions?api-version=preview",
    "/v1/decisions",
    new URL(URL_OF_OPENAI),
  ])("may be %s, and nothing is passed on", async (url) => {
    passed.mockClear();
    expect(await probability(await passing(url, { method: "POST", body: BODY }))).toBe(expected);
    expect(passed).not.toHaveBeenCalled();
  });

  it("may be that of OpenAI's client for Azure", async () => {
    const azure = new AzureOpenAI({ apiKey: "local", apiVersion: "2026-10-01", endpoint: "https://desk.openai.azure.com", fetch });
    const { answers } = await azure.decisions.create(PREDICATE);
    expect(answers[0]).toMatchObject({ type: "predicate", probability: expected });
  });

  it.each(["https://x.test/rev1/decisions", "https://x.test/v1/decisions/7", "https://x.test/v1/decisionsx", "/v1/responses"])(
    "is not %s",
    async (url) => {
      passed.mockClear();
      const init = { method: "POST", body: BODY };
      expect(await (await passing(url, init)).text()).toBe("passed");
      expect(passed.mock.calls).toEqual([[url, init]]);
    },
  );
});

describe("any other request", () => {
  it("is told about passThrough where there is none", async () => {
    const openai = new OpenAI({ apiKey: "local", fetch, maxRetries: 0 });
    const error = await rejection(() => openai.responses.create({ model: "gpt-6", input: "Hello" }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(String(error)).toMatch(/answers decisions alone.*give createFetch\(\) a passThrough/u);
  });

  it("with a body that was not read is passed on as it came", async () => {
    passed.mockClear();
    const request = new Request("https://api.openai.com/v1/responses", { method: "POST", body: "{}" });
    await passing(request);
    expect(passed.mock.calls).toEqual([[request, undefined]]);
    expect(await request.text()).toBe("{}");
  });
});

describe("a body", () => {
  const bytes = new TextEncoder().encode(BODY);
  const streamed = (): ReadableStream => new Blob([bytes.subarray(0, 30), bytes.subarray(30)]).stream();

  it.each<[string, () => RequestInit & { duplex?: "half" }]>([
    ["bytes", () => ({ body: bytes })],
    ["a Blob", () => ({ body: new Blob([BODY]) })],
    ["a stream", () => ({ body: streamed(), duplex: "half" })],
    ["compressed bytes", () => ({ body: gzipSync(BODY), headers: { "content-encoding": "gzip" } })],
  ])("may be %s", async (_, init) => {
    expect(await probability(await fetch(URL_OF_OPENAI, { method: "POST", ...init() }))).toBe(expected);
    expect(await probability(await fetch(new Request(URL_OF_OPENAI, { method: "POST", ...init() })))).toBe(expected);
    // What is given beside a Request stands before what it has.
    expect(await probability(await fetch(new Request(URL_OF_OPENAI), { method: "POST", ...init() }))).toBe(expected);
  });

  it("that was read already is refused as by any fetch", async () => {
    const request = new Request(URL_OF_OPENAI, { method: "POST", body: BODY });
    await fetch(request);
    expect(await rejection(() => fetch(request))).toBeInstanceOf(TypeError);
  });

  it.each(["GET", "HEAD", "DELETE", "OPTIONS"])("is asked for: %s has 405, and is not passed on", async (method) => {
    passed.mockClear();
    const reply = await passing(URL_OF_OPENAI, { method });
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
    expect(passed).not.toHaveBeenCalled();
  });
});

describe("a text that is too long", () => {
  it.each([
    ["input", { ...PREDICATE, input: "cat ".repeat(20_000) }],
    [
      "questions.1.choices.1",
      {
        ...PREDICATE,
        questions: [
          ...PREDICATE.questions,
          { type: "choice" as const, instructions: "Which?", choices: [{ value: true }, { value: "cat ".repeat(2000) }] },
        ],
      },
    ],
  ])("is named by its place in the caller's own request: %s", async (place, body) => {
    const openai = new OpenAI({ apiKey: "local", fetch, maxRetries: 0 });
    expect(await rejection(() => openai.decisions.create(body))).toMatchObject({
      status: 413,
      param: place,
      message: expect.stringContaining(`The request is too long: ${place} has `) as string,
    });
  });
});

describe("a signal", () => {
  it("ends a call whose body never ends", async () => {
    const controller = new AbortController();
    let isRead = false;
    const body = new ReadableStream({ pull: () => void (isRead = true) }, { highWaterMark: 0 });
    const init = { method: "POST", body, duplex: "half", signal: controller.signal } as RequestInit;
    const call = rejection(() => fetch(URL_OF_OPENAI, init));
    await expect.poll(() => isRead).toBe(true);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await call).toBe(reason);
  });

  it("ends the work, and the next call is answered", async () => {
    const controller = new AbortController();
    const long = JSON.stringify({ ...PREDICATE, input: "cat ".repeat(12_000) });
    const call = rejection(() => fetch(URL_OF_OPENAI, { method: "POST", body: long, signal: controller.signal }));
    await expect.poll(() => sharedDecider.stats().pendingCalls).toBe(1);
    controller.abort();
    expect(await call).toMatchObject({ name: "AbortError" });
    await expect.poll(() => sharedDecider.stats().pendingCalls).toBe(0);
    expect(await probability(await fetch(URL_OF_OPENAI, { method: "POST", body: BODY }))).toBe(expected);
  });

  it("is how a client keeps its time limit", async () => {
    const openai = new OpenAI({ apiKey: "local", fetch, maxRetries: 0, timeout: 1 });
    const call = openai.decisions.create({ ...PREDICATE, input: "cat ".repeat(12_000) });
    expect(await rejection(() => call)).toBeInstanceOf(APIConnectionTimeoutError);
  });
});

describe("mutated bodies", () => {
  const COUNT = 200;

  it(`${COUNT} of them are answered or refused: nothing rejects, is passed on, or comes back in an error`, async () => {
    passed.mockClear();
    const complaints: unknown[] = [];
    for (const { path, bytes, headers } of foreignBodies(COUNT, 6, "plantedtext")) {
      const init = { method: "POST", body: Buffer.from(bytes), headers: { authorization: "Bearer sk-plantedkey", ...headers } };
      const reply = await passing(`https://x.test${path}`, init);
      const text = await reply.text();
      if (reply.status >= 500 || text.includes("plantedkey") || (reply.status !== 200 && text.includes("planted"))) complaints.push(text);
    }
    expect(complaints).toEqual([]);
    expect(passed).not.toHaveBeenCalled();
  });
});
