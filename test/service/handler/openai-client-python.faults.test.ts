import { createDecider } from "umpire";
import { createKeys, keyFromSecret } from "umpire/http";
import type { HandlerOptions, Served } from "umpire/http";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../../support/http-server.ts";
import type { HttpServer } from "../../support/http-server.ts";
import { lacks, lacksIf } from "../../support/needs.ts";
import { pythonSdk } from "../../support/python-sdk.ts";

const SCRIPT = fileURLToPath(new URL("openai-client.py", import.meta.url));

/** What the script prints. */
interface Found {
  readonly decision: Decision;
  readonly classes: readonly string[];
  readonly again: Decision["usage"];
  readonly turns: Decision;
  readonly errors: Readonly<Record<string, PythonError>>;
  readonly many: readonly number[];
}

interface Decision {
  readonly model: string;
  readonly answers: readonly Readonly<Record<string, unknown>>[];
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

interface PythonError {
  readonly class: string;
  readonly message: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly request_id: string;
  readonly retry_after: string | null;
}

const sdk = lacks("python3") ? undefined : await pythonSdk("openai==3.57.0");
const isMissing = sdk === undefined || lacksIf(sdk.missing !== undefined, `OpenAI's client for Python (${sdk.missing})`);

describe.skipIf(isMissing)("OpenAI's client for Python", () => {
  const decider = createDecider({ threads: 1, aliases: { "gpt-6-luna": "latest" } });
  const state = "My card was charged twice for one order, and nobody answers my e-mails.";
  const angry = { type: "noul", instructions: "The customer is angry." } as const;
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
    const urls = [await start({}), await start({ keys, limits: { requestsPerMinute: 2 } })];
    const { stdout } = await promisify(execFile)("python3", [SCRIPT, ...urls], { env: { ...process.env, PYTHONPATH: sdk?.folder } });
    found = JSON.parse(stdout) as Found;
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await decider.close();
  });

  it("gets an answer of each type, in order, as the library gives it", async () => {
    const { answers } = await decider.decide({
      state,
      questions: {
        topic: {
          type: "choice",
          instructions: "What is this about?",
          criteria: { billing: "Money, cards, invoices", true: null, "true ": null },
        },
        angry,
        severity: { type: "score", instructions: "How severe is it?", criteria: ["trifle", "nuisance", "emergency"] },
      },
    });
    const { topic, severity } = answers;
    const shares: Readonly<Record<string, number>> = topic.probabilities;
    expect(found.classes).toEqual(["AnswerAnswerResourceChoice", "AnswerAnswerResourcePredicate", "AnswerAnswerResourceScore"]);
    expect(found.decision.model).toBe("umpire-2");
    expect(found.decision.answers).toMatchObject([
      {
        type: "choice",
        name: "topic",
        choice: "billing",
        confidence: topic.confidence,
        // A boolean and a string of the same text are two.
        probabilities: [
          { value: "billing", probability: shares["billing"] },
          { value: true, probability: shares["true"] },
          { value: "true", probability: shares["true "] },
        ],
      },
      { type: "predicate", name: null, probability: answers.angry.noul },
      {
        type: "score",
        name: "severity",
        score: severity.score,
        confidence: severity.confidence,
        probabilities: ["trifle", "nuisance", "emergency"].map((label, value) => ({
          label,
          value,
          probability: (severity.probabilities as Readonly<Record<number, number>>)[value],
        })),
      },
    ]);
  });

  it("gets the usage with its details, cached tokens among them", () => {
    const { input_tokens, output_tokens } = found.decision.usage;
    const usage = (cached_tokens: unknown): object => ({
      input_tokens,
      input_tokens_details: { cached_tokens, cache_write_tokens: 0 },
      output_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + output_tokens,
    });
    expect(found.decision.usage).toEqual(usage(0));
    const cached = (found.again as unknown as { input_tokens_details: { cached_tokens: number } }).input_tokens_details.cached_tokens;
    expect(cached).toBeGreaterThan(0);
    expect(cached).toBeLessThan(input_tokens);
    expect(found.again).toEqual(usage(cached));
  });

  it("is answered about messages, JSON and a tool's output", () => {
    expect(found.turns).toMatchObject({ model: "umpire-2", answers: [{ type: "predicate", name: null }] });
    expect(found.turns.usage.input_tokens).toBeGreaterThan(30);
  });

  it.each([
    ["wrong key", "AuthenticationError", /^Error code: 401 - .*The key is unknown/u, "unauthorized", null],
    ["unknown model", "NotFoundError", /^Error code: 404 - .*There is no model "gpt-5"/u, "model_not_found", null],
    ["no questions", "BadRequestError", /^Error code: 400 - .*questions must hold at least one/u, "invalid_request", "questions"],
    ["type", "BadRequestError", /^Error code: 400 - .*questions\.0\.type must be .* is "box"/u, "invalid_request", "questions.0.type"],
    ["image", "BadRequestError", /^Error code: 400 - .*leave the image out/u, "invalid_request", "input.0.content.0.type"],
    ["too long", "APIStatusError", /^Error code: 413 - .*input has \d+ tokens/u, "input_too_long", "input"],
    ["too often", "RateLimitError", /^Error code: 429 - .*limit of 2 requests a minute/u, "overloaded", null],
  ])("%s: %s, with our message, code and the request's id", (name, className, message, code, param) => {
    const error = found.errors[name];
    expect(error).toMatchObject({ class: className, code, param });
    expect(error?.message).toMatch(message);
    expect(observed.map(({ requestId }) => requestId)).toContain(error?.request_id);
    if (className === "RateLimitError") expect(Number(error?.retry_after)).toBeGreaterThanOrEqual(1);
  });

  it("sends many requests at once and gets each one's own answer", async () => {
    for (const [i, probability] of found.many.entries()) {
      const { answers } = await decider.decide({ state: `Order ${i} has ${i % 2 === 1 ? "arrived" : "been lost"}.`, questions: { angry } });
      expect(probability).toBe(answers.angry.noul);
    }
    expect(found.many).toHaveLength(8);
  });
});
