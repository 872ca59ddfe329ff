import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI, { AuthenticationError } from "openai";
import { TypeSafeClient } from "@typesafe-ai/sdk";
import { afterEach, describe, expect, it } from "vitest";
import type { DecideError } from "umpire";
import { rejection } from "../../../support/rejection.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { running } from "../running.ts";
import type { Running } from "../running.ts";
import { answering, replyTo, sendJson, startHostedApi, USAGE } from "./hosted-api.ts";
import type { HostedApi } from "./hosted-api.ts";

/** A hosted API behind the service, before anything is switched. test/service/node/upstream/ has what follows. */

const KEY = "sk-the-caller's-own-1234567890";
const STATE = "My card was charged twice, says Ada Lovelace.";
const TEAM = { type: "choice", instructions: "Which team?", criteria: { sales: null, billing: "invoices, payments" } } as const;
const ANGRY = { type: "noul", instructions: "Is the customer angry?" } as const;
const BAD = { type: "score", instructions: "How bad is it?", criteria: ["a trifle", "a nuisance", "an emergency"] } as const;
const QUESTIONS = { team: TEAM, angry: ANGRY, bad: BAD };
/** The second option or level, and no. */
const second = answering(() => 1);

let api: HostedApi | undefined;
let service: Running | undefined;
afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
  service = api = undefined;
});

async function start(
  options: object = {},
  fixed?: Parameters<typeof running>[1],
): Promise<{ api: HostedApi; service: Running; store: string }> {
  api = await startHostedApi(second);
  const store = join(tempDir(), "observed.db");
  service = await running({ upstream: { url: api.url, store, ...options } }, fixed);
  return { api, service, store };
}

function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, {
    method: "POST",
    body: text,
    headers: { "content-type": "application/json", authorization: `Bearer ${KEY}`, ...headers },
  });
}

async function untilObserved({ metrics }: Running): Promise<void> {
  while (!/^umpire_upstream_waiting 0$/mu.test(await metrics())) await sleep(5);
}

describe("with a hosted API behind it, the service", () => {
  it("passes a request on as it came, with the caller's key and nothing else of the caller's, and answers with what comes back", async () => {
    const { api, service } = await start();
    const text = `{ "model":"hosted-latest", "state": {"n": 12345678901234567890, "text":"${STATE}"},\n "questions": ${JSON.stringify(QUESTIONS)} }`;
    const response = await post(`${service.server.url}/decision/v1/model?beta=1`, text, {
      "x-request-id": "mine-1",
      cookie: "a=b",
      "x-secret": "no",
    });
    const { answers } = replyTo(text, () => 1) as { answers: Record<string, object> };
    expect(await response.json()).toEqual({
      model: "hosted-1",
      answers: Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, { ...answer, x_source: "upstream" }])),
      usage: USAGE,
    });
    expect(response.headers.get("x-request-id")).toBe("mine-1");
    const [request] = api.requests;
    expect({ path: request?.path, text: request?.text }).toEqual({ path: "/decision/v1/model?beta=1", text });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      "x-request-id": "mine-1",
      "content-type": "application/json",
    });
    expect(Object.keys(request?.headers ?? {})).not.toEqual(expect.arrayContaining(["cookie"]));
    expect(Object.keys(request?.headers ?? {})).not.toContain("x-secret");
  });

  it("speaks every wire, to the same path below the hosted API", async () => {
    const { api, service } = await start();
    const { url } = service.server;
    const openai = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 });
    const { model, answers, usage } = await openai.decisions.create({
      model: "gpt-6-luna",
      input: STATE,
      questions: [
        { type: "predicate", name: "angry", instructions: ANGRY.instructions },
        { type: "choice", instructions: "Which?", choices: [{ value: "sales" }, { value: true, description: "money" }] },
        { type: "score", instructions: BAD.instructions, levels: [{ label: "low" }, { label: "high" }] },
      ],
    });
    expect({ model, usage }).toEqual({ model: "hosted-1", usage: USAGE });
    expect(answers).toMatchObject([
      { type: "predicate", name: "angry", probability: 0.25, x_source: "upstream" },
      { type: "choice", name: null, choice: true, x_source: "upstream" },
      { type: "score", score: 1, x_source: "upstream" },
    ]);
    const vendor = new TypeSafeClient({ apiKey: KEY, baseURL: url });
    const decided = await vendor.systemOne({ model: "jev-1", state: STATE, questions: { team: TEAM } });
    expect(decided.answers.team.choice).toBe("billing");
    const routed = await post(`${url}/api/alpha/decisions`, { model: "x", state: STATE, questions: { angry: ANGRY } });
    expect(await routed.json()).toMatchObject({ answers: { angry: { noul: 0.25, x_source: "upstream" } } });
    // A gateway sends the first vendor's body to OpenAI's path.
    const gateway = await post(`${url}/v1/decisions`, { model: "x", state: STATE, questions: { angry: ANGRY } });
    expect(await gateway.json()).toMatchObject({ answers: { angry: { x_source: "upstream" } } });
    expect(api.requests.map(({ path }) => path)).toEqual(["/v1/decisions", "/v1/systemone", "/api/alpha/decisions", "/v1/decisions"]);
    expect(api.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  });

  it("passes on what the hosted API refuses: status, body and Retry-After, also with a fallback where it is about the request", async () => {
    const { api, service } = await start({ fallback: "local" });
    const refused = { error: { message: "Incorrect API key", type: "invalid_request_error", code: "invalid_api_key" }, more: [1] };
    for (const status of [400, 401, 403, 404, 422]) {
      api.behave((_, response) => {
        sendJson(response, status, refused, { "retry-after": "7", "x-other": "1" });
      });
      const response = await post(`${service.server.url}/decision/v1/model`, { model: "m", state: STATE, questions: QUESTIONS });
      expect({ status: response.status, body: (await response.json()) as object, after: response.headers.get("retry-after") }).toEqual({
        status,
        body: refused,
        after: "7",
      });
      expect(response.headers.get("x-other")).toBeNull();
    }
    const openai = new OpenAI({ apiKey: KEY, baseURL: `${service.server.url}/v1`, maxRetries: 0 });
    api.behave((_, response) => {
      sendJson(response, 401, refused);
    });
    const error = await rejection(() =>
      openai.decisions.create({ model: "m", input: "x", questions: [{ type: "predicate", instructions: "Is it?" }] }),
    );
    expect(error).toBeInstanceOf(AuthenticationError);
  });

  it("checks a request itself, before anything is passed on", async () => {
    const { api, service } = await start();
    const response = await post(`${service.server.url}/decision/v1/model`, {
      model: "m",
      state: STATE,
      questions: { team: { ...TEAM, criteria: {} } },
    });
    expect(response.status).toBe(422);
    expect(api.requests).toEqual([]);
  });

  it("answers here what the hosted API fails to answer, if it is told to, and says so", async () => {
    const { api, service } = await start({ fallback: "local" });
    for (const status of [429, 500, 503]) {
      api.behave((_, response) => {
        sendJson(response, status, { error: { message: "busy" } });
      });
      const response = await post(`${service.server.url}/decision/v1/model`, { model: "m", state: STATE, questions: QUESTIONS });
      const { model, answers, usage } = (await response.json()) as {
        model: string;
        answers: Record<string, { x_source: string }>;
        usage: object;
      };
      expect({ status: response.status, model, usage }).toEqual({
        status: 200,
        model: "umpire-2",
        usage: { input_tokens: 0, output_tokens: 0 },
      });
      expect(Object.values(answers).map(({ x_source }) => x_source)).toEqual(["local", "local", "local"]);
    }
    const openai = new OpenAI({ apiKey: KEY, baseURL: `${service.server.url}/v1`, maxRetries: 0 });
    const { answers } = await openai.decisions.create({
      model: "m",
      input: STATE,
      questions: [{ type: "predicate", name: "a", instructions: "Is it money?" }],
    });
    expect(answers).toMatchObject([{ type: "predicate", name: "a", x_source: "local" }]);
    expect(await service.metrics()).toMatch(/^umpire_upstream_failures_total\{reason="status"\} 4$/mu);
    expect(service.log.filter((line) => line.includes('"localAnswers":3'))).toHaveLength(3);
  });

  it("keeps neither texts nor keys: not in its file, its log, its metrics, or the agreement's page", async () => {
    const { api, service, store } = await start();
    await post(`${service.server.url}/decision/v1/model`, { model: "m", state: STATE, questions: QUESTIONS });
    api.behave((_, response) => {
      response.writeHead(500);
      response.end(`Bearer ${KEY}: ${STATE}`);
    });
    const broken = await post(`${service.server.url}/decision/v1/model`, { model: "m", state: STATE, questions: QUESTIONS });
    const said = await broken.text();
    await untilObserved(service);
    const page = await (await fetch(`${service.server.url}/agreement`, { headers: { accept: "text/html" } })).text();
    expect(page).toContain("<td>Which team?</td>");
    const seen = [said, page, await service.metrics(), ...service.log].join("\n");
    await service[Symbol.asyncDispose]();
    const folder = join(store, "..");
    const kept = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "latin1"))
      .join("\n");
    expect(kept).toContain("umpire_reading");
    for (const secret of [KEY, "sk-the", STATE, "Lovelace"]) for (const place of [seen, kept]) expect(place).not.toContain(secret);
  });

  it("shows for each question how far it agrees, to this machine or by the metrics' secret alone", async () => {
    const { service } = await start();
    for (const criteria of [TEAM.criteria, { billing: TEAM.criteria.billing, sales: null }])
      await post(`${service.server.url}/decision/v1/model`, { model: "m", state: STATE, questions: { any: { ...TEAM, criteria } } });
    await post(`${service.server.url}/decision/v1/model`, { model: "other", state: STATE, questions: { any: TEAM } });
    await untilObserved(service);
    const { questions } = (await (await fetch(`${service.server.url}/agreement`)).json()) as {
      questions: { model: string; calls: number; status: string; compared: number }[];
    };
    // Options in another order are the same question; another model is another one.
    expect(questions.map(({ model, calls, status, compared }) => ({ model, calls, status, compared }))).toEqual([
      { model: "m", calls: 2, status: "observing", compared: 2 },
      { model: "other", calls: 1, status: "observing", compared: 1 },
    ]);
    await service[Symbol.asyncDispose]();
    const guarded = await running({ metricsSecret: "s3cret", upstream: { url: "https://hosted.invalid", store: join(tempDir(), "o.db") } });
    try {
      expect((await fetch(`${guarded.server.url}/agreement`)).status).toBe(401);
      expect((await fetch(`${guarded.server.url}/agreement`, { headers: { authorization: "Bearer s3cret" } })).status).toBe(200);
    } finally {
      await guarded[Symbol.asyncDispose]();
    }
  });

  it("refuses a file that another server writes, and one of another hosted API", async () => {
    const { store } = await start();
    const again = await rejection(() => running({ upstream: { url: "https://hosted.invalid", store } }));
    expect(String(again)).toContain("Another server writes to this file of observations.");
    await service?.[Symbol.asyncDispose]();
    const other = await rejection(() => running({ upstream: { url: "https://hosted.invalid", store } }));
    expect(String(other)).toContain("The file of observations is of another hosted API.");
  });

  it("refuses keys, credits and lessons beside it, and an address that would show the key on its way", async () => {
    const upstream = { url: "http://api.example.com" };
    const error = await rejection(() => running({ upstream, lessons: "lessons", keyFile: "keys.json" }));
    expect(String(error)).toMatch(/https URL like https:\/\/api\.openai\.com/u);
    expect((error as DecideError).issues?.map(({ loc }) => loc.at(-1))).toEqual(["url", "keyFile", "lessons"]);
  });
});

it("without one, nothing of it is there: no page, no metric, no file", async () => {
  await using alone = await running();
  expect((await fetch(`${alone.server.url}/agreement`)).status).toBe(404);
  expect(await alone.metrics()).not.toContain("upstream");
  expect(existsSync("umpire-upstream.db")).toBe(false);
});
