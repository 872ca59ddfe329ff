import { describe, expect, it } from "vitest";
import { Field } from "../../src/validation/field.ts";

describe("a field that must be an object", () => {
  it("accepts objects", () => {
    const field = new Field({}, ["options"]);
    expect(field.isObject("an object of limits")).toBe(true);
    expect(field.issues).toEqual([]);
  });

  it.each([
    ["an array", [], { msg: "must be an object of limits, but is an array of 0", type: "wrong_type" }],
    ["null", null, { msg: "must be an object of limits, but is null", type: "wrong_type" }],
    ["nothing", undefined, { msg: "is missing", type: "missing" }],
  ])("refuses %s", (_, value, issue) => {
    const field = new Field(value, ["options"]);
    expect(field.isObject("an object of limits")).toBe(false);
    expect(field.issues).toEqual([{ loc: ["options"], ...issue }]);
  });
});

describe("a field that must be a number", () => {
  it.each([0, -1.5, NaN, Infinity])("accepts %d", (value) => {
    const field = new Field(value, ["price"]);
    expect(field.isNumber("a price")).toBe(true);
    expect(field.issues).toEqual([]);
  });

  it.each([
    ["a string", "1", { msg: "must be a price, but is a string of 1 characters", type: "wrong_type" }],
    ["nothing", undefined, { msg: "is missing", type: "missing" }],
  ])("refuses %s", (_, value, issue) => {
    const field = new Field(value, ["price"]);
    expect(field.isNumber("a price")).toBe(false);
    expect(field.issues).toEqual([{ loc: ["price"], ...issue }]);
  });
});
