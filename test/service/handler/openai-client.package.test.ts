import OpenAI, {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from "openai";
import type { DecisionCreateParams } from "openai/resources/decisions";
import { createDecider } from "umpire";
import { createHandler, createKeys, keyFromSecret } from "umpire/http";
import type { HandlerOptions, Served } from "umpire/http";
import { afterEach, describe, expect, it } from "vitest";
import { startServer } from "../../support/http-server.ts";
import type { HttpServer } from "../../support/http-server.ts";
import { rejection } from "../../support/rejection.ts";
import { sharedDecider as decider } from "../../support/shared-decider.ts";
import { UNHURRIED } from "../../support/unhurried.ts";

/** OpenAI's official package for JavaScript, unchanged, against our service. */

const KEY = "sk-test-1";
const STATE = "My card was charged twice for one order, and nobody answers my e-mails.";
const BODY: DecisionCreateParams = {
  model: "latest",
  input: STATE,
  questions: [
    { type: "predicate", name: "angry", instructions: "Is the customer angry?" },
    {
      type: "choice",
      instructions: "What is this about?",
      choices: [{ value: "billing", description: "Money, cards, invoices" }, { value: "delivery" }, { value: true }],
    },
    { type: "score", name: "severity", instructions: "How severe is it?", levels: [{ label: "a trifle" }, { label: "an emergency" }] },
  ],
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

type Connect = (options?: Partial<HandlerOptions>, apiKey?: string) => Promise<OpenAI>;
const SETTINGS = { maxRetries: 0, timeout: 600_000 };
const overHttp: Connect = async (options = {}, apiKey = KEY) => {
  server = await startServer(settings(options));
  return new OpenAI({ ...SETTINGS, apiKey, baseURL: `${server.url}/v1` });
};
const inProcess: Connect = (options = {}, apiKey = KEY) =>
  Promise.resolve(new OpenAI({ ...SETTINGS, apiKey, baseURL: "http://umpire.local/v1", fetch: createHandler(settings(options)) }));

describe.each([
  ["over HTTP", overHttp],
  ["in process, as its fetch", inProcess],
])("OpenAI's client %s", (_, connect) => {
  it("gets every kind of answer in the order of its questions, as the library answers the same questions", async () => {
    const client = await connect();
    const { model, answers, usage } = await client.decisions.create(BODY);
    const own = await decider.decide({
      state: STATE,
      questions: {
        angry: { type: "noul", instructions: "Is the customer angry?" },
        topic: {
          type: "choice",
          instructions: "What is this about?",
          criteria: { billing: "Money, cards, invoices", delivery: null, true: null },
        },
        severity: { type: "score", instructions: "How severe is it?", criteria: ["a trifle", "an emergency"] },
      },
    });
    const { angry, topic, severity } = own.answers;
    const levels = Object.values(severity.probabilities);
    expect(model).toBe(own.model);
    expect(answers).toEqual([
      { type: "predicate", name: "angry", probability: angry.noul, x_accuracy: angry.x_accuracy },
      {
        type: "choice",
        name: null,
        choice: "billing",
        confidence: topic.confidence,
        probabilities: [
          { value: "billing", probability: topic.probabilities.billing },
          { value: "delivery", probability: topic.probabilities.delivery },
          { value: true, probability: topic.probabilities.true },
        ],
        x_accuracy: topic.x_accuracy,
      },
      {
        type: "score",
        name: "severity",
        score: severity.score,
        confidence: severity.confidence,
        probabilities: [
          { label: "a trifle", value: 0, probability: levels[0] },
          { label: "an emergency", value: 1, probability: levels[1] },
        ],
        x_accuracy: severity.x_accuracy,
      },
    ]);
    expect(usage.input_tokens).toBe(own.usage.input_tokens);
    expect(usage.output_tokens).toBe(own.usage.output_tokens);
    expect(usage.total_tokens).toBe(own.usage.input_tokens + own.usage.output_tokens);
    expect(usage.output_tokens_details).toEqual({ reasoning_tokens: 0 });
  });

  it("says how many tokens of the input were still read", async () => {
    const fresh = createDecider({ threads: 1 });
    const client = await connect({ decider: fresh });
    const asked = { ...BODY, input: "The lid of the box is broken." };
    const cached = async (input: string): Promise<unknown[]> => {
      const { usage } = await client.decisions.create({ ...asked, input });
      return [usage.input_tokens_details.cached_tokens, usage.input_tokens_details.cache_write_tokens];
    };
    expect(await cached(asked.input)).toEqual([0, 0]);
    // the lid of the box is broken .
    expect(await cached(asked.input)).toEqual([8, 0]);
    expect(await cached("Another box came.")).toEqual([0, 0]);
    await fresh.close();
  });

  it("has the library's own fields with it: whether to act", async () => {
    const client = await connect();
    const { answers } = await client.decisions.create({ ...BODY, x_max_error_rate: 0.1 } as DecisionCreateParams);
    expect(answers).toEqual(answers.map(() => expect.objectContaining({ x_act: expect.any(Boolean) as boolean }) as object));
  });

  it("names a model as its app does, where the service has that alias; the answer names the model that answered", async () => {
    const named = createDecider({ threads: 1, aliases: { "gpt-6-luna": "latest" } });
    const client = await connect({ decider: named });
    const { model } = await client.decisions.create({ ...BODY, model: "gpt-6-luna" });
    expect(model).toBe((await named.info()).model);
    await named.close();
  });

  const rows: [
    string,
    Partial<DecisionCreateParams>,
    Partial<HandlerOptions>,
    abstract new (...args: never) => APIError,
    RegExp,
    string | null,
  ][] = [
    ["400: no question", { questions: [] }, {}, BadRequestError, /^400 .*questions must hold at least one question/u, "questions"],
    [
      "400: an image",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "https://example.com/a.png" }] }] },
      {},
      BadRequestError,
      /^400 .*"input_image": the model reads text alone/u,
      "input.0.content.0.type",
    ],
    ["404: no such model", { model: "gpt-9" }, {}, NotFoundError, /^404 There is no model "gpt-9"/u, null],
    ["413: too long", { input: "cat ".repeat(20_000) }, {}, APIError, /^413 /u, "input"],
    ["429: the queue is full", {}, { limits: { waitingRequests: 0, requestsPerMinute: 0 } }, RateLimitError, /^429 /u, null],
  ];
  it.each(rows)("throws its own class for %s", async (__, changes, options, errorClass, message, param) => {
    const client = await connect(options);
    const error = (await rejection(() => client.decisions.create({ ...BODY, ...changes }))) as APIError;
    expect(error).toBeInstanceOf(errorClass);
    expect(error.message).toMatch(message);
    expect(error.param).toBe(param);
    expect(error.requestID).toBe(observed.at(-1)?.requestId);
    if (error.status === 429) expect(Number(error.headers?.get("retry-after"))).toBeGreaterThan(0);
  });

  it("throws its own class for a wrong key, and a closed decider", async () => {
    const keys = createKeys([await keyFromSecret("desk", KEY)]);
    const stranger = await connect({ keys }, "sk-wrong");
    expect(await rejection(() => stranger.decisions.create(BODY))).toBeInstanceOf(AuthenticationError);
    await server?.close();
    const closed = createDecider({ threads: 1 });
    await closed.close();
    const client = await connect({ decider: closed });
    expect(await rejection(() => client.decisions.create(BODY))).toBeInstanceOf(InternalServerError);
  });

  it("lists the models", async () => {
    const client = await connect();
    const [model] = await decider.models();
    const listed = (await client.models.list()).data;
    expect(listed.map(({ id }) => id)).toContain(model?.id);
    expect(listed[0]?.created).toBe(Date.parse(model?.releaseDate ?? "") / 1000);
  });

  it("gives up when it is aborted", async () => {
    const client = await connect();
    const signal = AbortSignal.abort();
    expect(await rejection(() => client.decisions.create(BODY, { signal }))).toBeInstanceOf(APIUserAbortError);
  });
});

describe("OpenAI's path", () => {
  const post = (path: string, body: unknown): Promise<Response> =>
    createHandler(settings({}))(`http://umpire.local${path}`, { method: "POST", body: JSON.stringify(body) });

  it("answers the first vendor's body as that: some gateways send it there", async () => {
    const body = { model: "latest", state: STATE, questions: { angry: { type: "noul", instructions: "Is the customer angry?" } } };
    const answer = (await (await post("/v1/decisions", body)).json()) as object;
    expect(answer).toEqual(await (await post("/decision/v1/model", body)).json());
    expect(answer).toEqual(await (await post("/api/alpha/decisions", body)).json());
    expect((await post("/v1/decisions", { ...body, questions: {} })).status).toBe(400);
    expect((await post("/api/alpha/decisions", { ...body, questions: {} })).status).toBe(422);
  });

  it("answers a body that is no JSON with 400, and types of questions that there are not by their names", async () => {
    const reply = await createHandler(settings({}))("http://umpire.local/v1/decisions", { method: "POST", body: "{" });
    expect(reply.status).toBe(400);
    for (const type of ["box", "locate"]) {
      const { error } = (await (
        await post("/api/alpha/decisions", { model: "latest", state: STATE, questions: { it: { type } } })
      ).json()) as {
        error: { message: string };
      };
      expect(error.message).toContain(`"${type}"`);
    }
  });
});
