import { describe, expect, it } from "vitest";
import type { ParsedRequest } from "../../../src/decide/request.ts";
import { checkCounts } from "../../../src/http/body/check-counts.ts";
import { decideError } from "../../support/rejection.ts";

/** A request with one question for each number, which says how many criteria it has. */
const requestWith = (...criteria: number[]): ParsedRequest => ({
  model: "latest",
  state: "",
  questions: criteria.map((count, i) => ({
    id: `q${i}`,
    type: "choice",
    instructions: "?",
    criteria: Array.from({ length: count }, (_, key) => ({ key: String(key), description: null, given: null })),
  })),
});

describe("checkCounts", () => {
  it("accepts exactly as many questions and criteria as the limits allow", () => {
    expect(() => {
      checkCounts(requestWith(2, 3), { questions: 2, criteria: 5 });
    }).not.toThrow();
  });

  it("names every limit that is exceeded, and the counts", async () => {
    const error = await decideError(() => {
      checkCounts(requestWith(2, 3), { questions: 1, criteria: 4 });
    });
    expect(error).toMatchObject({ code: "invalid_request", status: 422 });
    expect(error.message).toBe(
      "The request is too large for this service: questions must hold at most 1 questions in one request, but holds 2 (the first of 2 issues). Split it into several requests.",
    );
    expect(error.issues).toEqual([
      { loc: ["body", "questions"], msg: "must hold at most 1 questions in one request, but holds 2", type: "too_many" },
      { loc: ["body", "questions"], msg: "must hold at most 4 options and levels in one request, but holds 5", type: "too_many" },
    ]);
  });
});
