import { createDecider } from "umpire";
import type { Decider } from "umpire";
import { createKeys, keyFromSecret } from "umpire/http";
import type { HandlerOptions, Served } from "umpire/http";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../support/http-server.ts";
import type { HttpServer } from "../support/http-server.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("official-client.py", import.meta.url));
const CLIENT = "typesafe-sdk[zstd]==0.7.5";

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
  readonly request_id: string | null;
  readonly retry_after_ms: number | null;
}

/** A folder with the client; `missing` says why it could not be installed. */
const folder = await mkdtemp(join(tmpdir(), "umpire-python-"));
const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder, CLIENT];
const missing = await run("python3", install, { timeout: 120_000 }).then(
  () => undefined,
  (error: unknown) => String(error).slice(0, 300),
);
if (missing !== undefined) console.warn(`The official client for Python is not tested: it cannot be installed here. ${missing}`);

afterAll(() => rm(folder, { recursive: true }));

describe.skipIf(missing !== undefined)("the official client for Python", () => {
  let decider: Decider;
  let found: Found;
  const servers: HttpServer[] = [];
  const observed: Served[] = [];

  const start = async (options: Partial<HandlerOptions>): Promise<string> => {
    const server = await startServer({ decider, onServed: (served) => void observed.push(served), ...options });
    servers.push(server);
    return server.url;
  };

  beforeAll(async () => {
    decider = await createDecider({ threads: 1 });
    const keys = createKeys([await keyFromSecret("desk", "sk-test-1")]);
    const urls = [
      await start({}),
      await start({ keys, limits: { requestsPerMinute: 2 } }),
      await start({ limits: { waitingRequests: 0 } }),
    ];
    const { stdout } = await run("python3", [SCRIPT, ...urls], { env: { ...process.env, PYTHONPATH: folder } });
    found = JSON.parse(stdout) as Found;
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await decider.close();
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
      ["zstd", true],
      ["zstd", true],
    ]);
  });

  it("is told when a compressed body is too large", () => {
    const [className, message] = found.bomb;
    expect(className).toBe("TypeSafeAPIError");
    expect(message).toMatch(/413 The body has more than 1048576 bytes/u);
  });

  it.each([
    ["400", "TypeSafeBadRequestError", /400 The body is not JSON/u],
    ["401", "TypeSafeAuthenticationError", /401 The key is unknown/u],
    ["404", "TypeSafeNotFoundError", /404 There is no model of that name/u],
    ["413", "TypeSafeAPIError", /413 .*tokens/u],
    ["422", "TypeSafeUnprocessableEntityError", /422 The request is not valid: body\.questions\.type must be/u],
    ["429", "TypeSafeRateLimitError", /429 This key has reached its limit of 2 requests a minute/u],
  ])("%s: %s, with our message and the request's id", (name, className, message) => {
    const error = found.errors[name];
    expect(error?.class).toBe(className);
    expect(error?.message).toMatch(message);
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
