import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Issue } from "../../../../src/errors.ts";
import { argmax, renderText } from "../../../../src/library/decide/questions/question-kind.ts";
import { Field, shapeOf } from "../../../../src/library/validation/field.ts";
import { anyJson } from "../../../support/random-requests.ts";

function render(value: unknown): { text: string; issues: Issue[] } {
  const issues: Issue[] = [];
  return { text: renderText(new Field(value, ["body", "state"], issues)), issues };
}

/** The rule, as ARCHITECTURE.md tells it: lines of `key: value` and `- item`, without indentation. */
function plainly(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((item) => `- ${plainly(item)}`).join("\n");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, item]) => `${key}: ${plainly(item)}`)
      .join("\n");
  }
  return JSON.stringify(value);
}

describe("a structured value", () => {
  it.each<[unknown, string]>([
    ["as it is\n", "as it is\n"],
    ["", ""],
    [{}, ""],
    [[], ""],
    [{ a: 1, b: true, c: null, d: "x" }, "a: 1\nb: true\nc: null\nd: x"],
    [["x", 2, false, null], "- x\n- 2\n- false\n- null"],
    [{ mail: { from: "Ann", to: ["Bo", "Cy"] }, n: [] }, "mail: from: Ann\nto: - Bo\n- Cy\nn: "],
    [[[["deep"]]], "- - - deep"],
    [{ z: 1, a: 2 }, "z: 1\na: 2"],
    [[1e21, 1e-7, -0, 0.1], "- 1e+21\n- 1e-7\n- 0\n- 0.1"],
    [{ "": "empty key" }, ": empty key"],
    [JSON.parse('{"__proto__": "own", "constructor": "own too"}'), "__proto__: own\nconstructor: own too"],
    [{ left: undefined, there: "x" }, "there: x"],
    [{ text: "$& $1 %s {}" }, "text: $& $1 %s {}"],
    [{ text: "\0\ud800" }, "text: \0\ud800"],
  ])("%j is read as %j", (value, text) => {
    expect(render(value)).toEqual({ text, issues: [] });
  });

  it("of any JSON is read by the rule", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(render(value)).toEqual({ text: plainly(value), issues: [] });
      }),
    );
  });

  it("is read once: what is returned no longer depends on it", () => {
    let reads = 0;
    const value = Object.defineProperty({}, "a", { enumerable: true, get: () => (reads++, reads) });
    expect(render(value).text).toBe("a: 1");
    expect(reads).toBe(1);
  });

  it("may refer to one object many times", () => {
    const shared = { name: "Ann", likes: ["tea"] };
    expect(render([shared, { again: shared }, shared.likes]).text).toBe(plainly([shared, { again: shared }, shared.likes]));
  });

  it("may be 100 levels deep, and no deeper", () => {
    const nested = (levels: number): unknown => {
      let value: unknown = "x";
      for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
      return value;
    };
    expect(render(nested(100)).issues).toEqual([]);
    expect(render(nested(101)).issues.map(({ type }) => type)).toEqual(["too_deep"]);
    expect(render(nested(10_000)).issues.map(({ type }) => type)).toEqual(["too_deep"]);
  });

  it("must not contain itself", () => {
    const ring: Record<string, unknown> = { name: "ring" };
    ring["self"] = { inside: [ring] };
    expect(render(ring).issues).toEqual([{ loc: ["body", "state", "self", "inside", 0], msg: "contains itself", type: "cyclic" }]);
  });

  it("that holds no JSON is refused at each place", () => {
    const { issues } = render({ a: [1, undefined, , NaN], b: { c: new Map() }, d: 3n });
    expect(issues.map(({ loc, msg }) => [loc.slice(2).join("."), msg])).toEqual([
      ["a.1", "must be a JSON value, but is nothing"],
      ["a.2", "must be a JSON value, but is nothing"],
      ["a.3", "must be a JSON value, but is NaN"],
      ["b.c", "must be a JSON value, but is an object of class Map"],
      ["d", "must be a JSON value, but is a bigint"],
    ]);
  });

  const bombs: [string, () => unknown][] = [
    ["doubling arrays", () => doubling("x")],
    ["doubling arrays of functions", () => doubling(() => 1)],
    ["doubling arrays of nothing", () => doubling([])],
    [
      "doubling objects",
      () => {
        let value: unknown = { leaf: "x" };
        for (let i = 0; i < 60; i++) value = { a: value, b: value };
        return value;
      },
    ],
    ["a sparse array of four billion", () => sparse(2 ** 32 - 1)],
    ["a sparse array of two million", () => sparse(2_000_000)],
    ["one long text a thousand times", () => Array.from({ length: 1000 }, () => "long text ".repeat(10_000))],
  ];

  it.each(bombs)("of endless text is refused: %s", (_, make) => {
    const value = make();
    const { text, issues } = render(value);
    expect(issues.at(-1)).toMatchObject({ loc: ["body", "state"], type: "too_long" });
    expect(issues.length).toBeLessThan(200_000);
    expect(text).toBe("");
  });

  function doubling(leaf: unknown): unknown {
    let value: unknown = [leaf, leaf];
    for (let i = 0; i < 60; i++) value = [value, value];
    return value;
  }

  function sparse(length: number): unknown[] {
    const value: unknown[] = [];
    value.length = length;
    return value;
  }
});

describe("the shape of a value", () => {
  it.each<[unknown, string]>([
    [null, "null"],
    [undefined, "nothing"],
    ["", "an empty string"],
    ["secret", "a string of 6 characters"],
    [12, "a number"],
    [true, "a boolean"],
    [[1, 2], "an array of 2"],
    [{ a: 1 }, "an object with 1 key"],
    [new Date(), "an object of class Date"],
    [Promise.resolve("secret"), "an object of class Promise"],
    [{ [Symbol.toStringTag]: "a secret" }, "an object of a class"],
    [() => 1, "a function"],
    [1n, "a bigint"],
    [Symbol("secret"), "a symbol"],
  ])("of %s is told without its text", (value, shape) => {
    expect(shapeOf(value)).toBe(shape);
  });
});

describe("the index of the largest probability", () => {
  it("is the first of the largest", () => {
    expect(argmax(Float64Array.of(0.2, 0.2, 0.2))).toBe(0);
    expect(argmax(Float64Array.of(0.1, 0.45, 0.45))).toBe(1);
    expect(argmax(Float64Array.of(0, 0, 1))).toBe(2);
  });
});
