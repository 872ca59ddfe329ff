import { describe, expect, it } from "vitest";
import { checkCounts } from "../../../src/service/body/check-counts.ts";
import { decideError } from "../../support/rejection.ts";

const questionsOf = (...questions: unknown[]): object => ({
  model: "latest",
  state: "",
  questions: Object.fromEntries(questions.map((question, i) => [`q${i}`, question])),
});
const options = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, null]));
const choice = (count: number): object => ({ type: "choice", instructions: "?", criteria: options(count) });
const score = (count: number): object => ({ type: "score", instructions: "?", criteria: Array<string>(count).fill("x") });
const noul = { type: "noul", instructions: "?" };
const check = (body: unknown, questions: number, criteria: number) => (): void => {
  checkCounts(body, { questions, criteria });
};

describe("checkCounts", () => {
  it.each([
    ["of choices", questionsOf(choice(2), choice(3)), 2, 5],
    ["of a score", questionsOf(score(4)), 1, 4],
    ["of a noul, which has two", questionsOf(noul), 1, 2],
    ["of a noul that describes one", questionsOf({ ...noul, criteria: { true: "x" } }), 1, 2],
  ])("accepts exactly as many questions and criteria as the limits allow: %s", async (_, body, questions, criteria) => {
    expect(check(body, questions, criteria)).not.toThrow();
    for (const refused of [check(body, questions - 1, criteria), check(body, questions, criteria - 1)])
      expect(await decideError(refused)).toMatchObject({ code: "invalid_request", status: 422 });
  });

  it("names every limit that is exceeded, and the counts", async () => {
    const error = await decideError(check(questionsOf(choice(2), choice(3)), 1, 4));
    expect(error.message).toBe(
      "The request is too large for this service: questions must hold at most 1 questions in one request, but holds 2 (the first of 2 issues). Split it into several requests.",
    );
    expect(error.issues).toEqual([
      { loc: ["body", "questions"], msg: "must hold at most 1 questions in one request, but holds 2", type: "too_many" },
      { loc: ["body", "questions"], msg: "must hold at most 4 options and levels in one request, but holds 5", type: "too_many" },
    ]);
  });

  it("counts what is wrong besides, too", async () => {
    expect((await decideError(check(questionsOf(1, null, "x", {}), 3, 1))).issues).toHaveLength(1);
    expect((await decideError(check(questionsOf({ ...noul, criteria: options(9) }), 1, 8))).issues).toHaveLength(1);
    expect((await decideError(check(questionsOf({ type: 5, criteria: options(9) }), 1, 8))).issues).toHaveLength(1);
  });

  it.each([[null], [5], ["text"], [[]], [{}], [{ questions: "a long text" }], [{ questions: [1, 2] }], [{ questions: null }]])(
    "leaves %j to those who check what is in it",
    (body) => {
      expect(check(body, 1, 1)).not.toThrow();
    },
  );

  it("takes texts in place of criteria for nothing", () => {
    expect(check(questionsOf({ type: "choice", criteria: "a long text" }), 1, 1)).not.toThrow();
  });
});
