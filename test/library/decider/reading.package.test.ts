import { createDecider } from "umpire";
import type { Decider, DeciderOptions } from "umpire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { golden } from "../../support/golden.ts";
import type { GoldenCase } from "../../support/golden.ts";
import { catTokens, quickRequest } from "../../support/long-requests.ts";
import { decideError, rejection } from "../../support/rejection.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { ASKED } from "../../support/texts.ts";

/** Tokens of the long states: at both sides of what one window reads, and in three windows. */
const LONG_STATES = [382, 383, 701, 1024];
const mostOptions = ({ request }: GoldenCase): number =>
  Math.max(...Object.values(request.questions).map(({ criteria }) => Object.keys(criteria ?? {}).length));
/** The texts of most golden states differ in what the tokenizer makes of them. What is kept does not, so a few of those of the usual sizes will do. */
const isAsked = (asked: GoldenCase, place: number): boolean => {
  const { stateTokens, request } = asked;
  if (stateTokens > 300) return LONG_STATES.includes(stateTokens);
  return stateTokens < 10 || Object.keys(request.questions).length > 5 || mostOptions(asked) > 150 || place % 6 === 0;
};
const STATE = "My card was charged twice for one order, and nobody answers the phone. Please pay one of the two back.";
const ROUTE = {
  type: "choice",
  instructions: ASKED.team,
  criteria: { billing: "payments and refunds", shipping: "parcels", sales: null },
} as const;
const ANGRY = { type: "noul", instructions: ASKED.angry } as const;

const caching = sharedDecider;
let fresh: Decider;
beforeAll(async () => {
  fresh = await createDecider({ threads: 1, cacheBytes: 0 });
});
afterAll(() => fresh.close());

describe("answers are the same bit for bit", () => {
  const cases = golden.cases.filter(isAsked);

  it("for requests of one window and of several", () => {
    expect(cases.length).toBeGreaterThan(30);
    expect(cases.map(({ stateTokens }) => stateTokens)).toEqual(expect.arrayContaining(LONG_STATES));
  });

  it.each(cases)("$name: read afresh, found in the cache, and asked of a reading", async (asked) => {
    const { request } = asked;
    const expected = await fresh.decide(request);
    expect(await caching.decide(request)).toEqual(expected);
    expect(await caching.decide(request)).toEqual(expected);
    const { model, state, questions } = request;
    await using reading = await caching.read(state, { model });
    expect(await reading.decide(questions)).toEqual(expected);
    // One question after the other: none leaves a trace for the next.
    const each = Object.entries(questions);
    if (each.length === 1 || mostOptions(asked) > 20) return;
    for (const [id, question] of each) {
      const { answers } = await reading.decide({ [id]: question });
      expect(answers[id]).toEqual(expected.answers[id]);
    }
  });

  it("for explanations and checks", async () => {
    const request = { state: `${STATE} The weather was nice.`, questions: { route: ROUTE } };
    await caching.decide(request);
    expect(await caching.explain(request, "route")).toEqual(await fresh.explain(request, "route"));
    expect(await caching.check(ROUTE)).toEqual(await fresh.check(ROUTE));
    expect(await caching.check(ROUTE)).toEqual(await fresh.check(ROUTE));
  });

  it("for lessons, whose features are made of a state that is read already", async () => {
    const question = { type: "choice", instructions: "What is it?", criteria: { fruit: null, tool: null } } as const;
    const examples = Array.from({ length: 8 }, (_, i) => ({
      state: i % 2 === 0 ? `Apples and pears, crate ${i}.` : `A hammer and a saw, box ${i}.`,
      answer: i % 2 === 0 ? "fruit" : "tool",
    })) as { state: string; answer: "fruit" | "tool" }[];
    const lesson = await fresh.teach(question, examples);
    for (const { state } of examples) await caching.decide({ state, questions: { question } });
    expect(await caching.teach(question, examples)).toEqual(lesson);
    const long = `${STATE} ${catTokens(800)}`;
    await using reading = await caching.read(long);
    await reading.decide({ question });
    for (const decider of [fresh, caching]) await decider.learn(lesson);
    const expected = await fresh.decide({ state: long, questions: { question } });
    expect(expected.answers.question.x_lesson).toBe(lesson.id);
    expect(await reading.decide({ question })).toEqual(expected);
    for (const decider of [fresh, caching]) decider.forget(lesson.id);
  });
});

describe("a reading", () => {
  it("says how many tokens and bytes it has, info() says what is kept, and closing frees it", async () => {
    const decider = fresh;
    expect((await decider.info()).kept).toEqual({ heldBytes: 0, cachedBytes: 0, cacheBytes: 0 });
    const reading = await decider.read(STATE);
    const { usage } = await decider.decide({ state: STATE, questions: { q: { type: "noul", criteria: { true: "" } } } });
    expect(reading.tokens).toBe(usage.input_tokens);
    // Two special tokens; keys and values of 6 layers with 384 floats each.
    expect(reading.bytes).toBe((reading.tokens + 2) * 6 * 2 * 384 * 4);
    const second = await decider.read(STATE);
    expect((await decider.info()).kept.heldBytes).toBe(reading.bytes);
    await reading.close();
    expect((await decider.info()).kept.heldBytes).toBe(reading.bytes);
    await Promise.all([second.close(), second.close()]);
    expect((await decider.info()).kept.heldBytes).toBe(0);
  });

  it("takes any state that decide() takes, and keeps it as it was", async () => {
    const state = { subject: "Card", lines: ["charged twice"] };
    const expected = await fresh.decide({ state, questions: { ANGRY } });
    await using reading = await caching.read(state);
    state.subject = "Changed";
    expect(await reading.decide({ ANGRY })).toEqual(expected);
  });

  it("finishes its calls when it is closed, then refuses others with what to do", async () => {
    const reading = await caching.read(STATE);
    const call = reading.decide({ ANGRY });
    await reading.close();
    expect(await call).toEqual(await fresh.decide({ state: STATE, questions: { ANGRY } }));
    expect(await decideError(() => reading.decide({ ANGRY }))).toMatchObject({
      code: "closed",
      message: "This reading is closed. Read the state again with decider.read().",
    });
  });

  it("is closed with its decider", async () => {
    const decider = await createDecider({ threads: 1 });
    const reading = await decider.read(STATE);
    await decider.close();
    expect((await decideError(() => reading.decide({ ANGRY }))).code).toBe("closed");
    expect((await decideError(() => decider.read(STATE))).code).toBe("closed");
    await reading.close();
  });

  it("that is aborted leaves nothing, and an abort of a call leaves the reading", async () => {
    const decider = fresh;
    const reason = new Error("enough");
    expect(await rejection(() => decider.read(STATE, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    const ending = new AbortController();
    const aborted = rejection(() => decider.read(catTokens(12_000), { signal: ending.signal }));
    // The worker answers this while it reads the state.
    await decider.info();
    ending.abort(reason);
    expect(await aborted).toBe(reason);
    // The next call has its turn after the run that was under way.
    await using reading = await decider.read(STATE);
    expect((await decider.info()).kept).toEqual({ heldBytes: reading.bytes, cachedBytes: 0, cacheBytes: 0 });
    expect(await rejection(() => reading.decide({ ANGRY }, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await reading.decide({ ANGRY })).toEqual(await fresh.decide({ state: STATE, questions: { ANGRY } }));
  });

  it("refuses what decide() refuses, at the same places", async () => {
    await using reading = await caching.read(STATE);
    const invalid = await decideError(() => reading.decide({ q: { type: "choice", instructions: "?" } } as never));
    expect(invalid).toMatchObject({ code: "invalid_request", issues: [{ loc: ["body", "questions", "q", "criteria"] }] });
    expect((await decideError(() => reading.decide({ ANGRY }, { maxInputTokens: 3 }))).code).toBe("input_too_long");
    expect(await decideError(() => caching.read({ at: NaN } as never))).toMatchObject({
      code: "invalid_request",
      issues: [{ loc: ["body", "state", "at"] }],
    });
    const long = await decideError(() => caching.read(catTokens(17_000)));
    expect(long).toMatchObject({ code: "input_too_long", issues: [{ loc: ["body", "state"] }] });
    expect((await decideError(() => caching.read(STATE, { model: "no-such" }))).code).toBe("model_not_found");
    const options = await decideError(() => caching.read(STATE, { modle: "umpire-2" } as never));
    expect(options).toMatchObject({ code: "invalid_request", message: expect.stringContaining("modle") as string });
  });
});

describe("cacheBytes", () => {
  const cachedBytes = async (decider: Decider): Promise<number> => (await decider.info()).kept.cachedBytes;
  const ask = (decider: Decider, state: string): Promise<unknown> => decider.decide({ ...quickRequest, state });

  it("is 32 MB by default, and nothing is kept before the first call", async () => {
    await using decider = await createDecider({ threads: 1 });
    expect((await decider.info()).kept).toEqual({ heldBytes: 0, cachedBytes: 0, cacheBytes: 32_000_000 });
  });

  it("bounds what is kept, and a state beyond it alone is not kept", async () => {
    const bytesOf = (tokens: number): number => (tokens + 2) * 6 * 2 * 384 * 4;
    await using decider = await createDecider({ threads: 1, cacheBytes: bytesOf(650) });
    await ask(decider, catTokens(300));
    await ask(decider, catTokens(301));
    expect(await cachedBytes(decider)).toBe(bytesOf(300) + bytesOf(301));
    await ask(decider, catTokens(700));
    expect(await cachedBytes(decider)).toBe(bytesOf(300) + bytesOf(301));
    await ask(decider, catTokens(302));
    expect(await cachedBytes(decider)).toBe(bytesOf(301) + bytesOf(302));
  });

  it("keeps with a short state the question that was read in one run with it, until the state is asked again", async () => {
    const bytesPerToken = 6 * 2 * 384 * 4;
    await using decider = await createDecider({ threads: 1 });
    for (const state of [STATE, "cat", catTokens(254)]) {
      const before = await cachedBytes(decider);
      const first = await decider.decide({ ...quickRequest, state });
      const withQuestion = (await cachedBytes(decider)) - before;
      expect(await decider.decide({ ...quickRequest, state })).toEqual(first);
      await using reading = await decider.read(state);
      expect(withQuestion).toBe(reading.bytes + 13 * bytesPerToken);
      expect(await reading.decide(quickRequest.questions)).toEqual(first);
    }
  });

  it.each([-1, 1.5, "32 MB"])("cannot be %j", async (cacheBytes) => {
    const error = await decideError(() => createDecider({ cacheBytes } as DeciderOptions));
    expect(error).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("cacheBytes must be a whole number") as string,
    });
  });
});
