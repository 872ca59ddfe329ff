import fc from "fast-check";
import { DecideError, createDecider } from "umpire";
import type { Answer, DecideRequest, DecideResponse, Decider } from "umpire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokenRules, keepsContract } from "./support/contract-oracle.ts";
import { anyJson, anyKey, anyQuestion, anyRequest, choiceQuestion, validRequest } from "./support/random-requests.ts";
import { checkWithModel } from "./support/model-property.ts";
import type { ValidQuestion, ValidRequest } from "./support/random-requests.ts";

/** What must hold for any request, checked with the real model in its worker. Numbers are compared bit for bit. `npm run fuzz` is the long form. */

let decider: Decider;
beforeAll(async () => {
  // One thread, because requests are small, and threads that wait for each other are slow on busy cores.
  decider = await createDecider({ threads: 1 });
});
afterAll(() => decider.close());

const ask = (request: unknown, signal?: AbortSignal): Promise<DecideResponse> => decider.decide(request as DecideRequest, { signal });

const shuffled = <T>(items: readonly T[]): fc.Arbitrary<T[]> => fc.shuffledSubarray([...items], { minLength: items.length });

/** A question, and the same one with its options in another order, or its levels in the reverse one. */
interface Turned {
  readonly id: string;
  readonly question: ValidQuestion;
  readonly turned: ValidQuestion;
}

function turned(id: string, question: ValidQuestion): fc.Arbitrary<Turned> {
  if (question.type === "noul") return fc.constant({ id, question, turned: question });
  if (question.type === "choice") {
    const order = shuffled(Object.entries(question.criteria as object));
    return order.map((entries) => ({ id, question, turned: { ...question, criteria: Object.fromEntries(entries) } }));
  }
  // The model reads a level without a text as its number, which reversing changes.
  const levels = (question.criteria as unknown[]).map((level, i) => (typeof level === "string" && level !== "" ? level : `level ${i}`));
  return fc.constant({ id, question: { ...question, criteria: levels }, turned: { ...question, criteria: levels.toReversed() } });
}

/** What an answer says, whatever its question's order: without the choice, which is the first of those that are equally likely. */
function saidBy(answer: Answer | undefined, isTurned: boolean): unknown {
  if (answer?.type === "choice") return { ...answer, choice: undefined };
  if (answer?.type !== "score") return answer;
  const probabilities: number[] = Object.values(answer.probabilities);
  return isTurned ? probabilities.toReversed() : probabilities;
}

/** Whether another option is chosen, as only those that are equally likely may be. */
function choseAnother(was: Answer | undefined, is: Answer | undefined): boolean {
  if (was?.type !== "choice" || is?.type !== "choice" || was.choice === is.choice) return false;
  const probabilities: Readonly<Record<string, number>> = is.probabilities;
  expect(probabilities[was.choice]).toBe(probabilities[is.choice]);
  return true;
}

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withBoxedValues: true,
  withNullPrototype: true,
  withObjectString: true,
  maxDepth: 4,
});

describe("any answer", () => {
  const changed = validRequest.chain(({ questions, ...request }) =>
    fc.tuple(...Object.entries(questions).map(([id, question]) => turned(id, question))).chain((inOrder) =>
      fc.record({
        request: fc.constant(request),
        inOrder: fc.constant(inOrder),
        shuffled: shuffled(inOrder),
        names: fc.uniqueArray(anyKey, { minLength: 3, maxLength: 3 }),
      }),
    ),
  );

  it("keeps the contract's rules, and is the same when ids are renamed and questions, options and levels reordered", async () => {
    await checkWithModel(
      fc.asyncProperty(changed, async ({ request, inOrder, shuffled, names }) => {
        const first = { ...request, questions: Object.fromEntries(inOrder.map(({ id, question }) => [id, question])) };
        const second = { ...request, questions: Object.fromEntries(shuffled.map(({ turned }, i) => [names[i] ?? "", turned])) };
        const [before, after] = [await ask(first), await ask(second)];
        expect([...brokenRules(first, before), ...brokenRules(second, after)]).toEqual([]);
        const pairs = shuffled.map(({ id }, i) => [before.answers[id], after.answers[names[i] ?? ""]] as const);
        for (const [was, is] of pairs) expect(saidBy(is, true)).toEqual(saidBy(was, false));
        const isTied = pairs.map(([was, is]) => choseAnother(was, is)).includes(true);
        expect(after.usage.input_tokens).toBe(before.usage.input_tokens);
        if (!isTied) expect(after.usage).toEqual(before.usage);
      }),
      200,
    );
  });

  it("is the same, bit for bit, when other questions are added or removed; usage adds up", async () => {
    await checkWithModel(
      fc.asyncProperty(validRequest, async (request) => {
        const together = await ask(request);
        const nothing = await ask({ ...request, questions: { q: { type: "noul", criteria: { true: "" } } } });
        const stateTokens = nothing.usage.input_tokens;
        const sum = { input_tokens: stateTokens, output_tokens: 0 };
        for (const [id, question] of Object.entries(request.questions)) {
          const alone = await ask({ ...request, questions: Object.fromEntries([[id, question]]) });
          expect(alone.answers[id]).toEqual(together.answers[id]);
          sum.input_tokens += alone.usage.input_tokens - stateTokens;
          sum.output_tokens += alone.usage.output_tokens;
        }
        expect(together.usage).toEqual(sum);
      }),
      50,
    );
  });

  it("is the same, bit for bit, when other calls run at the same time, and some of them are aborted", async () => {
    const calls = fc.array(fc.record({ request: validRequest, abortAfterMs: fc.option(fc.nat(20), { freq: 3 }) }), {
      minLength: 2,
      maxLength: 8,
    });
    await checkWithModel(
      fc.asyncProperty(calls, async (all) => {
        const alone: DecideResponse[] = [];
        for (const { request } of all) alone.push(await ask(request));
        const together = await Promise.allSettled(
          all.map(({ request, abortAfterMs }) => ask(request, abortAfterMs === null ? undefined : AbortSignal.timeout(abortAfterMs))),
        );
        for (const [i, outcome] of together.entries()) {
          if (outcome.status === "fulfilled") expect(outcome.value).toEqual(alone[i]);
          else
            expect([all[i]?.abortAfterMs, outcome.reason]).toEqual([expect.any(Number), expect.objectContaining({ name: "TimeoutError" })]);
        }
      }),
      15,
    );
  });

  it("to 255 options is the same, bit for bit, when they are shuffled", async () => {
    const keys = Array.from({ length: 255 }, (_, i) => `${["red", "green", "a very much longer kind of"][i % 3]} thing ${i}`);
    const of = async (order: readonly string[]): Promise<unknown> => {
      const criteria = Object.fromEntries(order.map((key) => [key, null]));
      return (await ask({ state: "A green thing.", questions: { q: { type: "choice", instructions: "Which?", criteria } } })).answers["q"];
    };
    const before = await of(keys);
    await checkWithModel(
      fc.asyncProperty(shuffled(keys), async (order) => {
        expect(await of(order)).toEqual(before);
      }),
      2,
      1 / 100,
    );
  });

  it("about a long state, with many options and many questions, keeps the contract's rules", async () => {
    const words = (count: number): string => Array.from({ length: count }, (_, i) => ["cat", "parcel", "late", "refund"][i % 4]).join(" ");
    const large: fc.Arbitrary<ValidRequest> = fc.record({
      state: fc.integer({ min: 300, max: 2500 }).map(words),
      questions: fc
        .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2, max: 255 }), choiceQuestion)
        .map(([questions, options, small]): ValidRequest["questions"] => ({
          small,
          ...Object.fromEntries(
            Array.from({ length: questions }, (_, i) => [`q${i}`, { type: "noul", instructions: `Is it about ${i} cats?` }]),
          ),
          large: {
            type: "choice",
            instructions: "Which?",
            criteria: Object.fromEntries(Array.from({ length: options }, (_, i) => [`number ${i}`, null])),
          },
        })),
    });
    await checkWithModel(
      fc.asyncProperty(large, async (request) => {
        expect(brokenRules(request, await ask(request))).toEqual([]);
      }),
      2,
      1 / 100,
    );
  });
});

describe("any value as a request gives an answer, or an error that says what is wrong", () => {
  const outcomeOf = (request: unknown): Promise<DecideError | undefined> =>
    ask(request).then(
      () => undefined,
      (error: unknown) => {
        expect(error).toBeInstanceOf(DecideError);
        return error as DecideError;
      },
    );

  function expectPlaces({ code, status, issues = [] }: DecideError): void {
    expect([code, status]).toEqual(["invalid_request", 422]);
    expect(issues.length).toBeGreaterThan(0);
    for (const { loc, msg } of issues) expect([loc[0], msg]).toEqual(["body", expect.stringMatching(/./)]);
  }

  it("as the contract wants it, for any JSON", async () => {
    let [asked, answers] = [0, 0];
    await checkWithModel(
      fc.asyncProperty(fc.oneof(anyRequest, anyJson, anyQuestion), async (value) => {
        const error = await outcomeOf(value);
        asked++;
        if (error === undefined) answers++;
        if (!keepsContract(value)) {
          expect(error).toBeDefined();
          if (error !== undefined) expectPlaces(error);
        }
        // The request's rules do not cover the catalogue's names, nor the model's budgets, which two mutations together may exceed.
        else expect([undefined, wrongModel(value) ? "model_not_found" : "input_too_long"]).toContain(error?.code);
      }),
      500,
    );
    // Not everything was refused.
    expect(answers).toBeGreaterThan(asked / 50);
  });

  it("also for what JSON cannot hold, as a request or as its state", async () => {
    const requests = fc.oneof(
      anything,
      fc.tuple(validRequest, anything).map(([request, state]) => ({ ...request, state })),
    );
    await checkWithModel(
      fc.asyncProperty(requests, async (value) => {
        const error = await outcomeOf(value);
        expect([undefined, "invalid_request", "input_too_long", "model_not_found"]).toContain(error?.code);
        if (error?.code === "invalid_request") expectPlaces(error);
      }),
      500,
    );
  });
});

function wrongModel(value: unknown): boolean {
  const { model } = value as { model?: unknown };
  return typeof model === "string" && !["latest", "jev-latest", "umpire-2"].includes(model);
}
