import { describe, expect, it } from "vitest";
import type { Issue } from "../../../src/errors.ts";
import { DEFAULT_LIMITS, readLimits } from "../../../src/service/handler/limits.ts";
import { Field } from "../../../src/library/validation/field.ts";

function issuesOf(limits: unknown): readonly Issue[] {
  const field = new Field(limits, ["options", "limits"]);
  readLimits(field);
  return field.issues;
}

describe("limits", () => {
  it("are the defaults where none are given", () => {
    expect(readLimits(new Field(undefined, []))).toEqual(DEFAULT_LIMITS);
    expect(readLimits(new Field({ inputTokens: undefined, bodyBytes: 5 }, []))).toEqual({ ...DEFAULT_LIMITS, bodyBytes: 5 });
  });

  it("may be infinite, and 0 if they are about waiting or rates", () => {
    const limits = { waitingRequests: 0, requestsPerMinute: 0, runMs: Infinity };
    expect(readLimits(new Field(limits, []))).toEqual({ ...DEFAULT_LIMITS, ...limits });
    expect(issuesOf(limits)).toEqual([]);
  });

  it.each([["abc"], [7], [null], [[]]])("must be an object, and not %j", (limits) => {
    const field = new Field(limits, ["options", "limits"]);
    expect(readLimits(field)).toEqual(DEFAULT_LIMITS);
    expect(field.issues).toMatchObject([{ loc: ["options", "limits"], type: "wrong_type" }]);
  });

  it("that are invalid are all named", () => {
    expect(issuesOf({ bodyBites: 1, bodyBytes: 0, runMs: "5", waitingRequests: -1, inputTokens: NaN, nesting: 5 })).toEqual([
      { loc: ["options", "limits", "bodyBites"], msg: "is unknown (did you mean bodyBytes?)", type: "unknown_field" },
      { loc: ["options", "limits", "nesting"], msg: "is unknown; the nearest name is deadlineMs", type: "unknown_field" },
      { loc: ["options", "limits", "bodyBytes"], msg: "must be a number, 1 or more, but is 0", type: "unknown_value" },
      { loc: ["options", "limits", "inputTokens"], msg: "must be a number, 1 or more, but is NaN", type: "unknown_value" },
      { loc: ["options", "limits", "waitingRequests"], msg: "must be a number, 0 or more, but is -1", type: "unknown_value" },
      { loc: ["options", "limits", "runMs"], msg: "must be a number, 1 or more, but is a string of 1 character", type: "wrong_type" },
    ]);
  });
});
