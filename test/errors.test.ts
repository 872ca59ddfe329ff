import { describe, expect, it } from "vitest";
import { DecideError, asDecideError, fromPlainError, toPlainError } from "../src/errors.ts";

/** The contract's table. */
const TABLE = {
  invalid_request: [422, false],
  input_too_long: [413, false],
  unauthorized: [401, false],
  insufficient_credits: [402, false],
  model_not_found: [404, false],
  model_invalid: [500, false],
  backend_unavailable: [503, false],
  backend_failed: [500, false],
  worker_lost: [503, true],
  overloaded: [429, true],
  closed: [503, false],
  internal: [500, false],
} as const;

describe("an error", () => {
  it.each(Object.entries(TABLE))("%s has status and retryable of the contract: %j", (code, [status, retryable]) => {
    const error = new DecideError(code as keyof typeof TABLE, "what happened");
    expect(error).toMatchObject({ name: "DecideError", code, status, retryable, message: "what happened" });
    expect(error).toBeInstanceOf(Error);
    expect(error.issues).toBeUndefined();
    expect(error.cause).toBeUndefined();
  });

  it("crosses a thread boundary with all its fields", () => {
    const issues = [{ loc: ["body", "questions", "__proto__", 3], msg: "is wrong", type: "wrong_type" }] as const;
    const error = new DecideError("invalid_request", "m", { issues, status: 400, cause: new RangeError("deep inside") });
    const back = fromPlainError(structuredClone(toPlainError(error)));
    expect(back).toBeInstanceOf(DecideError);
    expect(back).toMatchObject({ code: "invalid_request", message: "m", status: 400, retryable: false, issues });
    expect((back.cause as Error).message).toBe("RangeError: deep inside");
  });

  it("keeps the first 100 issues and counts the others, across a thread boundary, too", () => {
    const issues = Array.from({ length: 130 }, (_, i) => ({ loc: ["body", i], msg: "is wrong", type: "empty" as const }));
    const error = new DecideError("invalid_request", "m", { issues });
    const back = fromPlainError(structuredClone(toPlainError(error)));
    for (const { issues: kept, issuesLeftOut } of [error, back]) {
      expect(kept).toEqual(issues.slice(0, 100));
      expect(issuesLeftOut).toBe(30);
    }
    expect(new DecideError("invalid_request", "m", { issues: issues.slice(0, 100) }).issuesLeftOut).toBeUndefined();
  });

  it("crosses a thread boundary without issues and cause if it has none", () => {
    const back = fromPlainError(structuredClone(toPlainError(new DecideError("closed", "m"))));
    expect(back.issues).toBeUndefined();
    expect(back.issuesLeftOut).toBeUndefined();
    expect(back.cause).toBeUndefined();
  });

  it.each([["a text"], [null], [undefined], [{ any: "thing" }]])(
    "that is %j and no DecideError becomes internal, its text only the cause's",
    (thrown) => {
      const error = asDecideError(thrown);
      expect(error).toMatchObject({ code: "internal", status: 500 });
      expect(error.message).not.toContain("a text");
      expect(error.cause).toBe(thrown);
    },
  );

  it("is known by its mark, by instanceof, too, so that one from another copy of the package is; nothing else is", () => {
    const foreign = Object.defineProperty(new Error("m"), Symbol.for("umpire.DecideError"), { value: true });
    for (const error of [foreign, new DecideError("closed", "m")]) {
      expect(DecideError.isInstance(error)).toBe(true);
      expect(error).toBeInstanceOf(DecideError);
    }
    for (const value of [new Error("m"), null, undefined, "text", { code: "closed" }]) {
      expect(DecideError.isInstance(value)).toBe(false);
      expect((value as unknown) instanceof DecideError).toBe(false);
    }
  });
});
