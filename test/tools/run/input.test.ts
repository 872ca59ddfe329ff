import { describe, expect, test } from "vitest";
import { stateReader } from "../../../src/tools/run/input.ts";

const ROW = { id: 7, subject: "$& late", body: "It is.", tags: ["a", "b"], empty: " ", none: null };

describe("a column", () => {
  test("is state, or else text, if none is named", () => {
    expect(stateReader(undefined, { text: "x" }).columns).toEqual(["text"]);
    expect(stateReader(undefined, { text: "x", state: "y" }).columns).toEqual(["state"]);
    expect(stateReader(undefined, { body: "x" }).columns).toEqual(["state"]);
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
    expect(stateReader(column, ROW).read(ROW)).toEqual(expected);
  });

  test("may have braces in its name", () => {
    const row = { "{subject}": "x", subject: "y" };
    expect(stateReader("{subject}", row).read(row)).toEqual({ state: "x" });
  });
});

describe("a template", () => {
  test.each([
    ["{subject}\\n{body}", { state: "$& late\nIt is." }],
    ["Order {id}: {tags}, {id}.", { state: 'Order 7: ["a","b"], 7.' }],
    ["{none}{body}", { state: "It is." }],
    ["Order {empty} {none}", { wrong: "has no text in empty, none" }],
  ])("%s", (template, expected) => {
    expect(stateReader(template, ROW).read(ROW)).toEqual(expected);
  });

  test("says which columns it reads", () => {
    expect(stateReader("{id}: {body} {id}", ROW).columns).toEqual(["id", "body"]);
  });
});
