import { describe, expect, it } from "vitest";
import { toBatch } from "../../../src/library/decide/decide.ts";
import { inRequest, parseRequest } from "../../../src/library/decide/request.ts";
import { checkLengths } from "../../../src/library/engine/batch.ts";
import { DecideError, fromPlainError, toPlainError } from "../../../src/errors.ts";
import type { PlainError } from "../../../src/errors.ts";

const LIMITS = { stateTokens: 5, windowTokens: 5, overlapTokens: 1, instructionsTokens: 5, optionTokens: 5 };
const wordsOf = (text: string): number[] => text.split(" ").map((word) => word.length);
const LONG = "one two three four five six";

/** What a worker sends of a request that is too long, and the error that the caller gets. */
function refused(request: unknown): { sent: PlainError; error: DecideError } {
  const parsed = parseRequest(request);
  try {
    checkLengths(toBatch(parsed), LIMITS, wordsOf);
  } catch (thrown) {
    const sent = structuredClone(toPlainError(thrown));
    return { sent, error: inRequest(fromPlainError(sent), parsed) as DecideError };
  }
  throw new Error("nothing was too long");
}

const choiceOf = (count: number, key: (i: number) => string): object => ({
  type: "choice",
  instructions: "?",
  criteria: Object.fromEntries(Array.from({ length: count }, (_, i) => [key(i), LONG])),
});

describe("a request that is too long for the model", () => {
  it("has each issue at its place, in the caller's ids and keys", () => {
    const { error } = refused({
      state: LONG,
      questions: {
        route: { type: "choice", instructions: LONG, criteria: { short: null, "long one": LONG } },
        "0": { type: "score", instructions: "?", criteria: ["low", LONG] },
        ...Object.fromEntries([["__proto__", { type: "noul", criteria: { false: LONG } }]]),
      },
    });
    expect(error).toMatchObject({ code: "input_too_long", status: 413 });
    expect(error.issues?.map(({ loc, msg }) => `${loc.join("/")} ${msg}`)).toEqual([
      "body/state has 6 tokens, more than the model's limit of 5",
      "body/questions/0/criteria/1 has 6 tokens, more than the model's limit of 5",
      "body/questions/route/instructions has 6 tokens, more than the model's limit of 5",
      "body/questions/route/criteria/long one has 8 tokens, more than the model's limit of 5",
      "body/questions/__proto__/criteria/false has 7 tokens, more than the model's limit of 5",
    ]);
    expect(error.message).toBe(
      "The request is too long: state has 6 tokens, more than the model's limit of 5 (the first of 5 issues). Nothing is ever cut, so shorten it.",
    );
  });

  it("is told by the place of its first issue, with plain names alone", () => {
    const { error } = refused({ state: "s", questions: { "my id": choiceOf(2, (i) => `my key ${i}`) } });
    expect(error.message).toContain("too long: question 1 of 1: option 1 of 2 has 6 tokens");
    expect(error.message).toContain("(the first of 2 issues)");
  });

  it("has an issue of all options of a question at its criteria", () => {
    const parsed = parseRequest({
      state: "s",
      questions: { a: { type: "noul", instructions: "?" }, "my id": choiceOf(3, (i) => `key ${i}`) },
    });
    const issues = [
      { loc: ["questions", 1, "options"], msg: "has 26 different options, more than the model's limit of 25", type: "too_long" },
    ] as const;
    const error = inRequest(new DecideError("input_too_long", "The batch is too long.", { issues }), parsed) as DecideError;
    expect(error.issues?.map(({ loc }) => loc)).toEqual([["body", "questions", "my id", "criteria"]]);
    expect(error.message).toBe(
      "The request is too long: question 2 of 2: criteria has 26 different options, more than the model's limit of 25. Nothing is ever cut, so shorten it.",
    );
  });

  it("crosses the thread line as indexes and numbers: no id, no key, and no issue beyond a hundred", () => {
    const id = "secret".repeat(2000);
    const { sent, error } = refused({ state: "s", questions: { [id]: choiceOf(255, (i) => `secret${i}`.repeat(1000)) } });
    const text = JSON.stringify(sent);
    expect(text).not.toContain("secret");
    expect(text.length).toBeLessThan(20_000);
    expect([error.issues?.length, error.issuesLeftOut]).toEqual([100, 155]);
    expect(error.issues?.every(({ loc }, i) => loc[2] === id && loc[4] === `secret${i}`.repeat(1000))).toBe(true);
    expect(error.message).toContain("(the first of 255 issues)");
  });

  it("as a whole is named as such", () => {
    const parsed = parseRequest({ state: "one two", questions: { q: { type: "noul", instructions: "three" } } });
    const check = (maxInputTokens: number): void => {
      checkLengths({ ...toBatch(parsed), maxInputTokens }, LIMITS, wordsOf);
    };
    check(3);
    let error: unknown;
    try {
      check(2);
    } catch (thrown) {
      error = inRequest(thrown, parsed);
    }
    expect(error).toMatchObject({
      message:
        "The request is too long: all of it together has 3 input tokens, more than the limit of 2 for one request. Nothing is ever cut, so shorten it.",
      issues: [{ loc: ["body"], type: "too_long" }],
    });
  });
});

it("an engine's other errors are the caller's as they are", () => {
  const parsed = parseRequest({ state: "s", questions: { q: { type: "noul", instructions: "?" } } });
  for (const error of [new DecideError("backend_failed", "The runtime failed."), new TypeError("x"), "text", undefined]) {
    expect(inRequest(error, parsed)).toBe(error);
  }
});
