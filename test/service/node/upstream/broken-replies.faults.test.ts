import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../../src/library/validation/expect.ts";
import { sharedDecider } from "../../../support/shared-decider.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { running } from "../running.ts";
import type { Running } from "../running.ts";
import { answering, replyTo, sendJson, startHostedApi } from "./hosted-api.ts";
import type { Behaviour, HostedApi } from "./hosted-api.ts";

const QUESTIONS = {
  team: { type: "choice", instructions: "Which team?", criteria: { sales: null, billing: "invoices, payments" } },
  angry: { type: "noul", instructions: "Is the customer angry?" },
  bad: { type: "score", instructions: "How bad is it?", criteria: ["a trifle", "a nuisance", "an emergency"] },
} as const;
const BODY = { model: "m", state: "My card was charged twice.", questions: QUESTIONS };
const KEY = "sk-broken-0123456789";
/** Time for a hosted API that does not end its reply. All others reply, and have the usual time for it: a busy machine may take longer than this. */
const TIMEOUT_MS = 300;
const GOOD = JSON.stringify(replyTo(JSON.stringify(BODY), () => 1));
const HUGE = "x".repeat(2_000_000);

interface Broken {
  /** What the caller gets; undefined: what the hosted API said. */
  readonly status: number;
  readonly reason?: string;
  readonly behaviour: Behaviour;
}

const json =
  (status: number, value: unknown, headers = {}): Behaviour =>
  (_, response) => {
    sendJson(response, status, value, headers);
  };
const write =
  (write: (response: ServerResponse) => void): Behaviour =>
  (_, response) => {
    write(response);
  };
/** The good reply, with some of its text in place of another. */
const with_ = (from: string, to: string): Behaviour => {
  expect(GOOD).toContain(from);
  return json(200, GOOD.replace(from, to));
};
const raw = (bytes: string): Behaviour =>
  write(({ socket }) => {
    socket?.end(bytes);
  });
const encoded = (bytes: Uint8Array): Behaviour =>
  write((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(bytes);
  });

const broken = (elsewhere: string): Readonly<Record<string, Broken>> => ({
  "ends the connection": { status: 502, reason: "connection", behaviour: write((response) => response.socket?.destroy()) },
  "resets the connection": { status: 502, reason: "connection", behaviour: write((response) => response.socket?.resetAndDestroy()) },
  "speaks no HTTP": { status: 502, reason: "connection", behaviour: raw("SSH-2.0-OpenSSH_9.6\r\n\r\n") },
  "has endless headers": { status: 502, reason: "connection", behaviour: raw(`HTTP/1.1 200 OK\r\nx-a: ${HUGE}\r\n\r\n`) },
  "cuts a body of a known length": {
    status: 502,
    reason: "cut",
    behaviour: write((response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": String(GOOD.length) });
      response.write(GOOD.slice(0, -20), () => response.socket?.destroy());
    }),
  },
  "cuts a body in chunks": {
    status: 502,
    reason: "cut",
    behaviour: write((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(GOOD, () => response.socket?.destroy());
    }),
  },
  "is no gzip": { status: 502, reason: "cut", behaviour: encoded(Buffer.from(GOOD)) },
  "is huge": { status: 502, reason: "too_large", behaviour: json(200, GOOD.replace("hosted-1", HUGE)) },
  "is huge once decompressed": { status: 502, reason: "too_large", behaviour: encoded(gzipSync(Buffer.alloc(30_000_000, 32))) },
  "refuses at length": { status: 502, reason: "too_large", behaviour: json(400, { error: HUGE }) },
  "never replies": { status: 504, reason: "timeout", behaviour: () => undefined },
  "never ends its reply": {
    status: 504,
    reason: "timeout",
    behaviour: write((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(GOOD.slice(0, 50));
    }),
  },
  "is empty": { status: 502, reason: "not_json", behaviour: json(200, "") },
  "is no JSON": { status: 502, reason: "not_json", behaviour: json(200, `<html>${KEY}</html>`) },
  "is half of a JSON": { status: 502, reason: "not_json", behaviour: json(200, GOOD.slice(0, -3)) },
  "is no UTF-8": {
    status: 502,
    reason: "not_json",
    behaviour: write((response) => {
      response.writeHead(200).end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    }),
  },
  "is no UTF-8, and does not end": {
    status: 502,
    reason: "not_json",
    behaviour: write((response) => {
      response.writeHead(200).write(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    }),
  },
  "is a number": { status: 502, reason: "not_json", behaviour: json(200, "17") },
  "is null": { status: 502, reason: "not_json", behaviour: json(200, "null") },
  "nests too deep": { status: 502, reason: "not_json", behaviour: json(200, `${"[".repeat(100_000)}${"]".repeat(100_000)}`) },
  "is an array": { status: 502, reason: "wrong_shape", behaviour: json(200, `[${GOOD}]`) },
  "has no answers": { status: 502, reason: "wrong_shape", behaviour: with_('"answers"', '"others"') },
  "has an error with status 200": { status: 502, reason: "wrong_shape", behaviour: json(200, { error: { message: "busy" } }) },
  "misses an answer": { status: 502, reason: "wrong_shape", behaviour: with_('"angry":', '"calm":') },
  "answers more than was asked": { status: 502, reason: "wrong_shape", behaviour: with_('"angry":', '"more":{},"angry":') },
  "answers with another type": { status: 502, reason: "wrong_shape", behaviour: with_('"type":"noul"', '"type":"choice"') },
  "answers with an unknown option": { status: 502, reason: "wrong_shape", behaviour: with_('"choice":"billing"', '"choice":"legal"') },
  "answers with what is not finite": { status: 502, reason: "wrong_shape", behaviour: with_('"noul":0.25', '"noul":1e999') },
  "answers beyond the scale": { status: 502, reason: "wrong_shape", behaviour: with_('"score":1', '"score":7') },
  "redirects for good": { status: 502, reason: "redirect", behaviour: json(301, "", { location: `${elsewhere}/decision/v1/model` }) },
  "redirects this time": { status: 502, reason: "redirect", behaviour: json(302, "", { location: elsewhere }) },
  "redirects the same request": { status: 502, reason: "redirect", behaviour: json(307, GOOD, { location: elsewhere }) },
  "was not changed": { status: 502, reason: "redirect", behaviour: write((response) => response.writeHead(304).end()) },
  "has no content": { status: 502, reason: "status", behaviour: write((response) => response.writeHead(204).end()) },
  "answers in part": { status: 502, reason: "status", behaviour: json(206, GOOD) },
  "fails with a page": { status: 502, reason: "status", behaviour: json(500, `<html>${KEY}</html>`) },
  "is busy, as a page says": { status: 429, reason: "status", behaviour: json(429, "<html>") },
  "forbids with a page": { status: 403, reason: "status", behaviour: json(403, "<html>") },
});

let api: HostedApi, elsewhere: HostedApi;
/** Services without a fallback and with one. Those of `hasty` do not wait long for the hosted API. */
interface Services {
  readonly plain: Running;
  readonly falling: Running;
}
let patient: Services, hasty: Services;
beforeAll(async () => {
  [api, elsewhere] = await Promise.all([startHostedApi(), startHostedApi()]);
  const start = async (fixed?: Parameters<typeof running>[1]): Promise<Services> => {
    const upstream = { url: api.url, store: join(tempDir(), "plain.db") };
    const plain = await running({ upstream }, fixed);
    return { plain, falling: await running({ upstream: { ...upstream, store: join(tempDir(), "falling.db"), fallback: "local" } }, fixed) };
  };
  [patient, hasty] = [await start(), await start({ upstream: { timeoutMs: TIMEOUT_MS } })];
});
afterAll(async () => {
  for (const one of [patient.plain, patient.falling, hasty.plain, hasty.falling, api, elsewhere]) await one[Symbol.asyncDispose]();
});

const ask = (to: Running): Promise<Response> =>
  fetch(`${to.server.url}/decision/v1/model`, {
    method: "POST",
    body: JSON.stringify(BODY),
    headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
  });

/** 37 kinds of replies; so many of each make more than 500. */
const [TOGETHER, KINDS] = [14, Object.entries(broken("http://127.0.0.1:1"))];

describe.each(KINDS.map(([name]) => name))("a hosted API that %s", (name) => {
  it("never makes an answer: the caller gets an error with a reason, or with a fallback an answer of this machine", async () => {
    const { status, reason = "", behaviour } = present(broken(elsewhere.url)[name], "kind");
    const { plain, falling } = reason === "timeout" ? hasty : patient;
    api.behave(behaviour);
    const replies = await Promise.all(Array.from({ length: TOGETHER }, (_, i) => ask(i % 7 === 6 ? falling : plain)));
    const own = await sharedDecider.decide({ state: BODY.state, questions: QUESTIONS });
    for (const [i, response] of replies.entries()) {
      const text = await response.text();
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(BODY.state);
      const body = JSON.parse(text) as { answers: object; error: { code: string; message: string } };
      if (i % 7 === 6 && status !== 403) {
        const local = Object.entries(own.answers).map(([id, answer]) => [id, { ...answer, x_source: "local" }]);
        expect({ status: response.status, answers: body.answers }).toEqual({ status: 200, answers: Object.fromEntries(local) as object });
      } else {
        expect({ status: response.status, code: body.error.code }).toEqual({ status, code: "backend_failed" });
        expect(body.error.message).toMatch(/^The hosted API behind this service [a-z].*\. Try again/u);
      }
    }
    expect(elsewhere.requests).toEqual([]);
    const metrics = await plain.metrics();
    expect(metrics).toContain(`umpire_upstream_failures_total{reason="${reason}"}`);
    expect(plain.log.some((line) => line.includes(`"upstreamFailure":"${reason}"`))).toBe(true);
  });
});

it("afterwards the next good reply is the hosted API's, and nothing broken was learned from", async () => {
  expect(KINDS.length * TOGETHER).toBeGreaterThan(500);
  api.behave(answering(() => 1));
  for (const service of [patient.plain, patient.falling]) {
    const response = await ask(service);
    expect({ status: response.status, body: (await response.json()) as object }).toMatchObject({
      status: 200,
      body: { answers: { team: { choice: "billing", x_source: "upstream" } } },
    });
    await expect.poll(() => service.metrics()).toMatch(/^umpire_upstream_waiting 0$/mu);
    const { questions } = (await (await fetch(`${service.server.url}/agreement`)).json()) as { questions: { compared: number }[] };
    expect(questions.map(({ compared }) => compared)).toEqual([1, 1, 1]);
    expect(service.log.join("\n")).not.toContain(KEY);
  }
});

it("a caller who leaves ends the call of the hosted API, and is no failure of it", async () => {
  const ended = new Promise<void>((resolve) => {
    api.behave((_, response) => {
      response.once("close", resolve);
    });
  });
  const before = api.requests.length;
  const leaving = new AbortController();
  const { plain } = patient;
  const asked = fetch(`${plain.server.url}/decision/v1/model`, {
    method: "POST",
    body: JSON.stringify(BODY),
    signal: leaving.signal,
  }).catch(() => undefined);
  await expect.poll(() => api.requests.length).toBe(before + 1);
  leaving.abort();
  await Promise.all([asked, ended]);
  await expect.poll(() => plain.log.at(-1) ?? "").toContain('"status":499');
  expect(plain.log.at(-1)).not.toContain("upstreamFailure");
});
