import { describe, expect, it } from "vitest";
import { filled, promptOf, templateOf } from "../../../../src/library/engine/encoders/encoder-manifest.ts";
import { Field } from "../../../../src/library/validation/field.ts";

describe("a template", () => {
  it("is filled in one pass: what texts hold is text", () => {
    const texts = { instructions: "What is {option}?", option: "$& {instructions} $1 {}" };
    expect(filled("{instructions} It is {option}.", texts)).toBe("What is {option}? It is $& {instructions} $1 {}.");
  });

  it("has no white space around it, such as that of instructions that are empty; that of texts stays", () => {
    expect(filled("{instructions} {option} ", { instructions: "", option: "a  b" })).toBe("a  b");
    expect(filled(" {option}\n{instructions}", { instructions: "", option: "a" })).toBe("a");
    expect(filled("{option}", { instructions: "x", option: " \n" })).toBe(" \n");
  });

  it("may have braces of its own", () => {
    expect(filled("{{option}} {other}", { instructions: "", option: "x" })).toBe("{x} {other}");
  });

  it.each([
    ["{option}", 0],
    ["{option}, {instructions}", 0],
    ["{instructions}", 1],
    ["This is {}.", 1],
    ["{option} {option}", 1],
    ["{instructions}{option}{instructions}", 1],
    [`{option}${"x".repeat(1000)}`, 1],
    ["", 1],
    [undefined, 1],
    [7, 1],
  ])("%j of a manifest has %i issues", (template, issues) => {
    const field = new Field(template, ["templates", "choice"]);
    expect(templateOf(field)).toBe(typeof template === "string" ? template : "");
    expect(field.issues).toHaveLength(issues);
  });

  it.each([
    ["{instructions}", 0],
    ["Question: {instructions}", 0],
    ["{option}", 1],
    ["{instructions} {option}", 1],
    ["{instructions} {instructions}", 1],
    ["", 1],
    [undefined, 1],
  ])("%j of a manifest, for instructions alone, has %i issues", (template, issues) => {
    const field = new Field(template, ["templates", "choice", "prompt"]);
    expect(promptOf(field)).toBe(template ?? "");
    expect(field.issues).toHaveLength(issues);
  });
});
