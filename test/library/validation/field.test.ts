import { describe, expect, it } from "vitest";
import {
  A_FUNCTION,
  AN_ABORT_SIGNAL,
  Field,
  filledString,
  isNumber,
  matching,
  numberFrom,
  oneOf,
  refuseUnknown,
  TRUE_OR_FALSE,
  wholeNumber,
} from "../../../src/library/validation/field.ts";
import type { Rule } from "../../../src/library/validation/field.ts";

const cases: [string, Rule, readonly unknown[], readonly unknown[]][] = [
  ["a whole number from 1 to 64", wholeNumber(1, 64), [1, 64], [0, 65, 1.5, "1", NaN, Infinity, undefined]],
  ["a whole number, 0 or more", wholeNumber(0), [0, Number.MAX_SAFE_INTEGER], [-1, 2 ** 53, "0"]],
  ["a number, 1 or more", numberFrom(1), [1, 1.5, Infinity], [0.9, NaN, "1"]],
  ["true or false", TRUE_OR_FALSE, [true, false], [0, "true", null]],
  ["a function", A_FUNCTION, [() => 1], [{}, "f"]],
  [
    "an AbortSignal, such as controller.signal or AbortSignal.timeout(5000)",
    AN_ABORT_SIGNAL,
    [new AbortController().signal, AbortSignal.timeout(1)],
    [null, {}, new AbortController(), { aborted: false, addEventListener: () => 1 }, { [Symbol.toStringTag]: "AbortSignal" }, "signal"],
  ],
  ["a device's name", filledString("a device's name"), ["cpu"], ["", 1, null]],
  ['"a", "b" or "c"', oneOf(["a", "b", "c"]), ["a", "c"], ["", "d", 1]],
  ['"a"', oneOf(["a"]), ["a"], ["b"]],
  ["lower-case letters", matching(/^[a-z]+$/u, "lower-case letters"), ["ab"], ["A", "", 1]],
];

describe("a rule", () => {
  it.each(cases)("in words: %s", (words, rule, kept, broken) => {
    expect(rule.words).toBe(words);
    for (const value of kept) expect(rule.isKept(value), String(value)).toBe(true);
    for (const value of broken) expect(rule.isKept(value), String(value)).toBe(false);
  });
});

const found = ({ issues }: Field): string[] => issues.map(({ loc, msg, type }) => `${loc.join(".")} ${msg} [${type}]`);

describe("a field", () => {
  it("collects the issues of all fields below it, each at its place", () => {
    const root = new Field({ port: -1, hosts: ["a", 2], name: "x" }, ["options"]);
    root.get("port").keeps(wholeNumber(0, 65_535));
    for (const host of root.get("hosts").items("an array of names")) if (typeof host.value !== "string") host.refuseType("a name");
    root.get("missing").refuseType("a string");
    expect(found(root)).toEqual([
      "options.port must be a whole number from 0 to 65535, but is -1 [unknown_value]",
      "options.hosts.1 must be a name, but is a number [wrong_type]",
      "options.missing is missing: it must be a string [missing]",
    ]);
  });

  it("shows no text of the caller's", () => {
    const root = new Field({ limit: "my secret" }, []);
    root.get("limit").keeps(wholeNumber(1));
    expect(found(root)).toEqual(["limit must be a whole number, 1 or more, but is a string of 9 characters [unknown_value]"]);
  });

  it("that may be left out is only checked if it is there", () => {
    const root = new Field({ there: 0 }, []);
    expect(root.get("absent").mayKeep(wholeNumber(1))).toBe(true);
    expect(root.get("there").mayKeep(wholeNumber(1))).toBe(false);
    expect(root.get("absent").keeps(wholeNumber(1))).toBe(false);
    expect(root.issues).toHaveLength(2);
  });

  it("has no fields and no items where it is something else, and says so", () => {
    const root = new Field("text", ["body"]);
    expect(root.entries("an object")).toEqual([]);
    expect(root.items("an array")).toEqual([]);
    expect(root.get("length").value).toBeUndefined();
    expect(root.issues).toHaveLength(2);
  });

  it("visits the holes of a sparse array", () => {
    const sparse: unknown[] = [];
    sparse[2] = "c";
    expect(Array.from(new Field(sparse, []).items("an array"), (item) => (item as Field | undefined)?.loc)).toEqual([[0], [1], [2]]);
  });

  it("names each field that is not known", () => {
    const root = new Field({ name: 1, nmae: 2 }, ["keys", 0]);
    refuseUnknown(root, ["name"]);
    expect(found(root)).toEqual(["keys.0.nmae is unknown (did you mean name?) [unknown_field]"]);
  });
});

describe("a field that must be an object", () => {
  it("accepts objects", () => {
    const field = new Field({}, ["options"]);
    expect(field.isObject("an object of limits")).toBe(true);
    expect(found(field)).toEqual([]);
  });

  it.each([
    [[], "options must be an object of limits, but is an array of 0 [wrong_type]"],
    [null, "options must be an object of limits, but is null [wrong_type]"],
    [undefined, "options is missing: it must be an object of limits [missing]"],
  ])("refuses %j", (value, issue) => {
    const field = new Field(value, ["options"]);
    expect(field.isObject("an object of limits")).toBe(false);
    expect(found(field)).toEqual([issue]);
  });
});

describe("a field that must be a number", () => {
  it.each([0, -1.5, NaN, Infinity])("accepts %d", (value) => {
    const field = new Field(value, ["price"]);
    expect(isNumber(field, "a price")).toBe(true);
    expect(found(field)).toEqual([]);
  });

  it.each([
    ["1", "price must be a price, but is a string of 1 character [wrong_type]"],
    [undefined, "price is missing: it must be a price [missing]"],
  ])("refuses %j", (value, issue) => {
    const field = new Field(value, ["price"]);
    expect(isNumber(field, "a price")).toBe(false);
    expect(found(field)).toEqual([issue]);
  });
});
