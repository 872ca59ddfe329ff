import { describe, expect, test } from "vitest";
import { membersOf } from "../../../src/tools/rows/json-text.ts";
import { stateReader } from "../../../src/tools/rows/state.ts";

const ROW = { id: 7, subject: "$& late", body: "It is.", tags: ["a", "b"], empty: " ", none: null };

/** The state of a row, as a column or template says. */
function read(spec: string, row: object = ROW): unknown {
  const json = JSON.stringify(row);
  return stateReader(spec, Object.keys(row)).read({ line: 1, value: row, json }, membersOf(json));
}

describe("a column", () => {
  test("is a usual one, in any case, if none is named", () => {
    expect(stateReader(undefined, ["id", "text"]).columns).toEqual(["text"]);
    expect(stateReader(undefined, ["Body", "id"]).columns).toEqual(["Body"]);
    expect(stateReader(undefined, ["id"]).columns).toEqual(["text"]);
  });

  test.each([
    ["body", { state: "It is." }],
    ["tags", { state: ["a", "b"] }],
    ["id", { state: "7" }],
    ["empty", { wrong: "has no text in empty" }],
    ["none", { wrong: "has no text in none" }],
    ["other", { wrong: "has no other" }],
    ["toString", { wrong: "has no toString" }],
  ])("%s", (column, expected) => {
    expect(read(column)).toEqual(expected);
  });

  test("may have braces in its name", () => {
    expect(read("{subject}", { "{subject}": "x", subject: "y" })).toEqual({ state: "x" });
  });
});

describe("a template", () => {
  test.each([
    ["{subject}\\n{body}", { state: "$& late\nIt is." }],
    ["Order {id}: {tags}, {id}.", { state: 'Order 7: ["a","b"], 7.' }],
    ["{none}{body}", { state: "It is." }],
    ["Order {empty} {none}", { wrong: "has no text in empty, none" }],
  ])("%s", (template, expected) => {
    expect(read(template)).toEqual(expected);
  });

  test("says which columns it reads", () => {
    expect(stateReader("{id}: {body} {id}", Object.keys(ROW)).columns).toEqual(["id", "body"]);
  });
});
