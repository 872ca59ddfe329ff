import { describe, expect, it } from "vitest";
import { check } from "../../../src/library/check/check.ts";
import type { CheckWarning } from "../../../src/library/check/check.ts";
import type { Decide } from "../../../src/library/decide/decide.ts";
import { decideError, rejection } from "../../support/rejection.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { BAD_QUESTIONS, MISSED_QUESTIONS } from "./bad-questions.ts";
import { GOOD_QUESTIONS } from "./good-questions.ts";

const decide: Decide = (request, options) => sharedDecider.decide(request, options);
const warningsOf = async (question: unknown): Promise<readonly CheckWarning[]> => (await check(decide, question, {})).warnings;
const codesOf = async (question: unknown): Promise<string[]> => (await warningsOf(question)).map(({ code }) => code);

describe("a check warns of", () => {
  it.each(BAD_QUESTIONS)("$code, and says what to write instead: $question.instructions", async ({ code, question }) => {
    const warnings = await warningsOf(question);
    expect(warnings.map((warning) => warning.code)).toEqual([code]);
    for (const { message } of warnings) expect(message).toMatch(/^[A-Z"\d].+\. (?:Ask|Choose|Describe|Make|Say|Write) .+\.$/u);
  });
});

describe("a check is silent about", () => {
  it.each(GOOD_QUESTIONS)("$instructions", async (question) => {
    expect(await warningsOf(question)).toEqual([]);
  });
});

// Bad questions that no limit finds which leaves reasonable ones alone. One that is found now belongs to the others.
describe("a check does not see", () => {
  it.each(MISSED_QUESTIONS)("$code: $question.instructions", async ({ code, question }) => {
    expect(await codesOf(question)).not.toContain(code);
  });
});

describe("a warning", () => {
  it("names the criteria at fault, and in its message those with plain keys", async () => {
    const criteria = { refund: "get their money back", money_back: "have their money returned", track: "find out where a parcel is" };
    const [warning] = await warningsOf({ type: "choice", instructions: "What does the customer want?", criteria });
    expect(warning?.criteria).toEqual(["refund", "money_back"]);
    expect(warning?.message).toContain('"refund" and "money_back"');
  });

  it("holds no other text of the question", async () => {
    const criteria = { "Mrs Miller wants her money back": null, "Mrs Miller wants her money back!": null, "asks for the way": null };
    const question = { type: "choice", instructions: "What does Mrs Miller want?", criteria };
    const [warning] = await warningsOf(question);
    expect(warning).toMatchObject({ code: "same_options", criteria: Object.keys(criteria).slice(0, 2) });
    expect(warning?.message).not.toMatch(/Miller|money/u);
    const [long] = await warningsOf({ type: "noul", instructions: `Miller. ${"Miller said so. ".repeat(40)}Is it urgent?` });
    expect(long).toMatchObject({ code: "long_instructions" });
    expect(long?.message).not.toContain("Miller");
  });
});

describe("a check costs", () => {
  const levels = ["of no use to us", "a help now and then", "a help on most days", "a help every day", "what all our work rests on"];
  it.each([
    [
      12,
      {
        type: "choice",
        instructions: "Which one?",
        criteria: Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`the ${"ab".repeat(i % 9)} shop`, null])),
      },
    ],
    [12, BAD_QUESTIONS[0]?.question],
    [9, { type: "noul", instructions: "Is it urgent?" }],
    [15, { type: "score", instructions: "How useful is it?", criteria: [...levels.toReversed(), "nothing", "all"] }],
    [0, { type: "score", instructions: "How useful is it?", criteria: ["low", "medium", "high"] }],
  ])("%i readings at most", async (most, question) => {
    let readings = 0;
    await check((request, options) => (readings++, decide(request, options)), question, {});
    expect(readings).toBeLessThanOrEqual(most);
    expect(readings > 0).toBe(most > 0);
  });
});

describe("a check", () => {
  const question = { type: "noul", instructions: "Is it urgent?" };

  it("ends between two readings when it is aborted, with the signal's reason", async () => {
    const ending = new AbortController();
    const reason = new Error("enough");
    let readings = 0;
    const aborting: Decide = async (request, options) => {
      const response = await decide(request, options);
      if (++readings === 3) ending.abort(reason);
      return response;
    };
    expect(await rejection(() => check(aborting, question, { signal: ending.signal }))).toBe(reason);
    expect(readings).toBe(3);
    expect(await rejection(() => check(decide, question, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  it("hands its signal to each reading, so that a long one is aborted, too", async () => {
    const { signal } = new AbortController();
    const given = new Set<unknown>();
    await check((request, options) => (given.add(options?.signal), decide(request, options)), question, { signal });
    expect([...given]).toEqual([signal]);
  });

  it("refuses what a request may not hold", async () => {
    const refused = await decideError(() => check(decide, { type: "choice", instructions: "Which?", criteria: { one: null } }, {}));
    expect(refused.code).toBe("invalid_request");
  });

  it("refuses options that are wrong or that it does not know", async () => {
    const options = { signal: "soon", maxPassages: 3 };
    expect((await decideError(() => check(decide, question, options as never))).message).toBe(
      "The options are not valid: maxPassages is unknown; the nearest name is signal; signal must be an AbortSignal, such as controller.signal or AbortSignal.timeout(5000), but is a string of 4 characters.",
    );
  });

  it("checks the question as it was given, whatever becomes of the object", async () => {
    const changed = { type: "noul", instructions: "Is it urgent?" };
    const asked = new Set<string>();
    await check(
      (request, options) => {
        asked.add(JSON.stringify(request.questions));
        changed.instructions = "Is it late?";
        return decide(request, options);
      },
      changed,
      {},
    );
    expect(asked.size).toBe(1);
  });

  it("is made by a decider", async () => {
    const { warnings } = await sharedDecider.check({ type: "noul", instructions: "Isn't the customer angry?" });
    expect(warnings.map(({ code }) => code)).toEqual(["negated"]);
  });
});
