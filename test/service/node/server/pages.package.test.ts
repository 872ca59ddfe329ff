import { createDecider } from "umpire";
import { createKeys, keyFromSecret, serve } from "umpire/serve";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedDecider } from "../../../support/shared-decider.ts";
import { Gate } from "../gate.ts";
import { running } from "../running.ts";
import type { Running } from "../running.ts";

const SECRET = "sk-marker-4711-of-a-key";
const METRICS_SECRET = "of-the-metrics";

let served: Running;
beforeAll(async () => {
  const keys = createKeys([await keyFromSecret("shop", SECRET)]);
  served = await running({ keys, basePath: "/ai", metricsByKey: true, metricsSecret: METRICS_SECRET });
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

const origin = (): string => `http://127.0.0.1:${served.server.port}`;
const ofMetrics = { authorization: `Bearer ${METRICS_SECRET}` };
const askWith = (state: string, secret: string): Promise<Response> => served.ask(state, { headers: { authorization: `Bearer ${secret}` } });

describe("the service's own pages", () => {
  test.each(["/livez", "/readyz", "/ai/livez", "/ai/readyz"])("%s answers without a key", async (path) => {
    const response = await fetch(origin() + path, { headers: { "x-request-id": "probe 7" } });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: path.endsWith("livez") ? "alive" : "ready" });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-request-id": "probe 7",
      "request-id": "probe 7",
    });
  });

  test.each(["/", "/ai", "/ai/"])("%s says without a key what this is, and lists the paths", async (path) => {
    const response = await fetch(origin() + path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    const index = (await response.json()) as { name: string; version: string; paths: Record<string, string> };
    expect(index).toMatchObject({
      name: "umpire",
      version: "0.1.0",
      paths: { "POST /ai/decision/v1/model": "Answer questions about a text" },
    });
    const got = Object.keys(index.paths).filter((place) => place.startsWith("GET "));
    for (const place of got)
      expect([place, (await fetch(origin() + place.slice(4), { headers: ofMetrics })).status]).not.toEqual([place, 404]);
    expect(got).toHaveLength(7);
  });

  test("answer GET and HEAD only", async () => {
    expect((await fetch(`${origin()}/livez`, { method: "HEAD" })).status).toBe(200);
    const response = await fetch(`${origin()}/metrics`, { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("leave all other paths to the handler", async () => {
    expect((await fetch(`${origin()}/ai/decision/v1/models`)).status).toBe(401);
    expect((await fetch(`${origin()}/decision/v1/models`)).status).toBe(404);
  });
});

test("metrics count requests, tokens and outcomes by key", async () => {
  const answered = await askWith("The parcel came two weeks late.", SECRET);
  const { usage, model } = (await answered.json()) as { usage: { input_tokens: number; output_tokens: number }; model: string };
  await (await askWith("again", `${SECRET}-wrong`)).text();
  const response = await fetch(`${origin()}/ai/metrics`, { headers: ofMetrics });
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=/u);
  const lines = (await response.text()).split("\n");
  for (const line of [
    'umpire_requests_total{route="decide",status="200",key="shop"} 1',
    'umpire_requests_total{route="decide",status="401",key=""} 1',
    `umpire_tokens_total{model="${model}",direction="input",key="shop"} ${usage.input_tokens}`,
    `umpire_tokens_total{model="${model}",direction="output",key="shop"} ${usage.output_tokens}`,
    'umpire_request_duration_seconds_bucket{le="+Inf",route="decide"} 2',
    "umpire_queue_duration_seconds_count 1",
    "umpire_requests_waiting 0",
    "umpire_requests_running 0",
    "umpire_workers_started_total 1",
    "umpire_client_hang_ups_total 0",
    "umpire_key_file_errors_total 0",
    "umpire_ready 1",
  ])
    expect(lines).toContain(line);
  expect(lines.join("\n")).toMatch(/^process_resident_memory_bytes \d{8,}$/mu);
  // Every metric has a help text.
  const names = new Set(lines.filter((line) => /^[a-z]/u.test(line)).map((line) => line.replace(/(_bucket|_sum|_count)?[{ ].*/u, "")));
  for (const name of names) expect(lines.some((line) => line.startsWith(`# HELP ${name} `))).toBe(true);
});

describe("metrics with a secret of their own", () => {
  test.each([
    ["no token", {}],
    ["the secret of a key", { authorization: `Bearer ${SECRET}` }],
    ["a longer token", { authorization: `Bearer ${METRICS_SECRET}x` }],
    ["another scheme", { authorization: `Basic ${METRICS_SECRET}` }],
  ])("%s: refused, and no key is named", async (_, headers) => {
    for (const path of ["/metrics", "/ai/metrics"]) {
      const response = await fetch(origin() + path, { headers: headers as Record<string, string> });
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ error: { code: "unauthorized" } });
      expect(text).not.toContain("shop");
    }
  });

  test("the secret is no key", async () => {
    expect((await askWith("late", METRICS_SECRET)).status).toBe(401);
  });
});

test("metrics show the length of the queue", async () => {
  const gate = new Gate();
  await using waiting = await running({ decider: gate.decider });
  gate.shut();
  const asked = Array.from({ length: 3 }, () => waiting.ask("late"));
  await expect
    .poll(async () => (await waiting.metrics()).match(/umpire_requests_(?:waiting|running) \d+/gu))
    .toEqual(["umpire_requests_waiting 2", "umpire_requests_running 1"]);
  gate.open();
  for (const response of await Promise.all(asked)) expect(response.status).toBe(200);
});

test("neither texts nor secrets appear in logs or metrics", async () => {
  const marker = "zyxwv-marker";
  const headers = { authorization: `Bearer ${SECRET}`, "content-type": "application/json", cookie: marker, "user-agent": marker };
  const url = `${served.server.url}/decision/v1/model`;
  const question = { type: "choice", instructions: marker, criteria: { [marker]: marker, other: null } };
  const bodies = [
    JSON.stringify({ model: "latest", state: marker, questions: { [marker]: question } }),
    JSON.stringify({ model: marker, state: marker, questions: { [marker]: question } }),
    JSON.stringify({ model: "latest", state: marker, questions: { [marker]: { ...question, type: marker } } }),
    `{"state": "${marker}`,
    marker,
  ];
  for (const body of bodies) await (await fetch(url, { method: "POST", headers, body })).text();
  await (await fetch(`${url}/${marker}?${marker}=1`, { headers })).text();
  await (await fetch(url, { method: "POST", body: bodies[0] ?? "", headers: { ...headers, authorization: `Bearer ${marker}` } })).text();
  const told = served.log.join("") + (await served.metrics());
  expect(told).toContain('"key":"shop"');
  expect(told).not.toContain(marker);
  expect(told).not.toContain(SECRET);
});

test("the log line of a request has its key, model, tokens and durations", async () => {
  const response = await served.ask("late", { headers: { authorization: `Bearer ${SECRET}`, "x-request-id": "line-1" } });
  const { usage, model } = (await response.json()) as { usage: { input_tokens: number; output_tokens: number }; model: string };
  const line = served.log.find((line) => line.includes("line-1")) ?? "";
  expect(line.endsWith("}\n")).toBe(true);
  expect(JSON.parse(line)).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/u) as string,
    message: "request",
    requestId: "line-1",
    method: "POST",
    route: "decide",
    status: 200,
    key: "shop",
    model,
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    durationMs: expect.any(Number) as number,
    queuedMs: expect.any(Number) as number,
  });
});

test("a server whose model cannot be loaded stays alive, logs the reason, and never becomes ready", async () => {
  const log: string[] = [];
  const line = (fields: object, message: string): void => void log.push(`${message} ${JSON.stringify(fields)}`);
  await using decider = createDecider({ model: "./no/such/folder" });
  await using server = await serve({ decider, port: 0, metrics: false, logger: { debug: line, info: line, warn: line, error: line } });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  await expect(server.whenReady()).rejects.toMatchObject({ name: "DecideError" });
  const response = await fetch(`${server.url}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "backend_unavailable" } });
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  expect(await (await fetch(server.url)).text()).not.toContain("/metrics");
  expect(server.ready).toBe(false);
  expect(log.some((line) => line.startsWith("the golden request failed"))).toBe(true);
});

test("all invalid options are named at once", async () => {
  const wrong = serve({ decider: sharedDecider, port: 70_000, shutdownMs: -1, connections: { keepAliveMs: 0 } });
  await expect(wrong).rejects.toMatchObject({
    code: "invalid_request",
    issues: [{ loc: ["options", "port"] }, { loc: ["options", "shutdownMs"] }, { loc: ["options", "connections", "keepAliveMs"] }],
  });
});
