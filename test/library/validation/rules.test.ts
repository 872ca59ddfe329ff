import { describe, expect, it } from "vitest";
import {
  A_FUNCTION,
  AN_ABORT_SIGNAL,
  filledString,
  matching,
  numberFrom,
  oneOf,
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
