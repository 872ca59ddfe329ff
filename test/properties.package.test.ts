import fc from "fast-check";
import { createDecider } from "umpire";
import type { DecideRequest, DecideResponse, Decider } from "umpire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepsContract } from "./support/contract-oracle.ts";
import { anyJson, anyKey, anyQuestion, anyRequest, choiceQuestion, scoreQuestion, validRequest } from "./support/random-requests.ts";
import { checkWithModel } from "./support/model-property.ts";
import { brokenRules } from "./support/response-rules.ts";
import type { ValidQuestion, ValidRequest } from "./support/random-requests.ts";

/** What must hold for any request, checked with the real model in its worker. Numbers are compared bit for bit. */

let decider: Decider;
beforeAll(async () => {
  // One thread, because requests are small, and threads that wait for each other are slow on busy cores.
  decider = await createDecider({ threads: 1 });
});
afterAll(() => decider.close());

const ask = (request: unknown): Promise<DecideResponse> => decider.decide(request as DecideRequest);

const shuffled = <T>(items: readonly T[]): fc.Arbitrary<T[]> => fc.shuffledSubarray([...items], { minLength: items.length });

/** Renames or reorders a request's questions, by pairs of new and old id. */
const withQuestions = (request: ValidRequest, entries: readonly (readonly [string, ValidQuestion | undefined])[]): unknown => ({
  ...request,
  questions: Object.fromEntries(entries),
});

describe("an answer does not change, bit for bit, when", () => {
  it("ids are renamed and questions reordered", async () => {
    const renamed = validRequest.chain((request) =>
      fc.tuple(fc.constant(request), shuffled(Object.keys(request.questions)), fc.uniqueArray(anyKey, { minLength: 3, maxLength: 3 })),
    );
    await checkWithModel(
      fc.asyncProperty(renamed, async ([request, order, names]) => {
        const before = await ask(request);
        const after = await ask(
          withQuestions(
            request,
            order.map((id, i) => [names[i] ?? "", request.questions[id]]),
          ),
        );
        order.forEach((id, i) => {
          expect(after.answers[names[i] ?? ""]).toEqual(before.answers[id]);
        });
        expect(after.usage).toEqual(before.usage);
      }),
      25,
    );
  });

  it("other questions are added or removed; usage adds up", async () => {
    await checkWithModel(
      fc.asyncProperty(validRequest, async (request) => {
        const together = await ask(request);
        const nothing = await ask({ ...request, questions: { q: { type: "noul", criteria: { true: "" } } } });
        const stateTokens = nothing.usage.input_tokens;
        const sum = { input_tokens: stateTokens, output_tokens: 0 };
        for (const [id, question] of Object.entries(request.questions)) {
          const alone = await ask(withQuestions(request, [[id, question]]));
          expect(alone.answers[id]).toEqual(together.answers[id]);
          sum.input_tokens += alone.usage.input_tokens - stateTokens;
          sum.output_tokens += alone.usage.output_tokens;
        }
        expect(together.usage).toEqual(sum);
      }),
      20,
    );
  });

  it("other calls run at the same time", async () => {
    await checkWithModel(
      fc.asyncProperty(fc.array(validRequest, { minLength: 2, maxLength: 8 }), async (requests) => {
        const alone: DecideResponse[] = [];
        for (const request of requests) alone.push(await ask(request));
        expect(await Promise.all(requests.map(ask))).toEqual(alone);
      }),
      10,
    );
  });

  it("the options of a choice are reordered", async () => {
    const reordered = fc
      .record({ state: fc.constantFrom("The cat sat on the mat.", "", "Refund the two invoices, please."), question: choiceQuestion })
      .chain(({ state, question }) =>
        fc.record({
          state: fc.constant(state),
          question: fc.constant(question),
          order: shuffled(Object.entries(question.criteria as Record<string, unknown>)),
        }),
      );
    await checkWithModel(
      fc.asyncProperty(reordered, async ({ state, question, order }) => {
        const before = (await ask({ state, questions: { q: question } })).answers["q"];
        const after = (await ask({ state, questions: { q: { ...question, criteria: Object.fromEntries(order) } } })).answers["q"];
        if (before?.type !== "choice" || after?.type !== "choice") throw new Error("a choice was asked");
        // Compared as maps: keys in any order, values bit for bit.
        expect(after.probabilities).toEqual(before.probabilities);
        expect(after.confidence).toBe(before.confidence);
        // The same option is chosen, except in ties.
        expect(Object.entries(after.probabilities)).toContainEqual([before.choice, Math.max(...Object.values(after.probabilities))]);
      }),
      25,
    );
  });

  it("the levels of a score are reversed: each keeps its probability", async () => {
    await checkWithModel(
      fc.asyncProperty(scoreQuestion, async (question) => {
        // The model reads a level without a text as its number, which reversing changes.
        const levels = (question.criteria as unknown[]).map((level, i) =>
          typeof level === "string" && level !== "" ? level : `level ${i}`,
        );
        const of = async (criteria: unknown[]): Promise<number[]> => {
          const answer = (await ask({ state: "It was late.", questions: { q: { ...question, criteria } } })).answers["q"];
          return answer?.type === "score" ? Object.values(answer.probabilities) : [];
        };
        expect(await of(levels.toReversed())).toEqual((await of(levels)).toReversed());
      }),
      12,
    );
  });

  it("255 options are shuffled", async () => {
    const keys = Array.from({ length: 255 }, (_, i) => `${["red", "green", "a very much longer kind of"][i % 3]} thing ${i}`);
    const of = async (order: readonly string[]): Promise<unknown> => {
      const criteria = Object.fromEntries(order.map((key) => [key, null]));
      return (await ask({ state: "A green thing.", questions: { q: { type: "choice", instructions: "Which?", criteria } } })).answers["q"];
    };
    const before = await of(keys);
    for (const order of fc.sample(shuffled(keys), 2)) expect(await of(order)).toEqual(before);
  });
});

describe("any answer", () => {
  it("has the contract's shape, and finite numbers that add up to 1", async () => {
    await checkWithModel(
      fc.asyncProperty(validRequest, async (request) => {
        expect(brokenRules(request, await ask(request))).toEqual([]);
      }),
      30,
    );
  });
});

describe("any JSON value as a request", () => {
  it("gives an answer, or invalid_request with its issues located", async () => {
    await checkWithModel(
      fc.asyncProperty(fc.oneof(anyRequest, anyJson, anyQuestion), async (value) => {
        const outcome = await ask(value).then(
          (response) => ({ response, error: undefined }),
          (error: unknown) => ({ response: undefined, error }),
        );
        if (keepsContract(value)) {
          // The request's rules do not cover the catalogue's names, nor the model's budgets, which two mutations together may exceed.
          const { code } = (outcome.error ?? {}) as { code?: string };
          expect([undefined, wrongModel(value) ? "model_not_found" : "input_too_long"]).toContain(code);
        } else {
          expect(outcome.error).toMatchObject({ name: "DecideError", code: "invalid_request", status: 422 });
          const { issues } = outcome.error as { issues: { loc: unknown[] }[] };
          expect(issues.length).toBeGreaterThan(0);
          for (const { loc } of issues) expect(loc[0]).toBe("body");
        }
      }),
      150,
    );
  });
});

function wrongModel(value: unknown): boolean {
  const { model } = value as { model?: unknown };
  return typeof model === "string" && !["latest", "jev-latest", "umpire-2"].includes(model);
}
