import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import type { DecideRequest } from "umpire";
import type { Keys } from "umpire/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../../support/http-server.ts";
import type { HttpServer } from "../../support/http-server.ts";
import { checkWithModel } from "../../support/model-property.ts";
import { anyQuestion, validRequest } from "../../support/random-requests.ts";
import { schemaCheck } from "../../support/schema-check.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { document } from "../handler/openapi-document.ts";
import type { Doc } from "../handler/openapi-document.ts";

const secret = "sk-right";
const keys: Keys = { find: (asked) => Promise.resolve(asked === secret ? { name: "k", sha256: "0".repeat(64) } : undefined) };
let server: HttpServer;
let served: Doc;

beforeAll(async () => {
  server = await startServer({ decider: sharedDecider, keys, basePath: "/ai", limits: { bodyBytes: 20_000 } });
  served = (await (await fetch(`${server.url}/ai/openapi.json`)).json()) as Doc;
});
afterAll(() => server.close());

test("the service serves its document with its own path and limits", async () => {
  expect(await new Validator().validate(served as unknown as Record<string, unknown>)).toEqual({ valid: true });
  expect(Object.keys(served.paths)).toContain("/ai/decision/v1/model");
  expect(JSON.stringify(served)).toContain("at most 20,000 bytes");
  expect(JSON.stringify(served)).toContain("bearer");
});

test("every reply is described in the document: status, headers and body", async () => {
  const question = { type: "noul", instructions: "Is it?" };
  const ask = (more: object): string => JSON.stringify({ model: "latest", state: "It is.", questions: { q: question }, ...more });
  const cases: [status: number, body: BodyInit | undefined, headers?: Record<string, string>][] = [
    [200, ask({})],
    [400, "{"],
    [400, undefined],
    [401, ask({}), { authorization: "Bearer sk-wrong" }],
    [404, ask({ model: "no-such-model" })],
    [413, ask({ state: "x".repeat(30_000) })],
    [415, ask({}), { "content-encoding": "br" }],
    [422, ask({ model: undefined, state: 1 })],
    [422, ask({ questions: Object.fromEntries(Array.from({ length: 401 }, (_, i) => [i, question])) })],
    [422, ask({ state: JSON.parse("[".repeat(65) + "]".repeat(65)) as unknown })],
  ];
  const seen = new Set<number>();
  const conforms = async (path: string, method: string, reply: Response, status: number): Promise<void> => {
    const described = served.paths[path]?.[method]?.responses[status];
    expect({ path, status: reply.status, described: described !== undefined }).toEqual({ path, status, described: true });
    for (const [name, { $ref }] of Object.entries(described?.headers ?? {})) {
      expect($ref).toBe(`#/components/headers/${name}`);
      expect([name, reply.headers.has(name)]).toEqual([name, true]);
    }
    expect(reply.headers.get("content-type")).toBe("application/json");
    const schema = described?.content["application/json"].schema.$ref?.split("/").at(-1) ?? "";
    expect(schemaCheck(served, schema)(await reply.json())).toBeUndefined();
    seen.add(status);
  };
  for (const path of ["/ai/decision/v1/model", "/ai/v1/systemone"]) {
    for (const [status, body, headers] of cases) {
      const reply = await fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, ...headers },
        body: body ?? null,
      });
      // The vendor's path has no 400.
      await conforms(path, "post", reply, status === 400 && path.endsWith("systemone") ? 422 : status);
    }
  }
  for (const path of ["/ai/decision/v1/models", "/ai/v1/models"]) {
    const ask = (key: string): Promise<Response> => fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    await conforms(path, "get", await ask(secret), 200);
    await conforms(path, "get", await ask("sk-wrong"), 401);
  }
  expect([...seen].toSorted()).toEqual([200, 400, 401, 404, 413, 415, 422]);
});

test("every answer matches the schema of answers", async () => {
  const complaint = schemaCheck(document, "DecideResponse");
  await checkWithModel(
    fc.asyncProperty(validRequest, anyQuestion, async (request, question) => {
      const response = await sharedDecider.decide({ ...request, questions: { ...request.questions, more: question } } as DecideRequest);
      expect(complaint(response)).toBeUndefined();
      expect(complaint({ ...response, answers: { q: { type: "noul", noul: 1.5 } } })).toBeDefined();
    }),
    30,
  );
});
