import { describe, expect, it } from "vitest";
import { checkJsonLimits } from "../../../src/service/body/json-limits.ts";
import { decideError } from "../../support/rejection.ts";

const LIMITS = { nesting: 2, values: 3 };

describe("JSON limits", () => {
  it.each([
    "1",
    "[[1]]",
    '{"a":{"b":1}}',
    "[1,2,3]",
    "[[],{},[]]",
    "[[1,2]]",
    '{"a":[1]}',
    String.raw`["]]]\"[[[,,,,,", 2]`,
    '{"[[[": "{{{"}',
  ])("accept %s", (text) => {
    expect(() => {
      checkJsonLimits(text, LIMITS);
    }).not.toThrow();
  });

  it.each([
    ["[[[1]]]", "too_deep", "nests arrays and objects deeper than 2 levels"],
    ['[{"a":[]}]', "too_deep", "nests arrays and objects deeper than 2 levels"],
    ["[[],[[]]]", "too_deep", "nests arrays and objects deeper than 2 levels"],
    ["[1,2,3,4]", "too_many", "holds more than 3 values"],
    ["[[1,2],[3,4]]", "too_many", "holds more than 3 values"],
    ["[[1],[2]]", "too_many", "holds more than 3 values"],
    ['{"a":{"b":1,"c":2}, "d":3}', "too_many", "holds more than 3 values"],
    [String.raw`["\\",[[`, "too_deep", "nests arrays and objects deeper than 2 levels"],
  ])("refuse %s", async (text, type, msg) => {
    const error = await decideError(() => {
      checkJsonLimits(text, LIMITS);
    });
    expect(error).toMatchObject({ code: "invalid_request", status: 422, issues: [{ loc: ["body"], msg, type }] });
  });
});
