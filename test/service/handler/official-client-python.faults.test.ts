import { createKeys, keyFromSecret } from "umpire/http";
import type { HandlerOptions, Served } from "umpire/http";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../../support/http-server.ts";
import type { HttpServer } from "../../support/http-server.ts";
import { lacks, lacksIf } from "../../support/needs.ts";
import { pythonSdk } from "../../support/python-sdk.ts";
import { sharedDecider as decider } from "../../support/shared-decider.ts";

const run = promisify(execFile);
/** Node has it from 22.15 on. */
const HAS_ZSTD = "createZstdDecompress" in zlib;
const SCRIPT = fileURLToPath(new URL("official-client.py", import.meta.url));

/** What the script prints. */
interface Found {
  readonly answers: { readonly answers: Readonly<Record<string, unknown>> };
  readonly parsed: unknown;
  readonly models: unknown;
  readonly compressed: readonly (readonly [encoding: string | null, same: boolean])[];
  readonly bomb: readonly [className: string, message: string];
  readonly errors: Readonly<Record<string, PythonError | null>>;
  readonly many: readonly unknown[];
  readonly retried: unknown;
}

interface PythonError {
  readonly class: string;
  readonly message: string;
  /** Null for a failure without a reply. */
  readonly detail: unknown;
  readonly request_id: string | null;
  readonly retry_after_ms: number | null;
}

const sdk = lacks("python3") ? undefined : await pythonSdk();
const isMissing = sdk === undefined || lacksIf(sdk.missing !== undefined, `the official client for Python (${sdk.missing})`);

describe.skipIf(isMissing)("the official client for Python", () => {
  let found: Found;
  const servers: HttpServer[] = [];
  const observed: Served[] = [];

  const start = async (options: Partial<HandlerOptions>): Promise<string> => {
    const server = await startServer({ decider, onServed: (served) => void observed.push(served), ...options });
    servers.push(server);
    return server.url;
  };

  beforeAll(async () => {
    const keys = createKeys([await keyFromSecret("desk", "sk-test-1")]);
    const urls = [
      await start({}),
      await start({ keys, limits: { requestsPerMinute: 2 } }),
      await start({ limits: { waitingRequests: 0 } }),
    ];
    const { stdout } = await run("python3", [SCRIPT, ...urls, ...(HAS_ZSTD ? ["zstd"] : [])], {
      env: { ...process.env, PYTHONPATH: sdk?.folder },
    });
    found = JSON.parse(stdout) as Found;
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
  });

  it("gets every kind of answer just as the library gives it", async () => {
    const request = {
      state: "My card was charged twice for one order, and nobody answers my e-mails.",
      questions: {
        topic: { type: "choice", instructions: "What is this about?", criteria: { billing: "Money, cards, invoices", delivery: null } },
        angry: { type: "noul", instructions: "Is the customer angry?" },
        urgent: { type: "noul", criteria: { true: "It must be answered today", false: null } },
        severity: {
          type: "score",
          instructions: { task: "How severe is it?" },
          criteria: ["A trifle", { level: "A nuisance" }, ["An", "emergency"]],
        },
      },
    } as const;
    expect(found.answers).toEqual(await decider.decide(request));
    expect(found.parsed).toEqual({ choice: "billing", nouls: ["angry", "urgent"], legend: [0, 1, 2], model: "umpire-2" });
  });

  it("lists the models", async () => {
    const models = await decider.models();
    expect(found.models).toEqual(models.map(({ id, description, releaseDate }) => ({ name: id, description, release_date: releaseDate })));
  });

  it("gets the same answers when it compresses bodies", () => {
    expect(found.compressed).toEqual([
      [null, true],
      [null, true],
      [HAS_ZSTD ? "zstd" : null, true],
      [HAS_ZSTD ? "zstd" : null, true],
    ]);
  });

  it("is told when a compressed body is too large", () => {
    const [className, message] = found.bomb;
    expect(className).toBe("TypeSafeAPIError");
    expect(message).toMatch(/413 The body has more than 1048576 bytes/u);
  });

  const type = (error_type: string): unknown => ({ error_type, message: expect.any(String) as string });
  const issue = (type: string, ...loc: string[]): unknown => [{ loc, msg: expect.any(String) as string, type }];

  it.each([
    ["not JSON", "TypeSafeUnprocessableEntityError", /422 The body is not JSON/u, issue("not_json", "body")],
    ["401", "TypeSafeAuthenticationError", /401 The key is unknown/u, type("authentication_error")],
    ["404", "TypeSafeNotFoundError", /404 There is no model "/u, type("not_found")],
    ["413", "TypeSafeAPIError", /413 .*tokens/u, type("api_usage_error")],
    [
      "422",
      "TypeSafeUnprocessableEntityError",
      /422 The request is not valid: where: type must be/u,
      issue("unknown_value", "body", "questions", "where", "type"),
    ],
    ["429", "TypeSafeRateLimitError", /429 This key has reached its limit of 2 requests a minute/u, type("rate_limit_error")],
  ])("%s: %s, with our message, the vendor's word and the request's id", (name, className, message, detail) => {
    const error = found.errors[name];
    expect(error?.class).toBe(className);
    expect(error?.message).toMatch(message);
    expect(error?.detail).toEqual(detail);
    expect(observed.map(({ requestId }) => requestId)).toContain(error?.request_id);
    if (name === "429") expect(error?.retry_after_ms).toBeGreaterThanOrEqual(1000);
  });

  it("times out, and the work stops", () => {
    expect(found.errors["timeout"]?.class).toBe("TypeSafeAPITimeoutError");
    expect(observed.map(({ status }) => status)).toContain(499);
    expect(decider.stats().pendingCalls).toBe(0);
  });

  it("retries when the service is overloaded, and then gets its answer", () => {
    expect(observed.map(({ status }) => status)).toContain(529);
    expect(found.retried).toMatchObject({ model: "umpire-2", answers: { angry: { type: "noul" } } });
  });

  it("sends many requests at once and gets each one's own answer", async () => {
    for (const [i, answer] of found.many.entries()) {
      const state = `Order ${i} has ${i % 2 === 1 ? "arrived" : "been lost"}.`;
      const questions = { angry: { type: "noul", instructions: "Is the customer angry?" } } as const;
      expect(answer).toEqual(await decider.decide({ state, questions }));
    }
    expect(found.many).toHaveLength(12);
  });
});
